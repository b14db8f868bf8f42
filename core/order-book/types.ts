/** Sides, as they travel in records. */
export const Buy = 0;
export const Sell = 1;

/**
 * What happens when the next maker belongs to the taker's own owner. As they travel in records.
 * - `None`: they trade
 * - `ExpireTaker`: the taker stops; what is left of it neither matches on nor rests
 * - `ExpireMaker`: the maker is taken off the book and the taker matches on
 * - `ExpireBoth`: the maker is taken off the book and the taker stops
 */
export const SelfTrade = { None: 0, ExpireTaker: 1, ExpireMaker: 2, ExpireBoth: 3 } as const;

/** The limits of `take` that any price satisfies. */
export const ANY_BUY_LIMIT = Number.MAX_SAFE_INTEGER;
export const ANY_SELL_LIMIT = 0;

/** Called while a command matches, in the order of the trades. Must not call the book. */
export interface FillSink {
  /**
   * `quantity` traded at the maker's `price`, in ticks. At `makerRemaining` 0 the maker has left the
   * book and its slot is free.
   */
  fill(makerSlot: number, price: number, quantity: number, makerRemaining: number): void;
  /** The maker was taken off the book instead of trading with its own owner: its slot is free. */
  selfTradeCancelled(makerSlot: number): void;
}

/** One side's aggregated levels, best first; the caller keeps and reuses it. */
export interface DepthLevels {
  count: number;
  /** In ticks. */
  readonly prices: Float64Array;
  /** Sums of what rests at each price; a sum beyond 2^53 - 1 reads as 2^53 - 1. */
  readonly quantities: Float64Array;
  readonly orders: Int32Array;
}

/** An order as `forEachResting` shows it. */
export type RestingVisitor = (
  slot: number,
  side: number,
  price: number,
  quantity: number,
  owner: number,
) => void;
