import type { LeverageProfile } from '../../../core/messages/configuration.ts';
import { ceiling, compare, type Exact, halfUp, type Rational, tenTo, times } from './rational.ts';

/** What amounts of one market mean: prices in ticks, quantities in 10^-amountScale lots. */
export interface MarketTerms {
  readonly priceScale: number;
  readonly amountScale: number;
  readonly lotSize: number;
  readonly quoteScale: number;
  readonly rootScale: number;
}

/** Base assets in `quantity`: lots × lot size. */
function baseAmount(terms: MarketTerms, quantity: Exact): Rational {
  return times(quantity, tenTo(-terms.amountScale), terms.lotSize);
}

/** Quote units of a price times a quantity, or of a sum of such products. */
export function worth(terms: MarketTerms, notional: Exact): Rational {
  const { priceScale, quoteScale } = terms;
  return times(baseAmount(terms, notional), tenTo(-priceScale), tenTo(quoteScale));
}

/** A rate as it is kept: 10^-12, to the nearest. */
export function fixedRate(rate: Exact): bigint {
  return halfUp(times(rate, tenTo(12)));
}

/** Root units of quote units, at a rate in 10^-12. */
export function inRoot(terms: MarketTerms, quoteUnits: Exact, rate: bigint): Rational {
  return times(quoteUnits, rate, tenTo(-12), tenTo(terms.rootScale - terms.quoteScale));
}

/** The most leverage at a net notional in root units. */
export function maxLeverage(profile: LeverageProfile, netNotionalInRoot: Exact): number {
  if (profile.leverageType === 'Fixed') return profile.maxLeverage;
  const size = compare(netNotionalInRoot, 0) < 0 ? times(-1, netNotionalInRoot) : netNotionalInRoot;
  for (const { maxLeverage: most, maxNotionalInRoot } of profile.tiers) {
    if (maxNotionalInRoot === null || compare(size, maxNotionalInRoot) <= 0) return most;
  }
  throw new RangeError('the last tier has an end');
}

/** Quote units that `quantity` at `price` takes as margin. */
export function initialMargin(
  terms: MarketTerms,
  price: Exact,
  quantity: Exact,
  leverage: number,
): bigint {
  return ceiling(times(worth(terms, times(price, quantity)), over1(leverage)));
}

function over1(leverage: number): Rational {
  return { above: 1n, below: BigInt(leverage) };
}
