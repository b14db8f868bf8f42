import type { LeverageProfile } from '../../../core/messages/configuration.ts';
import { Side } from '../../../core/messages/enums.ts';
import { type NaivePosition, netOf, profitOf } from './positions.ts';
import { ceiling, compare, floor, over, times, ZERO } from './rational.ts';
import { inRoot, type MarketTerms, maxLeverage, worth } from './terms.ts';

/** The open orders of one side of an exposure; those that close a position by its id left out. */
export interface Pending {
  readonly quantity: bigint;
  /** Quote units. */
  readonly margin: bigint;
}

/** One account in one market. */
export interface NaiveExposure {
  readonly terms: MarketTerms;
  readonly profile: LeverageProfile;
  readonly netting: boolean;
  readonly positions: readonly NaivePosition[];
  readonly buys: Pending;
  readonly sells: Pending;
  /** Root for quote, 10^-12. */
  readonly rate: bigint;
  /** At which a long and a short are valued, ticks; 0 for none: they count as at their entry. */
  readonly longPrice: bigint;
  readonly shortPrice: bigint;
}

export interface Collateral {
  readonly total: bigint;
  readonly scale: number;
  /** 10^-4. */
  readonly marginRatio: number;
  /** Root for the asset, 10^-12; undefined where there is none: it counts nothing. */
  readonly rate: bigint | undefined;
}

export interface NaiveMargin {
  readonly balance: bigint;
  readonly unrealized: bigint;
  readonly equity: bigint;
  readonly used: bigint;
  readonly free: bigint;
  /** 10^-4; null where no margin is used. */
  readonly level: bigint | null;
}

const largest = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Quote units that orders reserve: only for what they could open. */
function orderMargin({ netting, positions, buys, sells }: NaiveExposure): bigint {
  const net = netting ? netOf(positions).quantity : 0n;
  const share = ({ quantity, margin }: Pending, opposite: bigint) => {
    const excess = largest(0n, quantity - largest(0n, opposite));
    return quantity === 0n ? 0n : ceiling(over(times(margin, excess), quantity));
  };
  return share(buys, -net) + share(sells, net);
}

/** Quote units that positions take: what they were opened with, or what the tier now asks for. */
function positionMargin(exposure: NaiveExposure): bigint {
  const { terms, profile, positions, rate } = exposure;
  const opened = positions.reduce((sum, { margin }) => sum + margin, 0n);
  const notional = positions.reduce((sum, { openNotional }) => sum + openNotional, 0n);
  const net = inRoot(terms, worth(terms, netOf(positions).openNotional), rate);
  const least = ceiling(over(worth(terms, notional), maxLeverage(profile, net)));
  return largest(opened, least);
}

/** Root units of margin that an exposure uses. */
function usedMargin(exposure: NaiveExposure): bigint {
  const { terms, rate } = exposure;
  return (
    ceiling(inRoot(terms, positionMargin(exposure), rate)) +
    ceiling(inRoot(terms, orderMargin(exposure), rate))
  );
}

/** Root units that the exposure has won or lost at the prices that value it. */
function unrealizedOf(exposure: NaiveExposure): bigint {
  const { terms, positions, rate, longPrice, shortPrice } = exposure;
  const profit = positions.reduce((sum, { side, quantity, openNotional }) => {
    const price = side === Side.Buy ? longPrice : shortPrice;
    if (price === 0n) return sum;
    return sum + (side === Side.Buy ? 1n : -1n) * (price * quantity - openNotional);
  }, 0n);
  return floor(inRoot(terms, floor(worth(terms, profit)), rate));
}

/** Root units that one asset counts as collateral. */
export function collateralOf(collateral: Collateral, rootScale: number): bigint {
  const { total, scale, marginRatio, rate } = collateral;
  if (rate === undefined) return 0n;
  const units = times(total, rate, { above: 1n, below: 10n ** 12n });
  const inRootUnits =
    rootScale >= scale
      ? times(units, 10n ** BigInt(rootScale - scale))
      : over(units, 10n ** BigInt(scale - rootScale));
  return floor(times(inRootUnits, { above: BigInt(marginRatio), below: 10_000n }));
}

export function marginOf(
  collaterals: readonly Collateral[],
  rootScale: number,
  exposures: readonly NaiveExposure[],
): NaiveMargin {
  const balance = collaterals.reduce((sum, each) => sum + collateralOf(each, rootScale), 0n);
  const unrealized = exposures.reduce((sum, each) => sum + unrealizedOf(each), 0n);
  const used = exposures.reduce((sum, each) => sum + usedMargin(each), 0n);
  const equity = balance + unrealized;
  return {
    balance,
    unrealized,
    equity,
    used,
    free: equity - used,
    level: used === 0n ? null : floor(over(times(equity, 10_000), used)),
  };
}

/** The order in which an account's positions are stopped out: the largest loss goes first. */
export function stopOutOrder(
  positions: readonly {
    readonly position: NaivePosition;
    readonly exposure: NaiveExposure;
    readonly inSession: boolean;
  }[],
): number[] {
  return positions
    .filter(({ inSession }) => inSession)
    .map(({ position, exposure }) => {
      const { terms, rate, longPrice, shortPrice } = exposure;
      const price = position.side === Side.Buy ? longPrice : shortPrice;
      const profit = price === 0n ? ZERO : profitOf(terms, position.side, price, position);
      return {
        id: position.id,
        profit: inRoot(terms, profit, rate),
        margin: inRoot(terms, position.margin, rate),
        openedAt: position.openedAt,
      };
    })
    .sort(
      (a, b) =>
        compare(a.profit, b.profit) ||
        compare(b.margin, a.margin) ||
        a.openedAt - b.openedAt ||
        a.id - b.id,
    )
    .map(({ id }) => id);
}
