/**
 * The resting orders of one book. An order lives at an address that follows from its slot, in one
 * buffer seen as 32-bit words and as doubles:
 *
 *   word  0-1        2-3     4      5          6       7
 *        ┌──────────┬───────┬──────┬──────────┬───────┬───────┐
 *        │ quantity │ key   │ next │ previous │ owner │ level │
 *        └──────────┴───────┴──────┴──────────┴───────┴───────┘
 *
 * Links are addresses; 0 is none and no order's. Nothing rests in a slot whose quantity is 0.
 */

/**
 * Fields as indexes: quantity and key from the address as a double's, the others as a word's. Hot
 * modules take them apart into constants of their own, which the engine folds; imported ones it loads.
 */
export const ORDER_FIELDS = {
  QUANTITY: 0,
  KEY: 1,
  NEXT: 4,
  PREVIOUS: 5,
  OWNER: 6,
  LEVEL: 7,
  ORDER_SHIFT: 3,
} as const;

function addressOf(slot: number): number {
  return (slot + 1) << ORDER_SHIFT;
}

export function slotOf(address: number): number {
  return (address >> ORDER_SHIFT) - 1;
}

const { ORDER_SHIFT, QUANTITY } = ORDER_FIELDS;

export class OrderStore {
  words: Int32Array;
  /** The same buffer; a double's index is half its word's. */
  doubles: Float64Array;
  /** Slots below this have a place. */
  capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.words = new Int32Array((capacity + 1) << ORDER_SHIFT);
    this.doubles = new Float64Array(this.words.buffer);
  }

  isResting(slot: number): boolean {
    return this.doubles[(addressOf(slot) >> 1) + QUANTITY]! > 0;
  }

  /** Makes room for the slot and for as many again, so that growing costs little an order. */
  growTo(slot: number): void {
    if (!(slot >= 0 && slot < MAX_CAPACITY)) throw new RangeError(`slot ${slot} is out of range`);
    this.capacity = Math.min(2 * Math.max(slot, this.capacity, 1), MAX_CAPACITY);
    const words = new Int32Array((this.capacity + 1) << ORDER_SHIFT);
    words.set(this.words);
    this.words = words;
    this.doubles = new Float64Array(words.buffer);
  }
}

/** Addresses are 32-bit integers. */
const MAX_CAPACITY = 2 ** 28 - 2;
