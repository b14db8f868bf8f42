import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';
import { BACK_OFFICE, outcome, put } from './back-office.ts';

const server = useServer();
const MARKETS = `${BACK_OFFICE}/v2/markets`;
let admin: ApiClient;
let support: ApiClient;
let alice: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  support = await server().user('support');
  alice = await server().trader('alice');
});

type Market = Readonly<Record<string, unknown>>;
const read = async (marketId: string) => (await support.get<Market>(`${MARKETS}/${marketId}`)).body;
const change = (marketId: string, body: object, client = admin) =>
  client.patch<Market>(`${MARKETS}/${marketId}`, body);

const SHARES_HOURS = {
  calendarId: 'shares',
  calendarName: 'Shares, New York',
  timeZoneId: 'America/New_York',
  tradingSessions: [
    { dayOfWeek: 'Monday', timeIntervals: [{ start: '09:30', end: '16:00' }] },
    { dayOfWeek: 'Tuesday', timeIntervals: [{ start: '09:30:00', end: '24:00' }] },
  ],
  sessionOverrides: [{ date: '2030-12-25', timeIntervals: null }],
};
const SWAPS = {
  type: 'FixPerLot',
  longPositionSettings: { size: '1.5', assetId: 'eur' },
  shortPositionSettings: { size: -0.25 },
};
const CFD = {
  type: 'Cfd',
  subtype: 'Shares',
  baseAssetId: 'xau',
  quoteAssetId: 'eur',
  displayName: 'XAU/EUR',
  priceScale: 2,
  lotSize: 10,
  lotStep: '0.05',
  minLotAmount: '0.1',
  maxLotAmount: 250,
  slippageRate: '1.05',
  calendar: SHARES_HOURS,
  marketGroup: { id: 'shares', name: 'Shares' },
  swapSettings: SWAPS,
  leverageProfile: {
    leverageType: 'Fixed',
    leverage: { useOnlyMaxLeverage: true, maxLeverage: 5 },
  },
};
const PERP = {
  type: 'Perp',
  baseAssetId: 'eur',
  quoteAssetId: 'usdt',
  priceScale: 4,
  lotSize: 1000,
  minLotAmount: '1',
  maxLotAmount: 1000,
  leverageProfile: {
    leverageType: 'Dynamic',
    leverage: {
      tiers: [{ maxLeverage: 20, maxNotionalValueInRAT: '50000.5' }, { maxLeverage: 3 }],
    },
  },
  fundingSettings: { startTime: '01:30:00', intervalInHours: 4, cap: '0.01' },
};

describe('a new market on margin', () => {
  it('is a Cfd with everything that it was made with, also after a restart', async () => {
    const made = await admin.post<Market>(MARKETS, CFD);
    const expected = {
      marketId: 'cfd.xau_eur',
      displayName: 'XAU/EUR',
      fullName: 'Gold, troy ounce / Euro',
      type: 'Cfd',
      subtype: 'Shares',
      minAmount: null,
      amountScale: null,
      priceScale: 2,
      slippageRate: '1.05',
      status: 'Open',
      lotSize: 10,
      lotStep: '0.05',
      minLotAmount: '0.1',
      maxLotAmount: 250,
      tickSize: '0.01',
      swapSettings: {
        type: 'FixPerLot',
        longPositionSettings: { swapSize: '1.5', assetId: 'eur' },
        shortPositionSettings: { swapSize: '-0.25', assetId: null },
      },
      calendarId: 'shares',
      calendarName: 'Shares, New York',
      marketGroupId: 'shares',
      marketGroupName: 'Shares',
      maxLeverage: 5,
      isConstLeverage: true,
      fundingSettings: null,
    };
    expect(made).toMatchObject({ status: 201, body: expected });
    await server().kill('SIGKILL');
    await server().restart();
    expect(await read('cfd.xau_eur')).toEqual(made.body);
    const shown = await alice.get<Market>('/frontoffice/api/v6/markets/cfd.xau_eur');
    expect(shown.body).toMatchObject({
      maxBaseAmount: '2500',
      calendar: {
        timeZoneId: 'America/New_York',
        tradingSessions: [
          { dayOfWeek: 'Monday', timeIntervals: [{ start: '09:30:00', end: '16:00:00' }] },
          { dayOfWeek: 'Tuesday', timeIntervals: [{ start: '09:30:00', end: '00:00:00' }] },
        ],
        sessionOverrides: [{ date: '2030-12-25', timeIntervals: null }],
      },
      leverageProfile: {
        leverageType: 'Fixed',
        leverage: { useOnlyMaxLeverage: true, maxLeverage: 5, tiers: null },
      },
    });
  });

  it('is a Perp with tiers and funding; its lot step is its least amount', async () => {
    const made = await admin.post<Market>(MARKETS, PERP);
    expect(made).toMatchObject({
      status: 201,
      body: {
        marketId: 'perp.eur_usdt',
        lotStep: '1',
        minLotAmount: '1',
        tickSize: '0.0001',
        swapSettings: null,
        maxLeverage: 20,
        isConstLeverage: false,
        leverageProfile: {
          leverageType: 'Dynamic',
          leverage: {
            useOnlyMaxLeverage: false,
            maxLeverage: null,
            tiers: [
              { maxLeverage: 20, maxNotionalValueInRAT: '50000.5' },
              { maxLeverage: 3, maxNotionalValueInRAT: null },
            ],
          },
        },
        fundingSettings: { startTime: '01:30:00', intervalInHours: 4, cap: '0.01' },
      },
    });
  });

  const fixed = (leverage: object) => ({
    leverageProfile: { leverageType: 'Fixed', leverage },
  });
  const tiers = (...steps: object[]) => ({
    leverageProfile: { leverageType: 'Dynamic', leverage: { tiers: steps } },
  });
  const percent = (size: string) => ({
    swapSettings: { ...SWAPS, type: 'Percent', longPositionSettings: { size } },
  });
  const points = (size: string) => ({
    swapSettings: { ...SWAPS, type: 'Points', longPositionSettings: { size } },
  });
  const funding = (fields: object) => ({
    ...PERP,
    baseAssetId: 'btc',
    quoteAssetId: 'eur',
    fundingSettings: { ...PERP.fundingSettings, ...fields },
  });
  it.each<[string, object, string]>([
    ['is there', {}, '409 TR0602'],
    ['has an unknown base', { baseAssetId: 'nix' }, '400 TR0500'],
    ['has an unknown quote', { quoteAssetId: 'nix' }, '400 TR0500'],
    ['is a Spot market', { type: 'Spot' }, '400 TR0011'],
    ['has lots of nothing', { lotSize: 0 }, '400 TR0015'],
    ['has lots that are too large', { lotSize: 1_000_001 }, '400 TR0015'],
    ['has no step', { lotStep: '0' }, '400 TR0600'],
    ['has a step that is too fine', { lotStep: '0.000000001' }, '400 TR0600'],
    ['has a step that is too coarse', { lotStep: '1.5' }, '400 TR0600'],
    ['has a least amount off its step', { minLotAmount: '0.12' }, '400 TR0600'],
    ['has a least amount above one lot', { minLotAmount: '2' }, '400 TR0600'],
    ['has a greatest amount of 0', { maxLotAmount: 0 }, '400 TR0015'],
    ['has a greatest amount beyond 10000', { maxLotAmount: 10_001 }, '400 TR0015'],
    ['gives no leverage', fixed({ maxLeverage: 0 }), '400 TR0015'],
    ['gives leverage in parts', fixed({ maxLeverage: 1.5 }), '400 TR0009'],
    ['names no leverage', fixed({}), '400 TR0008'],
    [
      'has tiers of fixed leverage',
      fixed({ maxLeverage: 5, tiers: [{ maxLeverage: 5 }] }),
      '400 TR0708',
    ],
    ['has no tiers', tiers(), '400 TR0017'],
    [
      'has tiers finer than the root asset',
      tiers({ maxLeverage: 5, maxNotionalValueInRAT: '0.0000001' }, { maxLeverage: 1 }),
      '400 TR0600',
    ],
    ['swaps more than the whole', percent('1.1'), '400 TR0600'],
    ['swaps a share that is too fine', percent('0.000001'), '400 TR0600'],
    ['swaps points that are too fine', points('0.0001'), '400 TR0600'],
    [
      'swaps in an unknown asset',
      { swapSettings: { ...SWAPS, longPositionSettings: { size: '1', assetId: 'nix' } } },
      '400 TR0500',
    ],
    ['has funding as a Cfd', { fundingSettings: PERP.fundingSettings }, '400 TR0708'],
    ['has swaps as a Perp', { ...funding({}), swapSettings: SWAPS }, '400 TR0708'],
    ['has no funding as a Perp', { ...funding({}), fundingSettings: undefined }, '400 TR0008'],
    ['funds every five hours', funding({ intervalInHours: 5 }), '400 TR0011'],
    ['funds from no time of day', funding({ startTime: '24:00:00' }), '400 TR0012'],
    [
      'has a zone that does not exist',
      { calendar: { ...SHARES_HOURS, timeZoneId: 'Mars/Base' } },
      '400 TR0600',
    ],
  ])('is refused where it %s', async (_, fields, expected) => {
    const isOther = 'type' in fields || Object.keys(fields).length === 0;
    const free = isOther ? {} : { quoteAssetId: 'usdt', baseAssetId: 'eth' };
    expect(outcome(await admin.post(MARKETS, { ...CFD, ...free, ...fields }))).toBe(expected);
    for (const marketId of ['cfd.eth_usdt', 'perp.btc_eur']) {
      expect(outcome(await admin.get(`${MARKETS}/${marketId}`))).toBe('400 TR0300');
    }
  });

  it('is made and changed by administrators alone', async () => {
    for (const client of [support, alice]) {
      expect(outcome(await client.post(MARKETS, CFD))).toBe('403 TR0101');
      expect(outcome(await change('cfd.eur_usdt', { hidden: true }, client))).toBe('403 TR0101');
    }
  });
});

describe('a change', () => {
  it('leaves what it does not name, and stays', async () => {
    const before = await read('cfd.eur_usdt');
    const changed = await change('cfd.eur_usdt', {
      lotStep: '0.3',
      leverageProfile: PERP.leverageProfile,
      marketGroup: { id: 'fx', name: 'Currencies' },
    });
    expect(outcome(changed)).toBe('400 TR0600');
    expect(await read('cfd.eur_usdt')).toEqual(before);
    await change('cfd.eur_usdt', {
      minLotAmount: '0.1',
      lotStep: '0.1',
      leverageProfile: PERP.leverageProfile,
      marketGroup: { id: 'fx', name: 'Currencies' },
    });
    const expected = {
      ...before,
      lotStep: '0.1',
      minLotAmount: '0.1',
      maxLeverage: 20,
      marketGroupId: 'fx',
      marketGroupName: 'Currencies',
    };
    await server().kill('SIGKILL');
    await server().restart();
    const after = await read('cfd.eur_usdt');
    const { leverageProfile, updatedAt } = after;
    expect(after).toEqual({ ...expected, leverageProfile, updatedAt });
    expect(leverageProfile).toMatchObject({ leverageType: 'Dynamic' });
  });

  it('takes away what it sends as null', async () => {
    await change('cfd.eur_usdt', { marketGroup: null, swapSettings: null, fullName: null });
    expect(await read('cfd.eur_usdt')).toMatchObject({
      marketGroupId: null,
      marketGroupName: null,
      swapSettings: null,
      fullName: null,
    });
    await change('cfd.xau_usdt', { calendar: null });
    const { body } = await alice.get<Market>('/frontoffice/api/v6/markets/cfd.xau_usdt');
    expect(body).toMatchObject({ calendar: { timeZoneId: 'UTC' } });
  });

  it('at the same time as others loses none of them', async () => {
    const done = await Promise.all([
      change('cfd.xau_usdt', { lotSize: 50 }),
      change('cfd.xau_usdt', { maxLotAmount: 77 }),
      change('cfd.xau_usdt', { leverageProfile: CFD.leverageProfile }),
      change('cfd.xau_usdt', { swapSettings: null }),
    ]);
    expect(done.map(outcome)).toEqual(['200', '200', '200', '200']);
    expect(await read('cfd.xau_usdt')).toMatchObject({
      lotSize: 50,
      maxLotAmount: 77,
      maxLeverage: 5,
      swapSettings: null,
    });
  });

  it('of a Spot market is everything but lots, leverage, swaps and funding', async () => {
    const changed = await change('spot.btc_usdt', {
      marketGroup: { id: 'majors', name: 'Majors' },
      calendar: SHARES_HOURS,
      slippageRate: '1.2',
    });
    expect(changed.body).toMatchObject({
      marketGroupId: 'majors',
      calendarId: 'shares',
      slippageRate: '1.2',
      lotSize: null,
      maxLeverage: null,
      leverageProfile: null,
    });
    const refused = await change('spot.btc_usdt', { lotSize: 10 });
    expect(outcome(refused)).toBe('400 TR0708');
  });

  it.each<[string, string, object, string]>([
    ['of no market', 'cfd.a_b', {}, '400 TR0300'],
    ['to a deviation above 1', 'perp.btc_usdt', { priceDeviation: '1.5' }, '400 TR0600'],
    ['to a slippage below 1', 'perp.btc_usdt', { slippageRate: '0.9' }, '400 TR0600'],
    ['of what nobody knows', 'perp.btc_usdt', { colour: 'red' }, '400 TR0010'],
  ])('%s is refused', async (_, marketId, fields, expected) => {
    const before = await read('perp.btc_usdt');
    expect(outcome(await change(marketId, fields))).toBe(expected);
    expect(await read('perp.btc_usdt')).toEqual(before);
  });

  it('by the older form is taken for a market on margin, but for the scale of its lots', async () => {
    const path = `${BACK_OFFICE}/market/perp.eth_usdt`;
    const hidden = await put(support, path, { hidden: true });
    expect(hidden).toMatchObject({ status: 200, body: { id: 'perp.eth_usdt', hidden: true } });
    expect(outcome(await alice.get('/frontoffice/api/v6/markets/perp.eth_usdt'))).toBe(
      '400 TR0300',
    );
    expect(outcome(await put(admin, path, { hidden: false, amount_scale: 3 }))).toBe('400 TR0600');
    expect(outcome(await put(admin, path, { hidden: false, amount_scale: 2 }))).toBe('200');
    expect(outcome(await alice.get('/frontoffice/api/v6/markets/perp.eth_usdt'))).toBe('200');
  });
});
