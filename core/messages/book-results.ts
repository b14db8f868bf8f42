import { layout, type RecordOf } from './record.ts';

/**
 * Market worker → clearing. Each command answers with its fills, if any, and then one outcome; a
 * parked order that tries again, with its fills and then a Retried.
 */

/** A trade at the maker's price. */
export const Fill = layout('Fill', 1, {
  market: 'u32',
  maker: 'u32',
  taker: 'u32',
  price: 'f64',
  quantity: 'f64',
});
export type Fill = RecordOf<typeof Fill>;

/** A resting order of the taker's own owner was taken off instead of trading. */
export const MakerRemoved = layout('MakerRemoved', 2, { market: 'u32', slot: 'u32' });
export type MakerRemoved = RecordOf<typeof MakerRemoved>;

/** An amend took effect, before any fill that follows from it. */
export const OrderReplaced = layout('OrderReplaced', 5, {
  market: 'u32',
  slot: 'u32',
  keptPriority: 'u8',
  priority: 'f64',
  limit: 'f64',
  remaining: 'f64',
});
export type OrderReplaced = RecordOf<typeof OrderReplaced>;

/** How a command ended. */
export const Disposition = {
  /** The rest of the order rests in the book. */
  Resting: 0,
  Filled: 1,
  /** The rest was cancelled: nothing more to take at its limit, or all-or-nothing was not possible. */
  Killed: 2,
  /** The rest waits for the book to change (Retry). */
  Parked: 3,
  /** A post-only order that would have taken. */
  WouldTake: 4,
  /** The rest was cancelled because the next maker was of the same account. */
  SelfTrade: 5,
  Removed: 6,
  /** Remove or replace named an order that does not rest any more. */
  NotResting: 7,
  /** A replace was computed against a remaining quantity that has traded since. */
  Outdated: 8,
  /** The book of the market is there. */
  Opened: 9,
} as const;

const outcome = {
  ticket: 'f64',
  orderId: 'f64',
  market: 'u32',
  slot: 'u32',
  /** The kind of the command that this ends (book-commands.ts). */
  command: 'u16',
  disposition: 'u8',
  cause: 'u8',
  remaining: 'f64',
  /** The best prices in ticks after the command; 0 where a side is empty. */
  bestBid: 'f64',
  bestAsk: 'f64',
} as const;

export const Outcome = layout('Outcome', 3, outcome);
export type Outcome = RecordOf<typeof Outcome>;

/**
 * What came of a parked order that tried again: the fields of its submission's outcome, with ticket
 * 0. No command of clearing's ends with it.
 */
export const Retried = layout('Retried', 6, outcome);

/** Aggregated levels, best first: `levels` holds f64 pairs price, quantity; bids, then asks. */
export const Depth = layout('Depth', 4, {
  ticket: 'f64',
  market: 'u32',
  bids: 'u32',
  asks: 'u32',
  levels: 'bytes',
});
export type Depth = RecordOf<typeof Depth>;
