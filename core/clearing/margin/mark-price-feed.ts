import type { FundingSettings } from '../../messages/configuration.ts';
import type { MarketPricesAnswer } from '../../messages/queries.ts';
import type { Market } from '../market.ts';
import type { Recorder } from '../recorder.ts';
import type { ClearingState } from '../state.ts';
import { fundingRate, lastFundingAt, nextFundingAt, premiumOf } from './funding.ts';
import { indexPrice, middle, spotTwin } from './index-price.ts';
import { BasisAverage, FINE, markPrice } from './mark-price.ts';
import type { MarketMargin } from './market-margin.ts';

/** How long premiums are summed up before an event tells of them. */
const PREMIUMS_MS = 60_000;

/** A funding interval, UTC ms: a settlement at `from`, the next at `to`. */
interface FundingInterval {
  readonly settings: FundingSettings;
  readonly from: number;
  readonly to: number;
}

/** What is observed of one Perp market; none of it outlives the process but by PremiumSampled. */
interface Observation {
  /** The scale that the samples below were taken in. */
  readonly priceScale: number;
  readonly basis: BasisAverage;
  /** Premiums that no event tells of yet: Σ in 10^-8, and how many. */
  sum: number;
  count: number;
  since: number;
  /** The running one, or an older one. */
  interval: FundingInterval | undefined;
}

const NOTHING = { sum: 0, count: 0, since: 0, interval: undefined };

/** Keeps the mark prices of the Perp markets, and samples their premiums. */
export class MarkPriceFeed {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly observations: Observation[] = [];

  constructor(state: ClearingState, recorder: Recorder) {
    this.state = state;
    this.recorder = recorder;
  }

  /** Computes a Perp market's mark price anew; true where it has changed. */
  update(market: Market, now: number): boolean {
    const { margin } = market;
    const funding = market.configuration.margin?.funding;
    if (margin === undefined || market.configuration.type !== 'Perp') return false;
    const observation = this.of(market);
    const interval = funding == null ? undefined : intervalAt(observation, funding, now);
    const computed =
      markPrice({
        index: this.index(market, margin),
        lastFundingRate: interval === undefined ? 0 : margin.fundingRate,
        timeToFunding: interval === undefined ? 0 : interval.to - now,
        interval: interval === undefined ? 1 : interval.to - interval.from,
        basisAverage: observation.basis.value,
        last: market.lastPrice > 0 ? BigInt(market.lastPrice) * FINE : undefined,
      }) || withoutInputs(market);
    // A Spot market may have prices that this one cannot: what positions are worth stays a number.
    const price = Math.min(computed, market.derived.maxPrice);
    if (price === margin.markPrice) return false;
    margin.markPrice = price;
    return true;
  }

  /** The second's sample of how a trading Perp market's book stands off its index. */
  sample(market: Market, now: number): void {
    const { margin } = market;
    if (margin === undefined || market.configuration.type !== 'Perp') return;
    const index = this.index(market, margin);
    if (index === undefined || index === 0n) return;
    const observation = this.of(market);
    const middlePrice = middle(market);
    if (middlePrice !== undefined) observation.basis.sample(middlePrice - index);
    if (observation.count === 0) observation.since = now;
    const bid = BigInt(market.bestBid) * FINE;
    observation.sum += premiumOf(bid, BigInt(market.bestAsk) * FINE, index);
    observation.count++;
    if (now - observation.since >= PREMIUMS_MS) this.tell(market, now);
  }

  /** Journals the premiums since the last event that did. */
  tell(market: Market, now: number): void {
    const observation = this.of(market);
    const { sum, count } = observation;
    if (count === 0) return;
    observation.sum = 0;
    observation.count = 0;
    this.recorder.cold(now, { type: 'PremiumSampled', market: market.index, sum, count });
  }

  prices(market: Market, now: number): MarketPricesAnswer {
    const { margin, configuration, bestBid, bestAsk, lastPrice } = market;
    const funding = configuration.margin?.funding ?? null;
    const index = margin === undefined ? undefined : this.index(market, margin);
    const { sum, count } = this.of(market);
    const hasRate = funding !== null && margin !== undefined && index !== undefined;
    return {
      bid: bestBid,
      ask: bestAsk,
      last: lastPrice,
      mark: margin?.markPrice ?? 0,
      index: index === undefined ? 0 : Number((index + FINE / 2n) / FINE),
      fundingRate: hasRate
        ? fundingRate(margin.premiumSum + sum, margin.premiumCount + count, funding)
        : null,
      nextFundingAt: funding === null ? null : nextFundingAt(funding, now),
    };
  }

  private index(market: Market, margin: MarketMargin): bigint | undefined {
    return indexPrice(market, margin.indexPrice, spotTwin(market, this.state.markets));
  }

  private of(market: Market): Observation {
    const { priceScale } = market.configuration;
    const known = this.observations[market.index];
    if (known?.priceScale === priceScale) return known;
    // A premium is a fraction: it outlives a change of scale. The basis counts ticks.
    const { sum, count, since, interval } = known ?? NOTHING;
    const made = { priceScale, basis: new BasisAverage(), sum, count, since, interval };
    this.observations[market.index] = made;
    return made;
  }
}

/** Prices move thousands of times a second, and settlements are hours apart. */
function intervalAt(
  observation: Observation,
  settings: FundingSettings,
  now: number,
): FundingInterval {
  const known = observation.interval;
  const isRunning = known?.settings === settings && known.from <= now && now < known.to;
  if (isRunning) return known;
  const from = lastFundingAt(settings, now);
  const made = { settings, from, to: nextFundingAt(settings, now) };
  observation.interval = made;
  return made;
}

/** Without an index or a trade a book has only its middle. */
function withoutInputs(market: Market): number {
  const price = middle(market);
  return price === undefined ? 0 : Number((price + FINE / 2n) / FINE);
}
