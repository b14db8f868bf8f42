import { ceiling, lesser, over, plus, type Rational, rational, tenTo, times } from './rational.ts';
import { inRoot, type MarketTerms, worth } from './terms.ts';

export interface CommissionTerms {
  /** Of notional, 10^-8. */
  readonly feeRate: number;
  /** Root units a lot. */
  readonly feePerLot: bigint;
  /** Root units an order with any fill. */
  readonly feeMinimum: bigint;
}

/** Root units that one fill comes to, before any minimum. */
export function commissionOf(
  terms: MarketTerms,
  fee: CommissionTerms,
  price: bigint,
  quantity: bigint,
  rate: bigint,
): bigint {
  const percent = times(worth(terms, price * quantity), fee.feeRate, tenTo(-8));
  const perLot = times(fee.feePerLot, quantity, tenTo(-terms.amountScale));
  return ceiling(plus(inRoot(terms, percent, rate), perLot));
}

/** What a fill is charged: the order’s fills so far come to `accrued`, it has paid `charged`. */
export function chargeOf(accrued: bigint, minimum: bigint, charged: bigint): bigint {
  const due = accrued > minimum ? accrued : minimum;
  return due - charged;
}

export interface Purse {
  readonly asset: number;
  readonly scale: number;
  /** Total less held. */
  readonly available: bigint;
  readonly total: bigint;
  readonly isRoot: boolean;
  readonly selected: boolean;
  readonly marginRatio: number;
  /** Root for the asset, 10^-12. */
  readonly rate: bigint | undefined;
}

export interface Deduction {
  readonly asset: number;
  readonly amount: bigint;
  readonly amountInRoot: bigint;
}

/**
 * Who pays a commission in root units: the root asset as far as it is available, then collateral by
 * ratio and size, and what is still missing the root asset again, which then is below zero.
 */
export function deduct(commission: bigint, purses: readonly Purse[], rootScale: number) {
  const root = purses.find(({ isRoot }) => isRoot);
  if (root === undefined) throw new RangeError('no root asset');
  const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
  const positive = root.available > 0n ? root.available : 0n;
  let fromRoot = least(commission, positive);
  let missing = commission - fromRoot;
  const inRootOf = (purse: Purse, amount: bigint): Rational =>
    times(amount, purse.rate ?? 0n, tenTo(-12), tenTo(rootScale - purse.scale));
  const others = purses
    .filter((purse) => !purse.isRoot && purse.selected && purse.marginRatio > 0)
    .filter(({ rate, available }) => rate !== undefined && available > 0n)
    .sort((a, b) => {
      if (a.marginRatio !== b.marginRatio) return b.marginRatio - a.marginRatio;
      const [left, right] = [inRootOf(a, a.total), inRootOf(b, b.total)];
      const difference = left.above * right.below - right.above * left.below;
      return difference > 0n ? -1 : difference < 0n ? 1 : a.asset - b.asset;
    });
  const deductions: Deduction[] = [];
  for (const purse of others) {
    if (missing === 0n) break;
    const whole = ceiling(over(missing, inRootOf(purse, 1n)));
    const amount = ceiling(lesser(rational(whole), rational(purse.available)));
    const worthOfAll = inRootOf(purse, amount);
    const covered = whole <= purse.available ? missing : worthOfAll.above / worthOfAll.below;
    if (covered === 0n) continue;
    deductions.push({ asset: purse.asset, amount, amountInRoot: covered });
    missing -= covered;
  }
  fromRoot += missing;
  return { fromRoot, deductions };
}
