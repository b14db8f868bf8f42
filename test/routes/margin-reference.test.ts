import { describe, expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';

const server = useServer();

type Detail = Readonly<Record<string, unknown>>;

async function detailOf(marketId: string, version: 'v4' | 'v6'): Promise<Detail> {
  const alice = await server().trader('alice');
  const path = `/frontoffice/api/${version}/markets/${marketId}`;
  const { status, body } = await alice.get<Detail>(path);
  expect(status).toBe(200);
  return body;
}

const EURO = {
  marketId: 'cfd.eur_usdt',
  displayName: 'EUR/USDT',
  fullName: 'Euro / Tether',
  baseAssetId: 'eur',
  quoteAssetId: 'usdt',
  minAmount: null,
  maxBaseAmount: '100000000',
  priceDeviation: '0',
  priceScale: 5,
  amountScale: null,
  type: 'Cfd',
  subtype: 'Fx',
  swapSettings: {
    type: 'Points',
    longPositionSettings: { size: '0.7', assetId: null },
    shortPositionSettings: { size: '-0.3', assetId: null },
  },
  lotSize: 100_000,
  minLotAmount: '0.01',
  maxLotAmount: 1000,
  tickSize: '0.00001',
  lotStep: '0.01',
  slippageRate: '1.1',
  calendar: { timeZoneId: 'UTC', sessionOverrides: [] },
  fundingStartTime: null,
  fundingIntervalInHours: null,
  isFavorite: false,
};

describe('the detail of a market on margin', () => {
  it('has every trading parameter of a Cfd, in two versions', async () => {
    const v6 = await detailOf('cfd.eur_usdt', 'v6');
    expect(v6).toMatchObject({
      ...EURO,
      leverageProfile: {
        leverageType: 'Fixed',
        leverage: { useOnlyMaxLeverage: false, maxLeverage: 100, tiers: null },
      },
    });
    const v4 = await detailOf('cfd.eur_usdt', 'v4');
    expect(v4).toMatchObject({ ...EURO, maxLeverage: 100, isConstLeverage: false });
    const { leverageProfile, commissionSettings, ...common } = v6;
    const { maxLeverage, isConstLeverage, minQuoteAmount, ...older } = v4;
    expect(older).toEqual(common);
    expect([leverageProfile, commissionSettings]).not.toContain(undefined);
    expect([maxLeverage, isConstLeverage, minQuoteAmount]).toEqual([100, false, null]);
  });

  it('has the schedule of funding of a Perp, and tiers of leverage where it has them', async () => {
    const detail = await detailOf('perp.btc_usdt', 'v6');
    expect(detail).toMatchObject({
      type: 'Perp',
      subtype: null,
      amountScale: null,
      minAmount: null,
      maxBaseAmount: '1000',
      swapSettings: null,
      lotSize: 1,
      minLotAmount: '0.001',
      maxLotAmount: 1000,
      tickSize: '0.01',
      lotStep: '0.001',
      fundingStartTime: '00:00:00',
      fundingIntervalInHours: 8,
      leverageProfile: {
        leverageType: 'Dynamic',
        leverage: {
          useOnlyMaxLeverage: false,
          maxLeverage: null,
          tiers: [
            { maxLeverage: 100, maxNotionalValueInRAT: '100000' },
            { maxLeverage: 50, maxNotionalValueInRAT: '500000' },
            { maxLeverage: 20, maxNotionalValueInRAT: '2000000' },
            { maxLeverage: 10, maxNotionalValueInRAT: '10000000' },
            { maxLeverage: 5, maxNotionalValueInRAT: null },
          ],
        },
      },
    });
    const v4 = await detailOf('perp.btc_usdt', 'v4');
    expect(v4).toMatchObject({ maxLeverage: 100, isConstLeverage: false });
  });

  it('has the calendar of a market that closes', async () => {
    const { calendar } = await detailOf('cfd.xau_usdt', 'v6');
    const monday = [
      { start: '00:00:00', end: '17:00:00' },
      { start: '18:00:00', end: '00:00:00' },
    ];
    expect(calendar).toMatchObject({
      timeZoneId: 'America/New_York',
      tradingSessions: expect.arrayContaining([
        { dayOfWeek: 'Monday', timeIntervals: monday },
        { dayOfWeek: 'Friday', timeIntervals: [{ start: '00:00:00', end: '17:00:00' }] },
      ]),
    });
  });

  it('is what guests read, but for leverage, commission and favorites', async () => {
    for (const marketId of ['cfd.eur_usdt', 'cfd.xau_usdt', 'perp.btc_usdt', 'perp.eth_usdt']) {
      const path = `/frontoffice/api/v5/guest/markets/${marketId}`;
      const { body } = await server().anonymous().get<Detail>(path);
      const { leverageProfile, commissionSettings, isFavorite, ...parameters } = await detailOf(
        marketId,
        'v6',
      );
      expect([leverageProfile, commissionSettings, isFavorite]).not.toContain(undefined);
      expect(body).toEqual(parameters);
    }
  });
});

describe('lists of markets', () => {
  it('have all three types, for traders and guests alike', async () => {
    const alice = await server().trader('alice');
    const v4 = await alice.get<Detail[]>('/frontoffice/api/v4/markets');
    const guest = await server().anonymous().get('/frontoffice/api/v5/guest/markets');
    expect(v4.body.map(({ marketId, type, subtype }) => [marketId, type, subtype])).toEqual([
      ['spot.btc_usdt', 'Spot', null],
      ['perp.btc_usdt', 'Perp', null],
      ['spot.eth_btc', 'Spot', null],
      ['spot.eth_usdt', 'Spot', null],
      ['perp.eth_usdt', 'Perp', null],
      ['cfd.eur_usdt', 'Cfd', 'Fx'],
      ['cfd.xau_usdt', 'Cfd', 'Metals'],
    ]);
    expect(guest.body).toEqual(v4.body);
    const v6 = await alice.get<Detail[]>('/frontoffice/api/v6/markets');
    expect(v6.body).toEqual(v4.body.map((item) => ({ ...item, isFavorite: false })));
  });
});
