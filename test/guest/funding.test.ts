import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO_MARKETS } from '../../gateway/demo/markets.ts';
import type { RouteContext } from '../../gateway/routes/context.ts';
import { guestFundingRoutes } from '../../gateway/routes/guest/funding.ts';
import type { ViewsClient } from '../../persistence/views/index.ts';
import { referenceOf, serveRoutes } from './guest-server.ts';

const asked: Parameters<ViewsClient['funding']>[0][] = [];
const markets = DEMO_MARKETS.map((market) =>
  market.marketId === 'perp.eth_usdt' ? { ...market, hidden: true } : market,
);
const PERP = markets.findIndex(({ marketId }) => marketId === 'perp.btc_usdt');
const PAGE = {
  fundingData: [{ appliedAt: '2026-06-15T08:00:00.000Z', interval: 8, rate: '-0.0001' }],
  hasMore: true,
};
const client = serveRoutes(
  guestFundingRoutes({
    venue: { reference: referenceOf(markets), durableSequence: 7 },
    views: {
      funding: (request: (typeof asked)[number]) => {
        asked.push(request);
        return Promise.resolve({ kind: 'answer', json: JSON.stringify(PAGE) });
      },
    },
  } as unknown as RouteContext),
);
const funding = (query = '', symbol = 'perp.btc_usdt') =>
  client().get(`/marketdata/api/v4/guest/instruments/${symbol}/funding${query}`);

beforeEach(() => {
  asked.length = 0;
});

describe('funding settlements', () => {
  it('are all asked for where nothing narrows them', async () => {
    expect(await funding()).toMatchObject({ status: 200, body: PAGE });
    const open = { limit: null, offset: null, appliedAtFrom: null, appliedAtTo: null };
    expect(asked).toEqual([{ market: PERP, ...open }]);
  });

  it('are narrowed by timestamps, and by dates from their beginning to their end', async () => {
    const [from, to] = [Date.UTC(2026, 5, 14), Date.UTC(2026, 5, 15)];
    await funding(
      '?limit=5&offset=10&appliedAtFrom=2026-06-14T00:00:00Z&appliedAtTo=2026-06-15T00:00:00.000Z',
    );
    await funding('?appliedAtFrom=2026-06-14&appliedAtTo=2026-06-14');
    expect(asked).toEqual([
      { market: PERP, limit: 5, offset: 10, appliedAtFrom: from, appliedAtTo: to },
      { market: PERP, limit: null, offset: null, appliedAtFrom: from, appliedAtTo: to - 1 },
    ]);
  });

  it.each([
    ['?limit=0', 'TR0015'],
    ['?limit=x', 'TR0009'],
    ['?offset=-1', 'TR0015'],
    ['?appliedAtFrom=yesterday', 'TR0012'],
    ['?appliedAtTo=2026-02-30', 'TR0012'],
    ['?appliedAtTo=2026-06-15T25:00:00Z', 'TR0012'],
    ['?appliedAtFrom=2026-06-15&appliedAtTo=2026-06-14', 'TR0019'],
    ['?type=1m', 'TR0010'],
  ])('are refused for %s with %s', async (query, code) => {
    expect(await funding(query)).toMatchObject({ status: 400, code });
    expect(asked).toEqual([]);
  });

  it.each([
    ['cfd.eur_usdt', 'TR0303'],
    ['spot.btc_usdt', 'TR0303'],
    ['btc_usdt', 'TR0303'],
    ['perp.eth_usdt', 'TR0300'],
    ['perp.a_b', 'TR0300'],
  ])('there are none of %s: %s', async (symbol, code) => {
    expect(await funding('', symbol)).toMatchObject({ status: 400, code });
    expect(asked).toEqual([]);
  });
});
