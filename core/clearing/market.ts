import { MAX_UNITS, powerOfTen } from '../fixed-point/index.ts';
import { TradingSessions } from '../market/sessions.ts';
import type { AssetConfiguration, MarketConfiguration } from '../messages/cold.ts';
import { Side } from '../messages/enums.ts';
import { type NotionalScale, notionalScale } from './charges.ts';
import { OrderTable } from './order-table.ts';

/** The most amount steps in one order where a market does not say. */
const DEFAULT_MAX_AMOUNT = 100_000_000_000;
export const BOTH_SIDES = -1;

/** An asset with its dense index. */
export interface Asset {
  readonly index: number;
  readonly configuration: AssetConfiguration;
}

/** What follows from a market's configuration. */
interface Derived {
  readonly sessions: TradingSessions;
  readonly scale: NotionalScale;
  /** Base units in one amount step. */
  readonly baseUnitsPerStep: bigint;
  /** Amount steps; nothing is never an amount. */
  readonly minAmount: number;
  readonly maxAmount: number;
  /** Ticks. */
  readonly maxPrice: number;
  /** The one side that it takes, as orders have it; -1 for both. */
  readonly onlySide: number;
}

/** One market as clearing knows it: its configuration, what follows from it, its open orders. */
export class Market {
  readonly index: number;
  readonly base: Asset;
  readonly quote: Asset;
  readonly orders = new OrderTable();
  /** The last trade's price in ticks; 0 before the first. */
  lastPrice = 0;
  /** The book's best prices as the worker last told them, in ticks; 0 where a side is empty. */
  bestBid = 0;
  bestAsk = 0;
  configuration: MarketConfiguration;
  derived: Derived;

  constructor(index: number, configuration: MarketConfiguration, base: Asset, quote: Asset) {
    this.index = index;
    this.base = base;
    this.quote = quote;
    this.configuration = configuration;
    this.derived = derive(configuration, base, quote);
  }

  configure(configuration: MarketConfiguration): void {
    const { priceScale } = this.configuration;
    this.lastPrice = rescaled(this.lastPrice, priceScale, configuration.priceScale);
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
  const { priceScale, amountScale, maxPrice, side = 'BuySell' } = configuration;
  const fitting = maxPrice === null ? DEFAULT_MAX_AMOUNT : greatestCofactor(maxPrice);
  const maxAmount = configuration.maxAmount ?? Math.min(DEFAULT_MAX_AMOUNT, fitting);
  return {
    sessions: new TradingSessions(configuration.calendar),
    minAmount: Math.max(1, configuration.minAmount),
    scale: notionalScale(priceScale, amountScale, quote.configuration.scale),
    baseUnitsPerStep: powerOfTen(base.configuration.scale - amountScale),
    maxAmount,
    maxPrice: maxPrice ?? greatestCofactor(maxAmount),
    onlySide: side === 'BuySell' ? BOTH_SIDES : Side[side],
  };
}
