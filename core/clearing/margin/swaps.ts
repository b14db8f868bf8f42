import { divide, powerOfTen } from '../../fixed-point/index.ts';
import type { SwapTypeName } from '../../messages/enums.ts';
import type { NotionalScale } from '../charges.ts';
import type { Rate } from '../rates.ts';

/** Sizes of swaps count in 10^-8. */
const SIZE_UNIT = 100_000_000n;

/** What a night costs one side of a market at one end of day. */
export interface SwapTerms {
  readonly type: SwapTypeName;
  /** 10^-8 of a fraction, a tick or an asset; positive is a charge, negative a rebate. */
  readonly size: number;
  /** How many nights the end of day stands for. */
  readonly nights: number;
  /** Twice the price at the end of the day in ticks; of Percent alone. */
  readonly doubledPrice: number;
  /** Ticks × steps → quote units. */
  readonly scale: NotionalScale;
  /** Decimals of a lot step: 10^lotScale steps are a lot. */
  readonly lotScale: number;
  /** Root units for one quote unit; for FixPerLot for one whole asset that the size counts. */
  readonly rate: Rate;
}

/**
 * What the account of a position gets at the end of a day in root units, negative for what it is
 * charged: a charge is rounded up, a rebate down.
 *
 * - Percent: size of the position's notional a night
 * - Points: size in ticks on the whole position a night
 * - FixPerLot: size for each lot a night
 */
export function swapAmount(quantity: number, terms: SwapTerms): bigint {
  const { scale, rate } = terms;
  const nightly = BigInt(quantity) * BigInt(terms.size) * BigInt(terms.nights);
  switch (terms.type) {
    case 'Percent': {
      const numerator = nightly * BigInt(terms.doubledPrice) * scale.numerator * rate.numerator;
      return credited(numerator, 2n * SIZE_UNIT * scale.denominator * rate.denominator);
    }
    case 'Points': {
      const numerator = nightly * scale.numerator * rate.numerator;
      return credited(numerator, SIZE_UNIT * scale.denominator * rate.denominator);
    }
    case 'FixPerLot': {
      const denominator = SIZE_UNIT * powerOfTen(terms.lotScale) * rate.denominator;
      return credited(nightly * rate.numerator, denominator);
    }
  }
}

function credited(charge: bigint, denominator: bigint): bigint {
  return divide(-charge, denominator, 'floor');
}
