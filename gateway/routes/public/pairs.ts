import { Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';
import { guestMarkets, isGuestVisible } from '../guest/guest-markets.ts';

/** The Spot markets that anyone may see; of no other type are there pairs. */
export function publicMarkets(reference: Reference): MarketEntry[] {
  return guestMarkets(reference, undefined).filter(isSpot);
}

/** `BTC_USDT`: how public information names a market. */
export function pairOf({ configuration }: MarketEntry): string {
  return `${configuration.baseAssetId}_${configuration.quoteAssetId}`.toUpperCase();
}

/** The market of a pair, in capitals or not. */
export function marketOfPair(reference: Reference, instrument: string): MarketEntry | Refused {
  const market = reference.marketOf(`spot.${instrument.toLowerCase()}`);
  if (market !== undefined && isSpot(market) && isGuestVisible(market)) return market;
  return refuse(Refusals.MarketUnknown, { field: 'instrument', value: instrument });
}

/** `1` while the market takes no orders. */
export function isFrozen({ configuration }: MarketEntry): '0' | '1' {
  return configuration.status === 'Open' ? '0' : '1';
}

function isSpot({ configuration }: MarketEntry): boolean {
  return configuration.type === 'Spot';
}
