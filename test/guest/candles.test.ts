import { beforeEach, describe, expect, it } from 'vitest';
import type { RouteContext } from '../../gateway/routes/context.ts';
import { guestCandleRoutes } from '../../gateway/routes/guest/candles.ts';
import type { ViewsClient } from '../../persistence/views/index.ts';
import { BTC_USDT, ETH_USDT, referenceOf, serveRoutes } from './guest-server.ts';

const NOW = Date.UTC(2026, 5, 15, 12, 34, 56, 789);
const DAY = 86_400_000;
const asked: Parameters<ViewsClient['candles']>[0][] = [];
const reference = referenceOf([BTC_USDT, { ...ETH_USDT, status: 'Disabled' }]);
const client = serveRoutes(
  guestCandleRoutes({
    venue: { reference, durableSequence: 7 },
    views: {
      candles: (request: (typeof asked)[number]) => {
        asked.push(request);
        return Promise.resolve({ kind: 'answer', json: '[]' });
      },
    },
  } as unknown as RouteContext),
  NOW,
);

type Query = Readonly<Record<string, string | undefined>>;
const iso = (time: number): string => new Date(time).toISOString();
function history(query: Query, symbol = 'spot.btc_usdt') {
  const fields = { type: '1m', startDate: iso(NOW - 1000), endDate: iso(NOW), ...query };
  const text = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return client().get(`/marketdata/api/v4/guest/instruments/${symbol}/history?${text}`);
}

beforeEach(() => {
  asked.length = 0;
});

describe('the candles of guests', () => {
  it('are asked for by market, timeframe and both ends of the window', async () => {
    expect(await history({})).toMatchObject({ status: 200, body: { data: [] } });
    await history({ type: '1M' }, 'btc_usdt');
    const window = { market: 0, from: NOW - 1000, to: NOW, count: 45_000 };
    expect(asked).toEqual([
      { ...window, timeframe: '1m' },
      { ...window, timeframe: '1M' },
    ]);
  });

  it('take the ends of the window with an offset; a blank is none', async () => {
    const startDate = '2026-06-15T14:34:55.789%2B02:00';
    const endDate = '2026-06-15T07:04:56.789-05:30';
    expect((await history({ startDate, endDate })).status).toBe(200);
    expect(asked).toMatchObject([{ from: NOW - 1000, to: NOW }]);
    for (const odd of [startDate.replace('%2B', '+'), startDate.replace('%2B02:00', '')]) {
      expect(await history({ startDate: odd })).toMatchObject({ status: 400, code: 'TR0012' });
    }
  });

  it.each([
    ['1m', 30],
    ['5m', 30],
    ['15m', 30],
    ['30m', 30],
    ['1h', 365],
    ['4h', 365],
    ['12h', 365],
  ])('of %s come for exactly %i days at most', async (type, days) => {
    const startDate = NOW - days * DAY;
    const whole = await history({ type, startDate: iso(startDate) });
    expect(whole.status).toBe(200);
    const longer = await history({ type, startDate: iso(startDate - 1) });
    expect(longer).toMatchObject({ status: 400, code: 'TR0015' });
    expect(longer.body).toMatchObject({ description: expect.stringContaining('endDate') });
    expect(asked).toHaveLength(1);
  });

  it.each(['1d', '1w', '1M'])('of %s come for exactly five years at most', async (type) => {
    const startDate = Date.UTC(2021, 5, 15, 12, 34, 56, 789);
    expect((await history({ type, startDate: iso(startDate) })).status).toBe(200);
    const longer = await history({ type, startDate: iso(startDate - 1) });
    expect(longer).toMatchObject({ status: 400, code: 'TR0015' });
    const leap = { type, startDate: '2020-02-29T00:00:00Z', endDate: '2025-03-01T00:00:00Z' };
    expect((await history(leap)).status).toBe(200);
    const afterLeap = { ...leap, endDate: '2025-03-01T00:00:00.001Z' };
    expect((await history(afterLeap)).status).toBe(400);
  });

  it('end one minute in the future at most', async () => {
    expect((await history({ endDate: iso(NOW + 60_000) })).status).toBe(200);
    const later = await history({ endDate: iso(NOW + 60_001) });
    expect(later).toMatchObject({ status: 400, code: 'TR0015' });
  });

  it.each([
    [{ type: undefined }, 'TR0008'],
    [{ startDate: undefined }, 'TR0008'],
    [{ endDate: undefined }, 'TR0008'],
    [{ startDate: '' }, 'TR0008'],
    [{ type: '2m' }, 'TR0011'],
    [{ startDate: '2026-06-15' }, 'TR0012'],
    [{ endDate: '2026-02-30T00:00:00Z' }, 'TR0012'],
    [{ startDate: iso(NOW + 1) }, 'TR0019'],
    [{ count: '1' }, 'TR0010'],
  ])('are refused for %j with %s', async (query, code) => {
    expect(await history(query)).toMatchObject({ status: 400, code });
    expect(asked).toEqual([]);
  });

  it('are none of a market that is hidden, and refused for one that is unknown', async () => {
    expect(await history({}, 'spot.eth_usdt')).toMatchObject({ status: 200, body: { data: [] } });
    expect(await history({}, 'a_b')).toMatchObject({ status: 400, code: 'TR0300' });
    expect(asked).toEqual([]);
  });
});
