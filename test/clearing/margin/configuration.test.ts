import { describe, expect, it } from 'vitest';
import type {
  LeverageProfile,
  LeverageTier,
  MarginConfiguration,
  MarketConfiguration,
} from '../../../core/messages/configuration.ts';
import type { Rig } from '../rig.ts';
import { spotMarket } from '../venue.ts';
import { FOREX, marginMarket, marginRig, NET, PERP, place, trade } from './margin-rig.ts';

/** The field and what would do, or `accepted`. */
function configure(rig: Rig, configuration: MarketConfiguration): string {
  const answer = rig.run({ kind: 'cold', command: { type: 'ConfigureMarket', configuration } });
  if (answer?.record !== 'Refused') return 'accepted';
  return `${answer.code} ${answer.field}`;
}

const tiersOf = (...tiers: LeverageTier[]): LeverageProfile => ({
  leverageType: 'Dynamic',
  useOnlyMaxLeverage: false,
  tiers,
});
const fixed = (maxLeverage: number): LeverageProfile => ({
  leverageType: 'Fixed',
  useOnlyMaxLeverage: false,
  maxLeverage,
});
const end = { maxLeverage: 1, maxNotionalInRoot: null };
const swaps = (type: 'Percent' | 'Points' | 'FixPerLot', size: number, assetId = 'usdt') =>
  ({ type, long: { size, assetId }, short: { size: 0, assetId: null } }) as const;
const funding = { startTime: '00:00:00', intervalHours: 8, cap: 0 };

describe('a market on margin is refused with', () => {
  const TABLE: readonly (readonly [string, 'Cfd' | 'Perp', Partial<MarginConfiguration>])[] = [
    ['lotSize', 'Cfd', { lotSize: 0 }],
    ['lotSize', 'Cfd', { lotSize: 1_000_001 }],
    ['lotSize', 'Cfd', { lotSize: 1.5 }],
    ['lotStep', 'Cfd', { lotStep: 0 }],
    ['lotStep', 'Cfd', { lotStep: 1_001 }],
    ['maxLeverage', 'Cfd', { leverage: fixed(0) }],
    ['maxLeverage', 'Cfd', { leverage: fixed(10_001) }],
    ['maxLeverage', 'Cfd', { leverage: fixed(2.5) }],
    ['maxLeverage', 'Cfd', { leverage: tiersOf({ ...end, maxLeverage: 0 }) }],
    ['tiers', 'Cfd', { leverage: tiersOf() }],
    ['tiers', 'Cfd', { leverage: tiersOf(...Array<LeverageTier>(11).fill(end)) }],
    ['maxNotionalValueInRAT', 'Cfd', { leverage: tiersOf({ ...end, maxNotionalInRoot: 5n }) }],
    [
      'maxNotionalValueInRAT',
      'Cfd',
      {
        leverage: tiersOf(
          { ...end, maxNotionalInRoot: 5n },
          { ...end, maxNotionalInRoot: 5n },
          end,
        ),
      },
    ],
    ['swapSettings', 'Perp', { swaps: swaps('Points', 0) }],
    ['swapSize', 'Cfd', { swaps: swaps('Percent', 100_001_000) }],
    ['swapSize', 'Cfd', { swaps: swaps('Percent', 100) }],
    ['swapSize', 'Cfd', { swaps: swaps('Points', 10_000) }],
    ['assetId', 'Cfd', { swaps: swaps('FixPerLot', 1, 'doge') }],
    ['funding', 'Cfd', { funding }],
    ['fundingStartTime', 'Perp', { funding: { ...funding, startTime: '24:00:00' } }],
    ['fundingIntervalInHours', 'Perp', { funding: { ...funding, intervalHours: 5 } }],
    ['fundingRateCap', 'Perp', { funding: { ...funding, cap: 10_000_001 } }],
  ];
  it.each(TABLE)('a wrong %s (%s, %o)', (field, type, margin) => {
    const rig = marginRig();
    expect(configure(rig, marginMarket(type, 'eur', 'btc', { funding: null, ...margin }))).toBe(
      field === 'assetId' ? '500 assetId' : `600 ${field}`,
    );
  });

  it('too many lots', () => {
    const rig = marginRig();
    const sized = (more: Partial<MarketConfiguration>) =>
      configure(rig, marginMarket('Cfd', 'eur', 'btc', {}, more));
    expect(sized({ minAmount: 1_001 })).toBe('600 minLotAmount');
    expect(sized({ maxAmount: 10_000_001 })).toBe('600 maxLotAmount');
    expect(sized({ minAmount: 1_000, maxAmount: 10_000_000 })).toBe('accepted');
  });

  it('nothing of margin, and Spot with it', () => {
    const rig = marginRig();
    const { margin, ...plain } = marginMarket('Cfd', 'eur', 'btc');
    expect(configure(rig, plain)).toBe('600 margin');
    if (margin === undefined) throw new Error('no margin');
    expect(configure(rig, spotMarket('eur', 'btc', { amountScale: 2, margin }))).toBe('600 margin');
  });
});

describe('a market on margin', () => {
  it('takes every kind of swap, of tiers and of funding', () => {
    const rig = marginRig();
    const leverage = tiersOf({ maxLeverage: 500, maxNotionalInRoot: 1_000n }, end);
    for (const size of [
      swaps('Percent', -1_000),
      swaps('Points', 100_000),
      swaps('FixPerLot', 7),
    ]) {
      const market = marginMarket('Cfd', 'eur', 'btc', { leverage, swaps: size });
      expect(configure(rig, market)).toBe('accepted');
    }
    for (const intervalHours of [1, 2, 3, 4, 6, 8, 12, 24]) {
      const settings = { startTime: '23:59:59', intervalHours, cap: 10_000_000 };
      expect(configure(rig, marginMarket('Perp', 'eur', 'btc', { funding: settings }))).toBe(
        'accepted',
      );
    }
  });

  it('keeps what it counts in while there are orders, stop orders or positions', () => {
    const rig = marginRig();
    const change = (market: number, more: Partial<MarginConfiguration>): string => {
      const { configuration } = rig.state.market(market);
      const { margin } = configuration;
      if (margin === undefined) throw new Error('not on margin');
      return configure(rig, { ...configuration, margin: { ...margin, ...more } });
    };
    expect(change(PERP, { lotSize: 2 })).toBe('accepted');
    expect(change(PERP, { lotSize: 1 })).toBe('accepted');
    const order = {
      account: NET,
      market: PERP,
      side: 'Buy',
      price: 6_000_000,
      amount: 10,
    } as const;
    place(rig, order);
    expect(change(PERP, { lotSize: 2 })).toBe('601 scale');
    rig.cancel(NET, rig.state.nextOrderId - 1);
    trade(rig, order);
    expect(change(PERP, { lotStep: 2 })).toBe('601 scale');
    expect(change(PERP, { leverage: fixed(7) })).toBe('accepted');
    expect(configure(rig, { ...rig.state.market(PERP).configuration, priceScale: 3 })).toBe(
      '601 scale',
    );
    place(rig, { ...order, market: FOREX, price: 108_000, activationPrice: 200_000 });
    expect(change(FOREX, { lotSize: 2 })).toBe('601 scale');
  });
});
