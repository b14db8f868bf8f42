import { Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';
import type { MarketEntry, Reference } from '../../venue/reference.ts';

/** `{base}_{quote}`: what a Spot market is called here. */
export function instrumentOf({ configuration }: MarketEntry): string {
  return `${configuration.baseAssetId}_${configuration.quoteAssetId}`;
}

/** Indexes of the Spot markets that a history is asked of: the one named, hidden or not, or all. */
export function marketsOf(
  reference: Reference,
  instrument: string | undefined,
): readonly number[] | Refused {
  if (instrument === undefined) {
    const spot = reference.markets.filter(({ configuration }) => configuration.type === 'Spot');
    return spot.map(({ index }) => index);
  }
  const market = reference.marketOf(`spot.${instrument}`);
  if (market === undefined) {
    return refuse(Refusals.MarketUnknown, { field: 'market', value: instrument });
  }
  return [market.index];
}
