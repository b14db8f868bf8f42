import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO_ASSETS } from '../../gateway/demo/venue.ts';
import type { RouteContext } from '../../gateway/routes/context.ts';
import { DepthReader } from '../../gateway/routes/market-data/depth.ts';
import { publicAssetRoutes } from '../../gateway/routes/public/assets.ts';
import { changeOf } from '../../gateway/routes/public/day-figures.ts';
import { publicSummaryRoutes } from '../../gateway/routes/public/summary.ts';
import { publicTradeRoutes } from '../../gateway/routes/public/trades.ts';
import {
  BTC_USDT,
  ETH_USDT,
  FOREIGN_ASSET,
  referenceOf,
  serveRoutes,
} from '../guest/guest-server.ts';

const NOW = Date.UTC(2026, 5, 15, 12, 34, 56, 789);
const FROM = Date.UTC(2026, 5, 14, 12, 34, 56, 790);
const asked: unknown[] = [];
const LOCKED = { ...FOREIGN_ASSET, assetId: 'cu', source: 'Internal', canWithdraw: false } as const;
const reference = referenceOf(
  [
    BTC_USDT,
    { ...BTC_USDT, marketId: 'spot.btc_eur', quoteAssetId: 'eur', status: 'Paused' },
    { ...BTC_USDT, marketId: 'spot.xau_eur', baseAssetId: 'xau', status: 'Halted' },
    { ...ETH_USDT, status: 'Disabled' },
  ],
  [...DEMO_ASSETS, FOREIGN_ASSET, LOCKED],
);
const answering = (json: string) => (request: unknown) => {
  asked.push(request);
  return Promise.resolve({ kind: 'answer', json });
};
const context = {
  venue: {
    reference,
    durableSequence: 7,
    depth: (_: number, market: number) =>
      Promise.resolve({ market, bids: 0, asks: 0, levels: new Uint8Array() }),
  },
  views: { tradeWindows: answering('[null,null,null]'), trades: answering('[]') },
} as unknown as RouteContext;
const client = serveRoutes(
  [
    ...publicAssetRoutes(context),
    ...publicSummaryRoutes(context, new DepthReader(context.venue)),
    ...publicTradeRoutes(context),
  ],
  NOW,
);

beforeEach(() => {
  asked.length = 0;
});

describe('public information', () => {
  it('has the pairs that are not disabled, and says which are suspended', async () => {
    const { body } = await client().get<Record<string, { isFrozen: string }>>('/public/summary');
    const frozen = Object.entries(body).map(([pair, { isFrozen }]) => [pair, isFrozen]);
    expect(frozen.toSorted()).toEqual([
      ['BTC_EUR', '1'],
      ['BTC_USDT', '0'],
      ['XAU_USDT', '1'],
    ]);
    const ticker = await client().get<object>('/public/ticker');
    expect(Object.keys(ticker.body).toSorted()).toEqual(['BTC_EUR', 'BTC_USDT', 'XAU_USDT']);
  });

  it('counts a trade for 24 hours to the millisecond, exactly as old ones no more', async () => {
    await client().get('/public/summary');
    await client().get('/public/trades/btc_usdt');
    expect(asked).toEqual([
      { markets: expect.any(Array), from: FROM },
      { market: 0, from: FROM, limit: 10_000, lastTradeId: null },
    ]);
  });

  it('has zeros where nothing was traded', async () => {
    const { body } = await client().get<Record<string, object>>('/public/summary');
    expect(body['BTC_USDT']).toEqual({
      id: 0,
      last: '0',
      lowestAsk: '0',
      highestBid: '0',
      percentChange: '0',
      baseVolume: '0',
      quoteVolume: '0',
      isFrozen: '0',
      high24hr: '0',
      low24hr: '0',
    });
  });

  it('does not tell of assets that only a liquidity provider knows', async () => {
    const { body } = await client().get<Record<string, object>>('/public/asset');
    const own = [...DEMO_ASSETS, LOCKED].map(({ assetId }) => assetId.toUpperCase());
    expect(Object.keys(body)).toEqual(own);
    expect(body['CU']).toMatchObject({ can_withdraw: false, can_deposit: true });
    expect(body['USDT']).toEqual({
      name: 'Tether',
      can_withdraw: true,
      can_deposit: true,
      min_withdraw: '0.000001',
      max_withdraw: null,
    });
  });

  it.each([
    ['eth_usdt', '', 'TR0300'],
    ['spot.btc_usdt', '', 'TR0300'],
    ['btc', '', 'TR0300'],
    ['btc_usdt', '?limit=0', 'TR0015'],
    ['btc_usdt', '?limit=10001', 'TR0015'],
    ['btc_usdt', '?lastTradeID=x', 'TR0009'],
    ['btc_usdt', '?from=1', 'TR0010'],
  ])('refuses the trades of %s%s with %s', async (instrument, query, code) => {
    const answer = await client().get(`/public/trades/${instrument}${query}`);
    expect(answer).toMatchObject({ status: 400, code });
  });
});

describe('the change of a day', () => {
  it.each([
    ['100', '101', '0.01'],
    ['100', '99.5', '-0.005'],
    ['3', '4', '0.33333333'],
    ['3', '5', '0.66666667'],
    ['3', '1', '-0.66666667'],
    ['0.00000001', '1000', '99999999999'],
    ['200000000', '200000001', '0.00000001'],
    ['200000000', '199999999', '-0.00000001'],
    ['7.5', '7.5', '0'],
    ['0', '0', '0'],
  ])(
    'from %s to %s is %s: a fraction with eight places, ties away from zero',
    (open, last, change) => {
      expect(changeOf({ open, last })).toBe(change);
    },
  );
});
