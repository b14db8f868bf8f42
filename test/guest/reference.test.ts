import { describe, expect, it } from 'vitest';
import type { MarketConfiguration } from '../../core/messages/configuration.ts';
import { DEMO_ASSETS } from '../../gateway/demo/venue.ts';
import type { RouteContext } from '../../gateway/routes/context.ts';
import { guestReferenceRoutes } from '../../gateway/routes/guest/reference.ts';
import { TimeZones } from '../../gateway/routes/reference/time-zones.ts';
import { BTC_USDT, FOREIGN_ASSET, referenceOf, serveRoutes } from './guest-server.ts';

const CLOSED = { timeZoneId: 'UTC', tradingSessions: [], sessionOverrides: [] };
const named = (
  marketId: string,
  displayName: string,
  fields: Partial<MarketConfiguration>,
): MarketConfiguration => ({ ...BTC_USDT, marketId, displayName, ...fields });

/** Every state that a market can be in, in no order that a list would have. */
const reference = referenceOf(
  [
    named('spot.btc_usdt', 'D', {}),
    named('spot.btc_eur', 'C', { status: 'Paused' }),
    named('spot.eth_eur', 'B', { status: 'Halted' }),
    named('spot.eth_usdt', 'A', { status: 'Disabled' }),
    named('spot.xau_usdt', 'E', { calendar: CLOSED }),
    named('spot.xau_eur', 'F', {
      calendar: {
        ...CLOSED,
        sessionOverrides: [
          { date: '2030-01-01', timeIntervals: [{ start: '09:00', end: '10:00' }] },
        ],
      },
    }),
  ],
  [...DEMO_ASSETS, FOREIGN_ASSET],
);
const directory = { marketCategories: { marketsOf: async () => [] } };
const context = {
  venue: { reference },
  directory,
  timeZone: 'UTC',
} as unknown as RouteContext;
const client = serveRoutes(guestReferenceRoutes(context, new TimeZones('UTC')));
const MARKETS = '/frontoffice/api/v5/guest/markets';

describe('guests', () => {
  it('see markets that are active and well-configured, by display name', async () => {
    const { status, body } = await client().get<{ marketId: string }[]>(MARKETS);
    expect(status).toBe(200);
    expect(body.map(({ marketId }) => marketId)).toEqual([
      'spot.eth_eur',
      'spot.btc_eur',
      'spot.btc_usdt',
      'spot.xau_eur',
    ]);
    expect(body[0]).toEqual({
      marketId: 'spot.eth_eur',
      displayName: 'B',
      fullName: 'Bitcoin / Tether',
      type: 'Spot',
      subtype: null,
    });
    expect((await client().get(`${MARKETS}?categoryId=none`)).body).toEqual([]);
  });

  it.each(['spot.eth_usdt', 'spot.xau_usdt', 'spot.a_b', 'btc_usdt', '%20'])(
    'are told that there is no market %s',
    async (marketId) => {
      const answer = await client().get(`${MARKETS}/${marketId}`);
      expect(answer).toMatchObject({ status: 400, code: 'TR0300' });
    },
  );

  it('do not see assets that only a liquidity provider knows', async () => {
    const { body } = await client().get<{ assetId: string }[]>('/frontoffice/api/v3/guest/assets');
    expect(body.map(({ assetId }) => assetId)).toEqual(DEMO_ASSETS.map(({ assetId }) => assetId));
  });
});
