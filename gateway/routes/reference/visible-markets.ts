import type { CommissionGroup } from '../../../core/messages/commissions.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';

/** A disabled market is hidden as well: no list has either, they read as ones that do not exist. */
export function isVisible({ configuration }: MarketEntry): boolean {
  return configuration.status !== 'Disabled' && configuration.hidden !== true;
}

/**
 * The markets that traders see, by display name; of them, where they are given, those among `members`.
 * Of a commission group that is named, only its own.
 */
export function visibleMarkets(
  { markets, commissions }: Reference,
  members: ReadonlySet<string> | undefined,
  commissionGroupId?: string,
): MarketEntry[] {
  const isMember = ({ index, configuration }: MarketEntry) =>
    (members?.has(configuration.marketId) ?? true) &&
    (commissionGroupId === undefined || isInGroup(commissions.groupOf(index), commissionGroupId));
  return markets.filter((market) => isVisible(market) && isMember(market)).sort(byDisplayName);
}

/** The market of this id as traders see it; `field` names it in the refusal. */
export function visibleMarket(
  reference: Reference,
  marketId: string,
  field: string,
): MarketEntry | Refused {
  const market = reference.marketOf(marketId);
  if (market !== undefined && isVisible(market)) return market;
  return refuse(Refusals.MarketUnknown, { field, value: marketId });
}

function isInGroup(group: CommissionGroup | undefined, groupId: string): boolean {
  return group !== undefined && String(group.groupId) === groupId;
}

function byDisplayName(a: MarketEntry, b: MarketEntry): number {
  const left = a.configuration.displayName;
  const right = b.configuration.displayName;
  if (left !== right) return left < right ? -1 : 1;
  return a.index - b.index;
}
