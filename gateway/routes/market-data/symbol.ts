import { Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';

/** The market that a symbol names: a market id, where `spot.` may be left out. */
export function marketOfSymbol(reference: Reference, marketSymbol: string): MarketEntry | Refused {
  return (
    reference.marketOf(marketSymbol) ??
    reference.marketOf(`spot.${marketSymbol}`) ??
    refuse(Refusals.MarketUnknown, { field: 'marketSymbol', value: marketSymbol })
  );
}
