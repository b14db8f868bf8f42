import type { SideName } from '../../core/messages/enums.ts';

/** How far each level stands from the middle, in 10^-6 of it, and what it is worth in root assets. */
const LEVELS = [
  { offsetPpm: 400n, worth: 4_000n },
  { offsetPpm: 900n, worth: 8_000n },
  { offsetPpm: 1600n, worth: 15_000n },
  { offsetPpm: 2600n, worth: 25_000n },
  { offsetPpm: 4000n, worth: 40_000n },
] as const;

/**
 * A quote this near to where it belongs stays: it keeps its priority and the bots keep quiet. Less
 * than half the spread, so that what stays and what moves never cross.
 */
const TOLERANCE_PPM = 300n;
const MILLION = 1_000_000n;

/** A place on the ladder: `Buy0` is the best bid. */
export type Slot = `${SideName}${number}`;

/** Where a quote belongs: its price in ticks, and what it is worth in whole root units. */
export interface Quote {
  readonly slot: Slot;
  readonly side: SideName;
  readonly price: bigint;
  readonly worth: bigint;
}

/** A quote that rests in the book. */
export interface RestingQuote {
  readonly orderId: string;
  readonly price: bigint;
}

export type QuoteChange =
  | { readonly type: 'place'; readonly quote: Quote }
  | { readonly type: 'amend'; readonly orderId: string; readonly quote: Quote };

/**
 * The quotes around a middle price in ticks: bids below it and asks above, each level worse than the
 * one before. Levels that would need a price below one tick are left out.
 */
export function quoteLadder(mid: bigint): Quote[] {
  return LEVELS.flatMap(({ offsetPpm, worth }, level) => {
    const apart = atLeast((mid * offsetPpm) / MILLION, BigInt(level) + 1n);
    const quotes: Quote[] = [
      { slot: `Buy${level}`, side: 'Buy', price: mid - apart, worth },
      { slot: `Sell${level}`, side: 'Sell', price: mid + apart, worth },
    ];
    return quotes.filter(({ price }) => price > 0n);
  });
}

/**
 * What to change so that the resting quotes follow the ladder. In this order no moment shows a book
 * that crosses itself: first what retreats from the middle, then what advances, then what is new.
 */
export function planChanges(
  ladder: readonly Quote[],
  resting: ReadonlyMap<Slot, RestingQuote>,
): QuoteChange[] {
  const retreats: QuoteChange[] = [];
  const advances: QuoteChange[] = [];
  const placements: QuoteChange[] = [];
  for (const quote of ladder) {
    const kept = resting.get(quote.slot);
    if (kept === undefined) placements.push({ type: 'place', quote });
    else if (!isNear(kept.price, quote.price)) {
      const retreatsFromMiddle = (quote.side === 'Buy') === quote.price < kept.price;
      const change: QuoteChange = { type: 'amend', orderId: kept.orderId, quote };
      (retreatsFromMiddle ? retreats : advances).push(change);
    }
  }
  return [...retreats, ...advances, ...placements];
}

function isNear(price: bigint, target: bigint): boolean {
  const apart = price < target ? target - price : price - target;
  return apart * MILLION <= target * TOLERANCE_PPM;
}

function atLeast(value: bigint, least: bigint): bigint {
  return value < least ? least : value;
}
