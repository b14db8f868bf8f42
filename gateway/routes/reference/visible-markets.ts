import { Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';

/** A disabled market is hidden as well: no list has either, they read as ones that do not exist. */
export function isVisible({ configuration }: MarketEntry): boolean {
  return configuration.status !== 'Disabled' && configuration.hidden !== true;
}

/**
 * The markets that traders see, by display name; of them, where they are given, those among `members`.
 * Markets are in no commission group: naming one leaves nothing.
 */
export function visibleMarkets(
  { markets }: Reference,
  members: ReadonlySet<string> | undefined,
  commissionGroupId?: string,
): MarketEntry[] {
  if (commissionGroupId !== undefined) return [];
  const isMember = ({ configuration }: MarketEntry) => members?.has(configuration.marketId) ?? true;
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

function byDisplayName(a: MarketEntry, b: MarketEntry): number {
  const left = a.configuration.displayName;
  const right = b.configuration.displayName;
  if (left !== right) return left < right ? -1 : 1;
  return a.index - b.index;
}
