import { divide, powerOfTen } from '../../fixed-point/index.ts';
import { greater } from '../charges.ts';
import type { Market } from '../market.ts';
import { ROOT_RATE_SCALE, type RootRate } from '../rates.ts';
import type { ClearingState } from '../state.ts';

/** Commission rates and charges a lot count in 10^-8. */
const RATE_UNIT = 100_000_000n;

/** The commission terms of an order on margin, frozen when it was admitted. */
export interface MarginFee {
  /** A fraction of notional in 10^-8. */
  readonly rate: number;
  /** Root units a lot. */
  readonly perLot: bigint;
  /** Root units that an order with any fill pays at least. */
  readonly minimum: bigint;
}

/** What an order admitted now is charged; undefined where what it is charged in has no rate. */
export function marginFeeOf(
  state: ClearingState,
  market: Market,
  account: number,
): MarginFee | undefined {
  const { rate, perLot, assetId, minimum } = state.commissions.termsOf(market, account);
  if (perLot === 0) return { rate, perLot: 0n, minimum };
  const asset = assetId === null ? state.assets[state.rootAsset] : state.assetOf(assetId);
  const root = state.assets[state.rootAsset];
  const toRoot = asset === undefined ? undefined : state.rates.fixed(asset.index);
  if (root === undefined || toRoot === undefined) return undefined;
  const units = divide(
    BigInt(perLot) * toRoot.rate * powerOfTen(root.configuration.scale),
    RATE_UNIT * powerOfTen(ROOT_RATE_SCALE),
    'ceiling',
  );
  return { rate, perLot: units, minimum };
}

/**
 * Root units that a fill comes to before any minimum, rounded up once: notional × fee rate × rate to
 * root + lots × charge a lot.
 */
export function commissionOf(
  market: Market,
  rate: RootRate,
  notional: bigint,
  quantity: number,
  feeRate: bigint,
  feePerLot: bigint,
): bigint {
  const { numerator, denominator } = market.scale;
  const lots = powerOfTen(market.configuration.amountScale);
  const below = denominator * rate.denominator * RATE_UNIT;
  let above = notional * numerator * rate.numerator * feeRate;
  if (feePerLot === 0n) return divide(above, below, 'ceiling');
  above = above * lots + BigInt(quantity) * feePerLot * below;
  return divide(above, below * lots, 'ceiling');
}

/** Root units that an order would be charged if all of it were filled at once for `notional`. */
export function commissionAt(
  state: ClearingState,
  market: Market,
  notional: bigint,
  quantity: number,
  fee: MarginFee,
): bigint {
  const rate = state.rates.ofQuote(market);
  const due = commissionOf(market, rate, notional, quantity, BigInt(fee.rate), fee.perLot);
  return greater(due, fee.minimum);
}
