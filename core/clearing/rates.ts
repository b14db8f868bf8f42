import { divide, MAX_UNITS, powerOfTen } from '../fixed-point/index.ts';
import type { Asset, Market } from './market.ts';

/** Units of one asset for units of another: `numerator / denominator`, exact. */
export interface Rate {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * What one of an asset is worth in the root asset: `rate` in 10^-12, rounded half up, and the same as a
 * fraction of units. Every amount is computed with the rounded rate, so that whoever has the rate can
 * compute it again. `rate` 0: there is none.
 */
export interface RootRate extends Rate {
  readonly rate: bigint;
}

/** Decimal places of a rate to the root asset. */
export const ROOT_RATE_SCALE = 12;

const PAR: RootRate = { rate: powerOfTen(ROOT_RATE_SCALE), numerator: 1n, denominator: 1n };
const NO_RATE: RootRate = { rate: 0n, numerator: 0n, denominator: 1n };

/** One market on the way from an asset to another; `forward`: from its base to its quote. */
interface Leg {
  readonly market: Market;
  readonly forward: boolean;
}

type Route = readonly Leg[];

interface Known {
  readonly routes: readonly Route[];
  /** The route that the rates below were computed by, and twice its prices then. */
  route: Route | undefined;
  first: number;
  second: number;
  exact: Rate;
  fixed: RootRate;
}

/** What rates are computed of. */
export interface RateSource {
  readonly assets: readonly Asset[];
  readonly markets: readonly Market[];
  readonly rootAsset: number;
}

/**
 * What every asset is worth in the root asset, by the venue's own Spot markets: at par for the root
 * itself, else by the market of the two in either direction, else by two markets through any third
 * asset; of several the first by market index. A market's price is the middle of its best prices or,
 * where a side is empty, its last trade; one that has neither is passed over.
 *
 * Answers are kept until a price on the way has changed.
 */
export class Rates {
  private readonly source: RateSource;
  private known: (Known | undefined)[] = [];

  constructor(source: RateSource) {
    this.source = source;
  }

  /** Assets or markets were configured: every way is looked for anew. */
  configured(): void {
    this.known = [];
  }

  /** Units of the root asset for units of `asset`, exact; undefined where there is no price. */
  exact(asset: number): Rate | undefined {
    if (asset === this.source.rootAsset) return PAR;
    const known = this.current(asset);
    return known.route === undefined ? undefined : known.exact;
  }

  /** The rounded rate; undefined where there is no price, or it is too small or too large for one. */
  fixed(asset: number): RootRate | undefined {
    if (asset === this.source.rootAsset) return PAR;
    const known = this.current(asset);
    return known.route === undefined || known.fixed.rate === 0n ? undefined : known.fixed;
  }

  /** The rate of a market's quote asset: the current one, else that of its last execution, else 0. */
  ofQuote(market: Market): RootRate {
    const fixed = this.fixed(market.quote.index);
    if (fixed !== undefined) return fixed;
    return this.at(market.quote.index, market.margin?.lastRate ?? 0n);
  }

  /** The fraction of units that goes with a rounded rate. */
  at(asset: number, rate: bigint): RootRate {
    if (asset === this.source.rootAsset) return PAR;
    return rootRate(rate, this.scaleOf(asset), this.scaleOf(this.source.rootAsset));
  }

  private scaleOf(asset: number): number {
    return this.source.assets[asset]?.configuration.scale ?? 0;
  }

  private current(asset: number): Known {
    let known = this.known[asset];
    if (known === undefined) {
      const routes = routesBetween(this.source.markets, asset, this.source.rootAsset);
      known = { routes, route: undefined, first: 0, second: 0, exact: PAR, fixed: NO_RATE };
      this.known[asset] = known;
    }
    for (const route of known.routes) {
      const first = doubledPrice(route[0]);
      const second = route.length === 1 ? 1 : doubledPrice(route[1]);
      if (first === 0 || second === 0) continue;
      if (known.route !== route || known.first !== first || known.second !== second) {
        known.route = route;
        known.first = first;
        known.second = second;
        known.exact = rateBy(route);
        known.fixed = this.rounded(asset, known.exact);
      }
      return known;
    }
    known.route = undefined;
    return known;
  }

  private rounded(asset: number, { numerator, denominator }: Rate): RootRate {
    const scale = this.scaleOf(asset);
    const rootScale = this.scaleOf(this.source.rootAsset);
    const rate = divide(
      numerator * powerOfTen(scale + ROOT_RATE_SCALE),
      denominator * powerOfTen(rootScale),
      'half-up',
    );
    return rate > MAX_UNITS ? NO_RATE : rootRate(rate, scale, rootScale);
  }
}

/** Units of an asset as root units, towards minus infinity: what is credited. */
export function inRootFloor(rate: RootRate, units: bigint): bigint {
  if (rate.denominator === 1n) return units * rate.numerator;
  return divide(units * rate.numerator, rate.denominator, 'floor');
}

/** Units of an asset as root units, towards plus infinity: what is charged or reserved. */
export function inRootCeiling(rate: RootRate, units: bigint): bigint {
  if (rate.denominator === 1n) return units * rate.numerator;
  return divide(units * rate.numerator, rate.denominator, 'ceiling');
}

function rootRate(rate: bigint, scale: number, rootScale: number): RootRate {
  if (rate === 0n) return NO_RATE;
  const excess = scale + ROOT_RATE_SCALE - rootScale;
  const numerator = excess < 0 ? rate * powerOfTen(-excess) : rate;
  return { rate, numerator, denominator: excess < 0 ? 1n : powerOfTen(excess) };
}

function routesBetween(markets: readonly Market[], from: number, to: number): Route[] {
  const spot = markets.filter((market) => market.configuration.type === 'Spot');
  const direct = spot.map((market) => legBetween(market, from, to));
  const routes: Route[] = direct.filter((leg) => leg !== undefined).map((leg) => [leg]);
  for (const market of spot) {
    const isBase = market.base.index === from;
    if (!isBase && market.quote.index !== from) continue;
    const through = isBase ? market.quote.index : market.base.index;
    for (const other of spot) {
      const second = legBetween(other, through, to);
      if (through !== to && second !== undefined) {
        routes.push([{ market, forward: isBase }, second]);
      }
    }
  }
  return routes;
}

function legBetween(market: Market, from: number, to: number): Leg | undefined {
  if (market.base.index === from && market.quote.index === to) return { market, forward: true };
  if (market.base.index === to && market.quote.index === from) return { market, forward: false };
  return undefined;
}

/** Twice the price of a leg in ticks, an integer also for the middle of two; 0 for none. */
function doubledPrice(leg: Leg | undefined): number {
  if (leg === undefined) return 0;
  const { bestBid, bestAsk, lastPrice } = leg.market;
  return bestBid > 0 && bestAsk > 0 ? bestBid + bestAsk : 2 * lastPrice;
}

function rateBy(route: Route): Rate {
  let numerator = 1n;
  let denominator = 1n;
  for (const leg of route) {
    const { configuration, base, quote } = leg.market;
    const quoteUnits = BigInt(doubledPrice(leg)) * powerOfTen(quote.configuration.scale);
    const baseUnits = 2n * powerOfTen(configuration.priceScale + base.configuration.scale);
    numerator *= leg.forward ? quoteUnits : baseUnits;
    denominator *= leg.forward ? baseUnits : quoteUnits;
  }
  return { numerator, denominator };
}
