import { MAX_UNITS, powerOfTen } from '../fixed-point/index.ts';
import { TradingSessions } from '../market/sessions.ts';
import type {
  AssetConfiguration,
  MarginConfiguration,
  MarketConfiguration,
} from '../messages/configuration.ts';
import { type MarketStatusName, Side } from '../messages/enums.ts';
import { type NotionalScale, notionalScale } from './charges.ts';
import { MarketMargin } from './margin/market-margin.ts';
import { OrderTable } from './order-table.ts';

/** The most amount steps in one order where a market does not say. */
const DEFAULT_MAX_AMOUNT = 100_000_000_000;
export const BOTH_SIDES = -1;
/** The most lot steps in one order on margin where a market does not say. */
const DEFAULT_MAX_STEPS = 1_000_000;
/** How many orders of the greatest size a position on margin may come to, where prices have no bound. */
const POSITION_ORDERS = 100n;

/** The states of a market that take everything off its book. */
export type EndingStatus = Extract<MarketStatusName, 'Halted' | 'Disabled'>;

/** Whether a market takes everything off its book on its way from one state to another. */
export function endsOrders(
  before: MarketStatusName,
  status: MarketStatusName,
): status is EndingStatus {
  return before !== status && (status === 'Halted' || status === 'Disabled');
}

/** An asset with its dense index. */
export interface Asset {
  readonly index: number;
  readonly configuration: AssetConfiguration;
}

/** What follows from a market's configuration. */
interface Derived {
  readonly sessions: TradingSessions;
  readonly scale: NotionalScale;
  /** Base units in one amount step; 0 on margin, where no base asset moves. */
  readonly baseUnitsPerStep: bigint;
  /** Amount steps; nothing is never an amount. */
  readonly minAmount: number;
  readonly maxAmount: number;
  /** Ticks. */
  readonly maxPrice: number;
  /** The one side that it takes, as orders have it; -1 for both. */
  readonly onlySide: number;
  /** What one account may have in positions and open orders on margin, steps; 0 for Spot. */
  readonly maxPosition: number;
}

/** One market as clearing knows it: its configuration, what follows from it, its open orders. */
export class Market {
  readonly index: number;
  readonly base: Asset;
  readonly quote: Asset;
  readonly orders = new OrderTable();
  /** Cfd and Perp only. */
  readonly margin: MarketMargin | undefined;
  /** The last trade's price in ticks; 0 before the first. */
  lastPrice = 0;
  /** The book's best prices as the worker last told them, in ticks; 0 where a side is empty. */
  bestBid = 0;
  bestAsk = 0;
  /** Orders below this id end with a halt, also where the market is open again before they have. */
  endedBelow = 0;
  /** Which status it was that ends them. */
  endedBy: EndingStatus = 'Halted';
  configuration: MarketConfiguration;
  derived: Derived;

  constructor(index: number, configuration: MarketConfiguration, base: Asset, quote: Asset) {
    this.index = index;
    this.base = base;
    this.quote = quote;
    this.margin = configuration.margin === undefined ? undefined : new MarketMargin();
    this.configuration = configuration;
    this.derived = derive(configuration, base, quote);
  }

  configure(configuration: MarketConfiguration): void {
    const { priceScale } = this.configuration;
    this.lastPrice = rescaled(this.lastPrice, priceScale, configuration.priceScale);
    if (this.margin !== undefined) {
      const { indexPrice } = this.margin;
      this.margin.indexPrice = rescaled(indexPrice, priceScale, configuration.priceScale);
      this.margin.markPrice = 0;
    }
    this.configuration = configuration;
    this.derived = derive(configuration, this.base, this.quote);
  }

  get scale(): NotionalScale {
    return this.derived.scale;
  }

  /** Base units of `quantity` amount steps. */
  baseUnits(quantity: number): bigint {
    return BigInt(quantity) * this.derived.baseUnitsPerStep;
  }
}

/** The greatest factor whose product with `factor` is still within 2^63 - 1, as a safe integer. */
export function greatestCofactor(factor: number): number {
  const greatest = MAX_UNITS / BigInt(factor);
  return greatest > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(greatest);
}

/** A price in ticks of another scale, rounded down; 0, which is none, where it does not fit there. */
function rescaled(price: number, fromScale: number, toScale: number): number {
  if (fromScale === toScale) return price;
  const units = (BigInt(price) * powerOfTen(toScale)) / powerOfTen(fromScale);
  return units > BigInt(Number.MAX_SAFE_INTEGER) ? 0 : Number(units);
}

function derive(configuration: MarketConfiguration, base: Asset, quote: Asset): Derived {
  const { priceScale, amountScale, side = 'BuySell' } = configuration;
  const scale = notionalScale(priceScale, amountScale, quote.configuration.scale);
  const common = {
    sessions: new TradingSessions(configuration.calendar),
    minAmount: Math.max(1, configuration.minAmount),
    onlySide: side === 'BuySell' ? BOTH_SIDES : Side[side],
  };
  const { margin } = configuration;
  if (margin !== undefined) return { ...common, ...deriveMargin(configuration, scale, margin) };
  const maxAmount = greatestSpotAmount(configuration);
  return {
    ...common,
    scale,
    baseUnitsPerStep: powerOfTen(base.configuration.scale - amountScale),
    maxAmount,
    maxPrice: configuration.maxPrice ?? greatestCofactor(maxAmount),
    maxPosition: 0,
  };
}

function greatestSpotAmount({ maxAmount, maxPrice }: MarketConfiguration): number {
  if (maxAmount !== null) return maxAmount;
  const fitting = maxPrice === null ? DEFAULT_MAX_AMOUNT : greatestCofactor(maxPrice);
  return Math.min(DEFAULT_MAX_AMOUNT, fitting);
}

/** The most that one order may be of, in amount steps, whether the market says so itself or not. */
export function greatestAmount(configuration: MarketConfiguration, quoteScale: number): number {
  const { priceScale, amountScale, margin } = configuration;
  if (margin === undefined) return greatestSpotAmount(configuration);
  const scale = notionalScale(priceScale, amountScale, quoteScale);
  return deriveMargin(configuration, scale, margin).maxAmount;
}

/**
 * Positions add up, so their bounds are narrower than those of one order: what an account may have in
 * a market, times the highest price, is at most a quarter of 2^63 - 1, both in ticks × steps and in
 * quote units.
 */
function deriveMargin(
  { maxAmount, maxPrice }: MarketConfiguration,
  perStep: NotionalScale,
  { lotSize, lotStep }: MarginConfiguration,
): Omit<Derived, 'sessions' | 'minAmount' | 'onlySide'> {
  const numerator = perStep.numerator * BigInt(lotSize);
  const scale = { numerator, denominator: perStep.denominator };
  const growth = numerator / perStep.denominator + 1n;
  const bound = MAX_UNITS / 4n / growth;
  const most = maxAmount ?? lotStep * DEFAULT_MAX_STEPS;
  const highest = maxPrice ?? safe(bound / (BigInt(most) * POSITION_ORDERS));
  const maxPosition = safe(bound / BigInt(highest));
  return {
    scale,
    baseUnitsPerStep: 0n,
    maxAmount: Math.min(most, maxPosition),
    maxPrice: highest,
    maxPosition,
  };
}

/** At least 1, at most the greatest safe integer. */
function safe(value: bigint): number {
  if (value < 1n) return 1;
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}
