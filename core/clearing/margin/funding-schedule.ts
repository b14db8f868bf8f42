import type { FundingSettings } from '../../messages/configuration.ts';
import { Side } from '../../messages/enums.ts';
import type { Market } from '../market.ts';
import type { Rate } from '../rates.ts';
import type { Recorder } from '../recorder.ts';
import type { ClearingState } from '../state.ts';
import { fundingAmounts, fundingRate, lastFundingAt, nextFundingAt } from './funding.ts';
import { type Payments, paymentsOf, positionsIn } from './funding-payments.ts';
import type { MarkPriceFeed } from './mark-price-feed.ts';

/** Settles the funding of the Perp markets when it is due. */
export class FundingSchedule {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly marks: MarkPriceFeed;
  /** What was due before this is over, a market each: it was there, or seen first, at this time. */
  private readonly since: number[] = [];

  constructor(state: ClearingState, recorder: Recorder, marks: MarkPriceFeed) {
    this.state = state;
    this.recorder = recorder;
    this.marks = marks;
  }

  /** Nothing was settled after `since`, the last time that the journal knows. */
  resume(since: number): void {
    for (const market of this.state.markets) this.since[market.index] = since;
  }

  /** Its schedule may be another one: nothing before now was due by that. */
  configured(market: number, now: number): void {
    this.since[market] = now;
  }

  /**
   * Settles what is due: of several settlements that were missed the last one, once. Returns when the
   * next is due; tells which markets have paid.
   */
  settle(now: number, paid: (market: Market) => void): number {
    let next = Number.POSITIVE_INFINITY;
    for (const market of this.state.markets) {
      const { margin, index } = market;
      const settings = market.configuration.margin?.funding;
      if (margin === undefined || settings == null) continue;
      const since = this.since[index] ?? now;
      this.since[index] = since;
      const dueAt = lastFundingAt(settings, now);
      next = Math.min(next, nextFundingAt(settings, now));
      if (dueAt <= Math.max(since, margin.fundingDueAt)) continue;
      this.apply(market, settings, dueAt, now);
      paid(market);
    }
    return next;
  }

  private apply(market: Market, settings: FundingSettings, dueAt: number, now: number): void {
    const { margin } = market;
    if (margin === undefined) return;
    this.marks.tell(market, now);
    this.marks.update(market, now);
    const rate = this.state.rates.ofQuote(market);
    const { markPrice } = margin;
    const payable = markPrice > 0 && rate.rate > 0n;
    const owed = payable ? fundingRate(margin.premiumSum, margin.premiumCount, settings) : 0;
    const { positions, amounts } = this.payments(market, owed, rate, markPrice);
    this.recorder.fundingApplied({
      time: now,
      market: market.index,
      dueAt,
      rate: rate.rate,
      positions,
      amounts,
      fundingRate: owed,
      markPrice,
      intervalHours: settings.intervalHours,
    });
  }

  private payments(market: Market, owed: number, rate: Rate, markPrice: number): Payments {
    const { positions, exposures } = this.state;
    const slots = positionsIn(exposures, positions, market.index);
    const signed = Float64Array.from(slots, (slot) => {
      const quantity = positions.quantities[slot] as number;
      return positions.sides[slot] === Side.Buy ? quantity : -quantity;
    });
    const terms = { fundingRate: owed, markPrice, scale: market.scale, rate };
    return paymentsOf(positions, slots, fundingAmounts(signed, terms));
  }
}
