import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';
import { isVisible, visibleMarkets } from '../reference/visible-markets.ts';

/** Guests see what traders see, as far as it is configured well enough to trade at all. */
export function isGuestVisible(market: MarketEntry): boolean {
  return isVisible(market) && isWellConfigured(market);
}

/** The markets that guests see, by display name; those among `members`, where they are given. */
export function guestMarkets(
  reference: Reference,
  members: ReadonlySet<string> | undefined,
): MarketEntry[] {
  return visibleMarkets(reference, members).filter(isWellConfigured);
}

/** The market if guests see it, else the refusal of one that does not exist. */
export function forGuests(
  market: MarketEntry | undefined | Refused,
  field: string,
  value: string,
): MarketEntry | Refused {
  if (market instanceof Refused) return market;
  if (market !== undefined && isGuestVisible(market)) return market;
  return refuse(Refusals.MarketUnknown, { field, value });
}

/** Clearing admits only configurations that fit together; what it cannot tell is whether a calendar ever opens. */
function isWellConfigured({ configuration: { calendar } }: MarketEntry): boolean {
  if (calendar === null) return true;
  const days = [...calendar.tradingSessions, ...calendar.sessionOverrides];
  return days.some(({ timeIntervals }) => timeIntervals !== null && timeIntervals.length > 0);
}
