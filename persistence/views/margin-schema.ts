/**
 * The read models of markets on margin. Quantities count steps of a lot; notionals are ticks × steps;
 * money is in units of the root asset unless it names another.
 *
 * - An execution is one side of a trade. What it closed and what it opened are in the same row: a
 *   flip did both. What it paid in assets other than the root asset is in `margin_commissions`.
 * - A closing has what one order closed of one position.
 * - A payment is what an account got, or with a minus paid, for a position (funding, swap) or to
 *   bring its balance back to zero (compensation).
 */
export const MARGIN_SCHEMA = `
  CREATE TABLE margin_executions (
    id INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    order_id INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    price INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    closed_position INTEGER,
    closed_quantity INTEGER NOT NULL,
    realized INTEGER NOT NULL,
    opened_position INTEGER,
    opened_quantity INTEGER NOT NULL,
    commission INTEGER NOT NULL,
    commission_from_root INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX margin_executions_by_order ON margin_executions (order_id);
  CREATE INDEX margin_executions_closing ON margin_executions (closed_position)
    WHERE closed_position IS NOT NULL;
  CREATE INDEX margin_executions_opening ON margin_executions (opened_position)
    WHERE opened_position IS NOT NULL;
  CREATE TABLE margin_commissions (
    execution INTEGER NOT NULL,
    asset INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (execution, asset)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE positions (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    market INTEGER NOT NULL,
    open_order INTEGER NOT NULL,
    opened INTEGER NOT NULL,
    closed INTEGER,
    quantity INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX positions_open ON positions (market, quantity) WHERE closed IS NULL;
  CREATE TABLE closings (
    account INTEGER NOT NULL,
    order_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    market INTEGER NOT NULL,
    reason INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    open_notional INTEGER NOT NULL,
    close_notional INTEGER NOT NULL,
    realized INTEGER NOT NULL,
    rate INTEGER NOT NULL,
    PRIMARY KEY (account, order_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE stop_orders (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    market INTEGER NOT NULL,
    status INTEGER NOT NULL,
    traits INTEGER NOT NULL,
    scales INTEGER NOT NULL,
    lots INTEGER NOT NULL,
    is_trailing INTEGER NOT NULL,
    activation_price INTEGER NOT NULL,
    price INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    stop_loss INTEGER NOT NULL,
    take_profit INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    client_order_id TEXT,
    comment TEXT,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    reason INTEGER NOT NULL,
    activated_order INTEGER,
    refusal INTEGER
  ) STRICT;
  CREATE INDEX stop_orders_by_account ON stop_orders (account, status);
  CREATE TABLE funding (
    market INTEGER NOT NULL,
    due INTEGER NOT NULL,
    rate INTEGER NOT NULL,
    interval_hours INTEGER NOT NULL,
    mark_price INTEGER NOT NULL,
    PRIMARY KEY (market, due)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE payments (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    time INTEGER NOT NULL,
    market INTEGER,
    position INTEGER,
    amount INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX payments_by_account ON payments (account);
`;

/** What a payment was for; in rows their index. */
export const PAYMENT_KINDS = ['Funding', 'Swap', 'Compensation'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** The tables that are functions of the journal, each with the columns that order its rows. */
export const MARGIN_TABLES: Readonly<Record<string, string>> = {
  margin_executions: 'id',
  margin_commissions: 'execution, asset',
  positions: 'id',
  closings: 'account, order_id, position',
  stop_orders: 'id',
  funding: 'market, due',
  payments: 'id',
};
