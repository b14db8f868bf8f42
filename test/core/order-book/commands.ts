import { OrderBook } from '../../../core/order-book/index.ts';
import { NaiveBook } from '../../model/naive-book.ts';

/** A command to a book. What makes no sense where it stands (a slot in use or empty) is skipped. */
export type Command =
  | {
      readonly kind: 'place' | 'take' | 'fillOrKill';
      readonly slot: number;
      readonly side: number;
      readonly price: number;
      readonly quantity: number;
      readonly owner: number;
      readonly selfTrade: number;
    }
  | { readonly kind: 'cancel'; readonly slot: number }
  | { readonly kind: 'reduce'; readonly slot: number; readonly quantity: number }
  | {
      readonly kind: 'replace';
      readonly slot: number;
      readonly price: number;
      readonly quantity: number;
      readonly selfTrade: number;
    };

type Book = OrderBook | NaiveBook;

/** What a sink was told, flat: slot, price, quantity and remaining of a fill, or slot and three -1. */
class SinkLog {
  readonly entries: number[] = [];

  fill(makerSlot: number, price: number, quantity: number, makerRemaining: number): void {
    this.entries.push(makerSlot, price, quantity, makerRemaining);
  }

  selfTradeCancelled(makerSlot: number): void {
    this.entries.push(makerSlot, -1, -1, -1);
  }
}

const DEPTH = 5;
const VALIDATE_EVERY = 97;

/** The book and the naive book side by side. Throws on the first difference between them. */
export class BookPair {
  readonly naive: NaiveBook;
  private readonly book: OrderBook;
  private readonly log = new SinkLog();
  private readonly naiveLog = new SinkLog();
  private readonly depth = {
    count: 0,
    prices: new Float64Array(DEPTH),
    quantities: new Float64Array(DEPTH),
    orders: new Int32Array(DEPTH),
  };
  private readonly compareAllEvery: number;
  private applied = 0;

  /** Every command is compared by what it did; each `compareAllEvery`th by the whole book too. */
  constructor(compareAllEvery = VALIDATE_EVERY) {
    this.compareAllEvery = compareAllEvery;
    this.book = new OrderBook(this.log, 1);
    this.naive = new NaiveBook(this.naiveLog);
  }

  apply(command: Command): void {
    same('answer', run(this.book, command), run(this.naive, command));
    same('stopped', this.book.stoppedBySelfTrade, this.naive.stoppedBySelfTrade);
    sameNumbers('fills', this.log.entries, this.naiveLog.entries);
    this.log.entries.length = 0;
    this.naiveLog.entries.length = 0;
    same('best bid', this.book.bestBid, this.naive.bestBid);
    same('best ask', this.book.bestAsk, this.naive.bestAsk);
    same('orders', this.book.restingCount, this.naive.restingCount);
    this.compareSlot(command.slot);
    if (++this.applied % this.compareAllEvery === 0) this.compareAll();
  }

  compareAll(): void {
    this.book.validate();
    same('levels', this.book.levelCount, this.naive.levelCount);
    for (const side of [0, 1]) {
      this.book.depth(side, DEPTH, this.depth);
      const { count, prices, quantities, orders } = this.depth;
      const expected = this.naive.levels(side).slice(0, DEPTH);
      const found = Array.from({ length: count }, (_, i) => [prices[i], quantities[i], orders[i]]);
      sameNumbers('depth', found.flat() as number[], expected.flat());
    }
    const resting: number[] = [];
    this.book.forEachResting((...order) => resting.push(...order));
    const expected = this.naive
      .resting()
      .flatMap(({ slot, side, price, remaining, owner }) => [slot, side, price, remaining, owner]);
    sameNumbers('resting orders', resting, expected);
  }

  private compareSlot(slot: number): void {
    const order = this.naive.find(slot);
    same('remaining', this.book.remaining(slot), order?.remaining ?? 0);
    same('resting', this.book.isResting(slot), order !== undefined);
    if (order === undefined) return;
    same('side', this.book.sideOf(slot), order.side);
    same('price', this.book.priceOf(slot), order.price);
  }
}

/** What the command answered; NaN where it was skipped. */
function run(book: Book, command: Command): number {
  const resting =
    book instanceof OrderBook ? book.remaining(command.slot) : remaining(book, command);
  switch (command.kind) {
    case 'cancel':
      return book.cancel(command.slot);
    case 'reduce':
      if (resting === 0) return Number.NaN;
      book.reduce(command.slot, 1 + (command.quantity % resting));
      return 0;
    case 'replace':
      if (resting === 0) return Number.NaN;
      return book.replace(command.slot, command.price, command.quantity, command.selfTrade);
    default:
      return enter(book, command, resting);
  }
}

function enter(
  book: Book,
  command: Extract<Command, { readonly owner: number }>,
  resting: number,
): number {
  const { kind, slot, side, price, quantity, owner, selfTrade } = command;
  if (kind === 'take') return book.take(side, price, quantity, owner, selfTrade);
  if (kind === 'place') {
    if (resting !== 0) return Number.NaN;
    if (book.wouldCross(side, price)) {
      return book.place(slot, side, price, quantity, owner, selfTrade);
    }
    book.rest(slot, side, price, quantity, owner);
    return quantity;
  }
  const fillable = book.fillable(side, price, quantity, owner, selfTrade);
  if (fillable < quantity) return -fillable;
  return book.take(side, price, quantity, owner, selfTrade);
}

function remaining(book: NaiveBook, command: Command): number {
  return book.find(command.slot)?.remaining ?? 0;
}

function same<T>(what: string, found: T, expected: T): void {
  if (!Object.is(found, expected)) {
    throw new Error(`${what}: the book says ${found}, the model ${expected}`);
  }
}

function sameNumbers(what: string, found: readonly number[], expected: readonly number[]): void {
  const equal =
    found.length === expected.length && found.every((value, i) => value === expected[i]);
  if (!equal) throw new Error(`${what}: the book says [${found}], the model [${expected}]`);
}

/** A command as one line that can be pasted into a test. */
export function print(command: Command): string {
  return JSON.stringify(command);
}
