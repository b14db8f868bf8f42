import { join } from 'node:path';
import { MARGIN_SCHEMA, MARGIN_TABLES } from './margin-schema.ts';

/**
 * The read models. Everything here can be computed again from the journal, so a change of the
 * schema needs no migration: a new version number makes the next start build the file anew.
 *
 * Times are UTC ms. Prices are ticks, amounts steps, money units of the quote asset, as in the
 * events; `scales` and `lots` say what they count in. Enumerations are the indexes of core/messages.
 */
export const SCHEMA_VERSION = 7;

export const viewsPath = (dataDir: string): string => join(dataDir, 'views.db');

/**
 * - Every list of orders is answered by one short index scan for each status asked for, newest
 *   first, merged. The status comes before the time because "the few open orders of an account with
 *   a million closed ones" is the commonest question. Open orders have an index of their own, which
 *   stays small however long the history grows (3 is Completed, the first status that is final).
 * - What an order was admitted with is stored once an amend has changed it.
 * - A trade is one row with both executions in it (the taker's has the row's id, the maker's the
 *   next), found from either order, and from the market by time. Trades on margin are there for the
 *   market's sake: without a maker and fees, which their executions have.
 * - A reversal names a trade that the venue has undone.
 * - A callback is a state of a transfer that somebody wants to be told of, in the journal's order.
 * - A volume is all that an account ever traded in a market, in the quote asset, as a canonical decimal.
 * - Candles hold canonical decimals, so that a market's new scales change nothing in its past.
 */
export const SCHEMA = `
  CREATE TABLE progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    sequence INTEGER NOT NULL,
    configuration INTEGER NOT NULL,
    chain_hash BLOB NOT NULL,
    boot_id TEXT NOT NULL,
    clean INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE assets (
    id INTEGER PRIMARY KEY,
    asset_id TEXT NOT NULL,
    name TEXT NOT NULL,
    scale INTEGER NOT NULL,
    is_root INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE markets (
    id INTEGER PRIMARY KEY,
    market_id TEXT NOT NULL,
    type TEXT NOT NULL,
    display_name TEXT NOT NULL,
    full_name TEXT,
    base_asset_id TEXT NOT NULL,
    quote_asset_id TEXT NOT NULL,
    price_scale INTEGER NOT NULL,
    amount_scale INTEGER NOT NULL,
    lot_size INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    account_id TEXT NOT NULL,
    owner_user_id TEXT NOT NULL,
    status TEXT NOT NULL
  ) STRICT;
  CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    asset INTEGER NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    amount TEXT NOT NULL,
    deduplication_id TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX transfers_by_account ON transfers (account);
  CREATE INDEX transfers_by_time ON transfers (created);
  CREATE TABLE callbacks (
    id INTEGER PRIMARY KEY,
    transfer INTEGER NOT NULL,
    status TEXT NOT NULL,
    url TEXT NOT NULL,
    time INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE volumes (
    account INTEGER NOT NULL,
    market INTEGER NOT NULL,
    volume TEXT NOT NULL,
    PRIMARY KEY (account, market)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    status INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    ended INTEGER,
    market INTEGER NOT NULL,
    traits INTEGER NOT NULL,
    scales INTEGER NOT NULL,
    cause INTEGER NOT NULL,
    price INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    remaining INTEGER NOT NULL,
    traded INTEGER NOT NULL,
    commission INTEGER NOT NULL,
    client_order_id TEXT,
    comment TEXT,
    admitted_price INTEGER,
    admitted_quantity INTEGER,
    lots INTEGER
  ) STRICT;
  CREATE INDEX orders_open ON orders (account, status, created) WHERE status < 3;
  CREATE INDEX orders_ended ON orders (account, status, created) WHERE status >= 3;
  CREATE TABLE trades (
    id INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    market INTEGER NOT NULL,
    taker_side INTEGER NOT NULL,
    price INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    taker_order INTEGER NOT NULL,
    maker_order INTEGER,
    taker_fee INTEGER,
    maker_fee INTEGER
  ) STRICT;
  CREATE INDEX trades_by_taker ON trades (taker_order);
  CREATE INDEX trades_by_maker ON trades (maker_order) WHERE maker_order IS NOT NULL;
  CREATE INDEX trades_by_time ON trades (market, time);
  CREATE TABLE reversals (
    trade INTEGER PRIMARY KEY,
    time INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE candles (
    market INTEGER NOT NULL,
    timeframe INTEGER NOT NULL,
    start INTEGER NOT NULL,
    open TEXT NOT NULL,
    high TEXT NOT NULL,
    low TEXT NOT NULL,
    close TEXT NOT NULL,
    volume TEXT NOT NULL,
    quote_volume TEXT NOT NULL,
    PRIMARY KEY (market, timeframe, start)
  ) STRICT, WITHOUT ROWID;
${MARGIN_SCHEMA}`;

/** The tables that are functions of the journal, each with the columns that order its rows. */
export const PROJECTED_TABLES: Readonly<Record<string, string>> = {
  assets: 'id',
  markets: 'id',
  accounts: 'id',
  transfers: 'id',
  callbacks: 'id',
  volumes: 'account, market',
  orders: 'id',
  trades: 'id',
  reversals: 'trade',
  candles: 'market, timeframe, start',
  ...MARGIN_TABLES,
};
