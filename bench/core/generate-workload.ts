import { Operation, RECORD, type Workload } from './workload-file.ts';

const MIDDLE = 1_000_000;
/** Resting orders stand this near to the middle, or this far, half of them each. */
const NEAR = 300;
const FAR = 11_000;
const ACCOUNTS = 1_000;

export interface WorkloadSize {
  readonly resting: number;
  readonly commands: number;
  readonly seed?: number;
}

/**
 * A mixed flow that keeps a book about its size: of a hundred commands 85 place an order that rests or
 * cancel one, 12 are immediate limits near the best price and 3 are market orders. Orders that rest
 * never cross, so no matching is needed to make them; a cancel may name an order that has traded.
 */
export function generateWorkload({ resting, commands, seed = 1 }: WorkloadSize): Workload {
  const writer = new WorkloadWriter(resting, resting + commands, seed);
  for (let order = 0; order < resting; order++) writer.placeResting();
  for (let command = 0; command < commands; command++) writer.command();
  return {
    words: writer.words,
    prefillCount: resting,
    commandCount: commands,
    orderIdLimit: writer.lastOrderId + 1,
    fileIds: undefined,
  };
}

class WorkloadWriter {
  readonly words: Int32Array;
  lastOrderId = 0;
  private readonly live: number[] = [];
  private readonly target: number;
  private record = 0;
  private state: number;

  constructor(target: number, records: number, seed: number) {
    this.target = target;
    this.words = new Int32Array(records * RECORD.WORDS);
    this.state = seed;
  }

  command(): void {
    const kind = this.below(100);
    if (kind < 85) this.placeOrCancel();
    else if (kind < 97) this.take(Operation.Ioc, this.below(20));
    else this.take(Operation.Market, 0);
  }

  placeResting(): void {
    const side = this.below(2);
    const distance = 1 + this.below(this.below(2) === 0 ? NEAR : FAR);
    const price = side === 0 ? MIDDLE - distance : MIDDLE + distance;
    const id = ++this.lastOrderId;
    this.live.push(id);
    this.write(Operation.Gtc, side, 1 + this.below(100), price, id);
  }

  /** Three times of four whatever brings the number of orders back to what it should be. */
  private placeOrCancel(): void {
    const isShort = this.live.length <= this.target;
    if (isShort === this.below(4) > 0) this.placeResting();
    else this.cancel();
  }

  private cancel(): void {
    const { live } = this;
    const last = live.pop();
    if (last === undefined) return this.placeResting();
    const at = this.below(live.length + 1);
    const id = live[at] ?? last;
    if (at < live.length) live[at] = last;
    this.write(Operation.Cancel, 0, 0, 0, id);
  }

  private take(operation: number, reach: number): void {
    const side = this.below(2);
    const bound = side === 0 ? MIDDLE + reach : MIDDLE - reach;
    const price = operation === Operation.Market ? 0 : bound;
    this.write(operation, side, 1 + this.below(20), price, ++this.lastOrderId);
  }

  private write(operation: number, side: number, quantity: number, price: number, id: number) {
    const at = this.record++ * RECORD.WORDS;
    this.words[at] = operation | (side << 8);
    this.words[at + RECORD.QUANTITY] = quantity;
    this.words[at + RECORD.PRICE] = price;
    this.words[at + RECORD.ORDER_ID] = id;
    this.words[at + RECORD.ACCOUNT] = 1 + this.below(ACCOUNTS);
  }

  /** A xorshift generator: the same seed gives the same flow everywhere. */
  private below(bound: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % bound;
  }
}
