import { beforeEach, describe, expect, it } from 'vitest';
import type { SwapSettings } from '../../../core/messages/configuration.ts';
import type { MarketPricesAnswer } from '../../../core/messages/queries.ts';
import { BTC_USDT, CFD, DEALER, HEDGER, MarginRig, PERP } from '../../margin/support.ts';
import type { VenueEvent } from '../records.ts';
import { Rig } from '../rig.ts';
import { START } from '../venue.ts';
import { open, quoteDeep, recorded, told } from './support.ts';

let margin: MarginRig;
let rig: Rig;

/** Monday 2 March 2026, 12:00 UTC. */
const HOUR = 3_600_000;

beforeEach(() => {
  margin = new MarginRig();
  ({ rig } = margin);
  margin.deposit(HEDGER, 'usdt', '100000');
});

/** What each payment said, as numbers. */
function paymentsOf(
  events: readonly VenueEvent[],
  record: 'SwapsCharged' | 'FundingApplied' = 'SwapsCharged',
): { readonly at: string; readonly amounts: readonly number[]; readonly nights: number }[] {
  return events.flatMap((event) => {
    if (event.record !== 'SwapsCharged' && event.record !== 'FundingApplied') return [];
    if (event.record !== record) return [];
    const amounts = [...new BigInt64Array(event.amounts.slice().buffer)].map(Number);
    const nights = event.record === 'SwapsCharged' ? event.nights : 0;
    return [{ at: new Date(event.dueAt).toISOString(), amounts, nights }];
  });
}

const prices = (market: number): MarketPricesAnswer =>
  rig.cold<MarketPricesAnswer>({ type: 'MarketPrices', market });

describe('funding', () => {
  /** A premium of 0.1 % for as long as it is sampled: the rate is 0.05 %. */
  function samplePremium(seconds: number): void {
    margin.quote(BTC_USDT, 10_000, 10_000 + 2);
    quoteDeep(margin, PERP, 10_011, 10_012);
    for (let second = 0; second < seconds; second++) rig.tick(1_000);
    margin.check();
  }

  it('is sampled each second and journaled each minute', () => {
    samplePremium(125);
    const sampled = told(rig, 'PremiumSampled');
    expect(sampled).toHaveLength(2);
    // (10011 - 10001) / 10001 is 0.09999 %.
    for (const { sum, count } of sampled) expect(sum / count).toBe(99_990);
    expect(prices(PERP)).toMatchObject({ index: 10_001, bid: 10_011, fundingRate: 49_990 });
  });

  it('is settled at its time, before anything that comes later, between both sides to the last unit', () => {
    samplePremium(65);
    open(margin, HEDGER, { market: PERP, amount: 12_345 });
    rig.now = START + 4 * HOUR - 1;
    rig.run({ kind: 'tick' });
    expect(recorded(rig, 'FundingApplied')).toEqual([]);
    // A position that is opened with the settlement's own millisecond comes after it.
    rig.now = START + 4 * HOUR;
    open(margin, HEDGER, { market: PERP, amount: 5 });
    const [applied] = recorded(rig, 'FundingApplied');
    expect(applied).toMatchObject({ dueAt: START + 4 * HOUR, intervalHours: 8 });
    const [payment] = paymentsOf(rig.events, 'FundingApplied');
    expect(payment?.amounts).toHaveLength(2);
    expect(payment?.amounts.reduce((sum, amount) => sum + amount, 0)).toBe(0);
    // 12.345 BTC at the mark price, times the rate.
    const { fundingRate, markPrice } = applied!;
    const exact = ((12_345 * markPrice * fundingRate) / 1e8) * 10;
    expect(Math.abs(Math.max(...payment!.amounts) - exact)).toBeLessThan(1);
    expect(told(rig, 'PremiumSampled').length).toBeGreaterThan(0);
    expect(rig.state.market(PERP).margin).toMatchObject({ premiumSum: 0, premiumCount: 0 });
    rig.check();
  });

  it('that was due while the venue was down is settled once, as the last that was due', () => {
    samplePremium(65);
    open(margin, HEDGER, { market: PERP, amount: 1_000 });
    const restarted = rig.restarted(START + 30 * HOUR);
    restarted.run({ kind: 'tick' });
    restarted.tick(1_000);
    const settled = paymentsOf(restarted.events, 'FundingApplied').map(({ at }) => at);
    expect(settled).toEqual(['2026-03-03T16:00:00.000Z']);
    expect(recorded(restarted, 'FundingApplied')[0]?.fundingRate).toBe(49_990);
    restarted.check();
  });

  it('is not settled again by a restart', () => {
    samplePremium(65);
    open(margin, HEDGER, { market: PERP, amount: 1_000 });
    margin.tick(5 * HOUR);
    expect(recorded(rig, 'FundingApplied')).toHaveLength(1);
    const restarted = rig.restarted(rig.now + 1_000);
    restarted.tick(1_000);
    expect(recorded(restarted, 'FundingApplied')).toEqual([]);
  });
});

describe('mark and index prices', () => {
  it('the index is the middle of the Spot market, a price of a feed in its place, or the last trade', () => {
    quoteDeep(margin, PERP, 9_990, 10_000);
    expect(prices(PERP)).toMatchObject({ index: 0, fundingRate: null });
    margin.quote(BTC_USDT, 9_000, 9_003);
    // The middle is 9001.5.
    expect(prices(PERP).index).toBe(9_002);
    rig.cold({ type: 'SetIndexPrice', marketId: 'perp.btc_usdt', price: '91.5' });
    expect(prices(PERP).index).toBe(9_150);
    rig.cold({ type: 'SetIndexPrice', marketId: 'perp.btc_usdt', price: '0' });
    expect(prices(PERP).index).toBe(9_002);
  });

  it('one trade far away does not move the mark price', () => {
    margin.quote(BTC_USDT, 10_000, 10_002);
    quoteDeep(margin, PERP, 10_000, 10_002);
    for (let second = 0; second < 31; second++) rig.tick(1_000);
    margin.trade(DEALER, PERP, 'Buy', 1, 10_001);
    margin.trade(HEDGER, PERP, 'Sell', 1, 5_000);
    rig.tick(1_000);
    expect(prices(PERP).mark).toBe(10_001);
  });
});

describe('swaps', () => {
  const points: SwapSettings = {
    type: 'Points',
    long: { size: 250_000_000, assetId: null },
    short: { size: -150_000_000, assetId: null },
  };

  function withSwaps(swaps: SwapSettings, calendar: 'always' | 'weekdays' = 'always'): void {
    const { margin: terms } = rig.state.market(CFD).configuration;
    const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map((dayOfWeek) => ({
      dayOfWeek,
      timeIntervals: [{ start: '00:00', end: '24:00' }],
    }));
    margin.configure(CFD, {
      margin: { ...terms!, swaps },
      calendar:
        calendar === 'always'
          ? null
          : { timeZoneId: 'UTC', tradingSessions: days, sessionOverrides: [] },
    });
  }

  it('are charged at each end of the day, with three nights before a closed weekend', () => {
    withSwaps(points, 'weekdays');
    quoteDeep(margin, CFD, 10_000, 10_000 + 1);
    open(margin, HEDGER, { amount: 1_000 });
    for (let hour = 0; hour < 7 * 24; hour++) rig.tick(HOUR);
    margin.check();
    // 2.5 ticks of 0.01 on 1 BTC are 0.025; the dealer's short gets 0.015.
    const night = (at: string, nights: number) => ({
      at: `${at}T00:00:00.000Z`,
      amounts: [-25_000 * nights, 15_000 * nights],
      nights,
    });
    const paid = paymentsOf(rig.events).map((payment) => ({
      ...payment,
      amounts: [...payment.amounts].sort((a, b) => a - b),
    }));
    expect(paid).toEqual([
      night('2026-03-03', 1),
      night('2026-03-04', 1),
      night('2026-03-05', 1),
      night('2026-03-06', 1),
      night('2026-03-07', 3),
    ]);
    rig.check();
  });

  it('of each day that the venue was down are charged when it is back', () => {
    withSwaps(points);
    quoteDeep(margin, CFD, 10_000, 10_000 + 1);
    open(margin, HEDGER, { amount: 1_000 });
    const restarted = rig.restarted(START + 50 * HOUR);
    restarted.run({ kind: 'tick' });
    restarted.tick(1_000);
    expect(paymentsOf(restarted.events).map(({ at }) => at)).toEqual([
      '2026-03-03T00:00:00.000Z',
      '2026-03-04T00:00:00.000Z',
    ]);
    const again = restarted.restarted(START + 51 * HOUR);
    again.tick(1_000);
    expect(paymentsOf(again.events)).toEqual([]);
    again.check();
  });

  it('end with the day of the platform, not with that of UTC', () => {
    const tokyo = new Rig({ state: rig.replay(), now: rig.now, timeZoneId: 'Asia/Tokyo' });
    const { margin: terms } = tokyo.state.market(CFD).configuration;
    tokyo.configureMarket(CFD, { margin: { ...terms!, swaps: points } });
    const place = (account: number, side: 'Buy' | 'Sell', price: number): void => {
      tokyo.run({ kind: 'placeMargin', account, market: CFD, side, price, amount: 100 });
    };
    place(DEALER, 'Sell', 10_000);
    place(HEDGER, 'Buy', 10_000);
    tokyo.tick(24 * HOUR);
    expect(paymentsOf(tokyo.events).map(({ at }) => at)).toEqual(['2026-03-02T15:00:00.000Z']);
  });
});
