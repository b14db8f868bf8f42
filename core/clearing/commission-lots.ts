import { divide, MAX_UNITS, powerOfTen } from '../fixed-point/index.ts';
import { lesser } from './charges.ts';
import type { CommissionTerms } from './commissions.ts';
import type { ClearingState } from './state.ts';

/** Sizes by the lot count in 10^-8 of their asset. */
const SIZE_UNIT = 100_000_000n;

/**
 * Root units that the terms charge for a lot, rounded up, at the rate of this moment; undefined where
 * the asset that they are in has no rate to the root asset.
 */
export function perLotInRoot(
  state: ClearingState,
  { perLot, assetId }: CommissionTerms,
): bigint | undefined {
  if (perLot === 0) return 0n;
  const asset = assetId === null ? state.assets[state.rootAsset] : state.assetOf(assetId);
  if (asset === undefined) return undefined;
  const rate = state.rates.fixed(asset.index);
  if (rate === undefined) return undefined;
  const units = BigInt(perLot) * powerOfTen(asset.configuration.scale) * rate.numerator;
  const inRoot = divide(units, SIZE_UNIT * rate.denominator, 'ceiling');
  return lesser(inRoot, MAX_UNITS);
}
