import { formatUnits } from '../../fixed-point/index.ts';
import { Refusals } from '../../messages/refusals.ts';
import { lesser } from '../charges.ts';
import { type Denial, deny } from '../denial.ts';
import type { Asset } from '../market.ts';
import type { Reservations } from '../reservations.ts';
import type { ClearingState } from '../state.ts';
import { collateralValue, levelOf, type MarginFigures, marginFiguresOf } from './account-margin.ts';
import { NO_ROW } from './exposures.ts';
import { propertyOf, worthOf } from './worth.ts';

/**
 * Root units of margin that an account may still commit: its free margin, less what is held as
 * collateral (that may leave at any moment) and what amends on their way to a book may need.
 */
function committable(
  state: ClearingState,
  reservations: Reservations,
  account: number,
  { freeMargin }: MarginFigures,
): bigint {
  const { ledger } = state;
  let held = ledger.held(ledger.find(account, state.rootAsset));
  for (const asset of state.collateral.of(account)) {
    held += collateralValue(state, asset, ledger.held(ledger.find(account, asset)));
  }
  return freeMargin - held - reservations.on(account);
}

/**
 * Whether `amount` of an asset may be held for something that takes it away (a withdrawal, a Spot
 * order): of an account that uses margin, or owes the venue root units, its collateral only as far as
 * that is free, and of one that owes, anything else only as far as the rest is worth what is owed.
 * `margin` holds the reservations of amends by account.
 */
export function checkLeaving(
  state: ClearingState,
  margin: Reservations,
  account: number,
  asset: Asset,
  amount: bigint,
): Denial | undefined {
  if (coversDebt(state, account, asset.index)) {
    const { total, held } = propertyOf(state, account);
    return checkFree(state, asset, worthOf(state, asset.index, amount), amount, total - held);
  }
  const figures = figuresToKeep(state, account, asset.index, amount);
  if (figures === undefined) return undefined;
  const value = collateralValue(state, asset.index, amount);
  return checkFree(state, asset, value, amount, committable(state, margin, account, figures));
}

/**
 * The same for an amount that has been held until now, and that is about to go: prices may have taken
 * what was free when it was asked for.
 */
export function checkHeldLeaving(
  state: ClearingState,
  margin: Reservations,
  account: number,
  asset: Asset,
  amount: bigint,
): Denial | undefined {
  if (coversDebt(state, account, asset.index)) {
    const { total } = propertyOf(state, account);
    return checkFree(state, asset, worthOf(state, asset.index, amount), amount, total);
  }
  const figures = figuresToKeep(state, account, asset.index, amount);
  if (figures === undefined) return undefined;
  const value = collateralValue(state, asset.index, amount);
  return checkFree(state, asset, value, amount, figures.freeMargin - margin.on(account));
}

/** Whether the account owes root units and the asset, no collateral of it, is what it could pay with. */
function coversDebt(
  { ledger, rootAsset, collateral }: ClearingState,
  account: number,
  asset: number,
) {
  if (asset === rootAsset || ledger.total(ledger.find(account, rootAsset)) >= 0n) return false;
  return !collateral.has(account, asset);
}

/** undefined where the asset is no collateral, or the account neither uses margin nor owes anything. */
function figuresToKeep(
  state: ClearingState,
  account: number,
  index: number,
  amount: bigint,
): MarginFigures | undefined {
  const { ledger, rootAsset, collateral, exposures } = state;
  const isRoot = index === rootAsset;
  if (amount === 0n || !(isRoot || collateral.has(account, index))) return undefined;
  const owes = !isRoot && ledger.total(ledger.find(account, rootAsset)) < 0n;
  if (!owes && exposures.firstOf(account) === NO_ROW) return undefined;
  const figures = marginFiguresOf(state, account);
  return owes || figures.usedMargin !== 0n ? figures : undefined;
}

function checkFree(
  state: ClearingState,
  { configuration }: Asset,
  value: bigint,
  amount: bigint,
  free: bigint,
): Denial | undefined {
  if (value <= free) return undefined;
  const rootScale = state.assets[state.rootAsset]?.configuration.scale ?? 0;
  return deny(
    Refusals.MarginNeeded,
    configuration.assetId,
    formatUnits(amount, configuration.scale),
    formatUnits(free > 0n ? free : 0n, rootScale),
  );
}

/** Levels of margin count in 10^-4. */
const LEVEL_SCALE = 4;

/**
 * Whether an account can take on `growth` root units of used margin and a commission: that must be
 * free, and the margin level neither is nor becomes lower than the margin call.
 */
export function checkMargin(
  state: ClearingState,
  reservations: Reservations,
  account: number,
  growth: bigint,
  commission: bigint,
): Denial | undefined {
  const figures = marginFiguresOf(state, account);
  const free = committable(state, reservations, account, figures);
  const needed = growth + commission;
  const root = state.assets[state.rootAsset]?.configuration;
  if (needed > free) {
    const scale = root?.scale ?? 0;
    const value = formatUnits(needed, scale);
    return deny(Refusals.InsufficientMargin, root?.assetId, value, formatUnits(free, scale));
  }
  const call = BigInt(state.marginSettings.marginCall);
  const before = figures.level ?? call;
  const after = levelOf(figures.equity - commission, figures.usedMargin + growth) ?? call;
  const lowest = lesser(before, after);
  if (lowest >= call) return undefined;
  return deny(
    Refusals.MarginCall,
    'marginLevel',
    formatUnits(lowest, LEVEL_SCALE),
    formatUnits(call, LEVEL_SCALE),
  );
}
