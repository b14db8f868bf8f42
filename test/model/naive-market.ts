import type { AssetConfiguration, MarketConfiguration } from '../../core/messages/configuration.ts';
import type {
  SelfTradePreventionName,
  SideName,
  TimeInForceName,
} from '../../core/messages/enums.ts';
import {
  costOf,
  type Fee,
  type Fraction,
  fraction,
  powerOfTen,
  roundedDown,
  roundedUp,
  type Trade,
  times,
} from './naive-money.ts';

export interface NaiveOrder {
  readonly id: number;
  readonly account: number;
  readonly market: NaiveMarket;
  readonly side: SideName;
  readonly timeInForce: TimeInForceName;
  readonly isMarket: boolean;
  readonly postOnly: boolean;
  readonly prevention: SelfTradePreventionName;
  readonly fee: Fee;
  readonly expiresAt: number;
  limit: number;
  amount: number;
  readonly trades: Trade[];
  commission: bigint;
  open: boolean;
  rejected: boolean;
}

export const RESTING: readonly TimeInForceName[] = ['Gtc', 'Gtd', 'Day'];
const MOST_UNITS = 2n ** 63n - 1n;
const EVERYTHING = 100_000_000_000;

export const remainingOf = (order: NaiveOrder): number =>
  order.amount - order.trades.reduce((sum, { amount }) => sum + amount, 0);

/** One market as the naive venue has it: what rests is one list, first come first. */
export class NaiveMarket {
  readonly index: number;
  readonly base: number;
  readonly quote: number;
  configuration: MarketConfiguration;
  lastPrice = 0;
  resting: NaiveOrder[] = [];
  /** Retry orders that wait. */
  waiting: NaiveOrder[] = [];
  private readonly assets: readonly AssetConfiguration[];

  constructor(
    index: number,
    configuration: MarketConfiguration,
    assets: readonly AssetConfiguration[],
  ) {
    const indexOf = (id: string) => assets.findIndex(({ assetId }) => assetId === id);
    this.index = index;
    this.configuration = configuration;
    this.assets = assets;
    this.base = indexOf(configuration.baseAssetId);
    this.quote = indexOf(configuration.quoteAssetId);
  }

  /** Quote units that one tick for one step is worth. */
  get unit(): Fraction {
    const { priceScale, amountScale } = this.configuration;
    return powerOfTen(this.scaleOf(this.quote) - priceScale - amountScale);
  }

  baseUnits(amount: number): bigint {
    const finer = this.scaleOf(this.base) - this.configuration.amountScale;
    return roundedDown(times(fraction(BigInt(amount)), powerOfTen(finer)));
  }

  /** What the rest of an order needs: its worst price and all commission that is still to come. */
  holdOf(order: NaiveOrder): bigint {
    const { limit, trades, fee } = order;
    const amount = remainingOf(order);
    if (order.side === 'Sell') return this.baseUnits(amount);
    if (limit === 0) return 0n;
    const { unit } = this;
    return costOf([...trades, { price: limit, amount }], unit, fee) - costOf(trades, unit, fee);
  }

  /** The best price that an order of `side` would meet; 0 for none. */
  best(side: SideName): number {
    const prices = this.resting.filter((order) => order.side !== side).map(({ limit }) => limit);
    if (prices.length === 0) return 0;
    return side === 'Buy' ? Math.min(...prices) : Math.max(...prices);
  }

  crosses(side: SideName, limit: number): boolean {
    const best = this.best(side);
    if (best === 0) return false;
    return side === 'Buy' ? best <= limit : best >= limit;
  }

  /** The worst price of a Market order: for a buy what it would meet, or the last trade, and more. */
  worstPrice(side: SideName): number {
    if (side === 'Sell') return 0;
    const reference = this.best('Buy') || this.lastPrice;
    const { slippageRate } = this.configuration;
    const price = times(fraction(BigInt(reference)), fraction(BigInt(slippageRate), 10_000n));
    return Math.min(Number(roundedDown(price)), this.highestPrice);
  }

  get mostAmount(): number {
    const { maxAmount, maxPrice } = this.configuration;
    return maxAmount ?? Math.min(EVERYTHING, maxPrice === null ? EVERYTHING : cofactor(maxPrice));
  }

  get highestPrice(): number {
    return this.configuration.maxPrice ?? cofactor(this.mostAmount);
  }

  /** Why an order of this amount, and of this price if it is a Limit order, is out of the question. */
  outsideLimits(side: SideName, amount: number, price: number | undefined): string | undefined {
    const { minAmount, priceDeviation } = this.configuration;
    if (amount < Math.max(1, minAmount)) return 'TR0209';
    if (amount > this.mostAmount) return 'TR0210';
    if (price === undefined) return undefined;
    if (price > this.highestPrice) return 'TR0211';
    const reference = this.best(side) || this.lastPrice;
    if (priceDeviation === 0 || reference === 0) return undefined;
    const far = Math.abs(price - reference) * 10_000 > reference * priceDeviation;
    return far ? 'TR0215' : undefined;
  }

  /**
   * The minimum commission in quote units. It is configured in the root asset: the market of the two
   * says what that is worth, at the middle or at the last trade.
   */
  leastFee(markets: readonly NaiveMarket[]): bigint {
    const root = this.assets.findIndex(({ isRoot }) => isRoot);
    const { feeMinimum } = this.configuration;
    if (this.quote === root) return feeMinimum;
    for (const market of markets) {
      if (market.base !== this.quote || market.quote !== root) continue;
      const bid = market.best('Sell');
      const ask = market.best('Buy');
      const doubled = bid > 0 && ask > 0 ? bid + ask : 2 * market.lastPrice;
      if (doubled === 0) continue;
      const scales = this.scaleOf(this.quote) - this.scaleOf(root);
      const finer = powerOfTen(market.configuration.priceScale + scales);
      return roundedUp(times(fraction(2n * feeMinimum, BigInt(doubled)), finer));
    }
    return 0n;
  }

  private scaleOf(asset: number): number {
    return (this.assets[asset] as AssetConfiguration).scale;
  }
}

/** The most that goes with `factor` so that their product is within the units there are. */
function cofactor(factor: number): number {
  const most = MOST_UNITS / BigInt(factor);
  return Number(most < BigInt(Number.MAX_SAFE_INTEGER) ? most : BigInt(Number.MAX_SAFE_INTEGER));
}
