import {
  ANY_BUY_LIMIT,
  ANY_SELL_LIMIT,
  type FillSink,
  OrderBook,
  SelfTrade,
} from '../../core/order-book/index.ts';
import { Operation, RECORD, type Workload, wideAt } from './workload-file.ts';

const { Gtc: GTC, Ioc: IOC, Market: MARKET, Cancel: CANCEL } = Operation;
const { WORDS, QUANTITY, PRICE, ORDER_ID, ACCOUNT } = RECORD;
const { None: NO_PREVENTION } = SelfTrade;
/** By side. */
const ANY_LIMIT = [ANY_BUY_LIMIT, ANY_SELL_LIMIT];
const NOTIONAL_MODULUS = 2 ** 53;

/** The figures by which two engines are shown to have done the same on a workload. */
export interface ReplayChecksums {
  readonly fills: number;
  readonly fillQuantity: number;
  /** Σ price x quantity modulo 2^53. */
  readonly fillNotionalMod: number;
  /** FNV-like, over maker ids and quantities in the order of the fills. */
  readonly fillHash: number;
  readonly resting: number;
}

/** What a venue needs around a book to replay a workload: slots for order ids, and the checksums. */
export class ReplayVenue implements FillSink {
  readonly book: OrderBook;
  /** Slot + 1 of the order that rests under an id; 0 for none. */
  private readonly slots: Int32Array;
  private readonly fileIds: Uint32Array | undefined;
  private orderIds = new Int32Array(0);
  private freeSlots = new Int32Array(0);
  private freeCount = 0;

  private fills = 0;
  private fillQuantity = 0;
  private notional = 0;
  private hash = 0x811c9dc5 | 0;

  constructor(workload: Workload) {
    this.book = new OrderBook(this);
    // Filled to have its memory before the clock runs.
    this.slots = new Int32Array(workload.orderIdLimit).fill(0);
    this.fileIds = workload.fileIds;
  }

  get checksums(): ReplayChecksums {
    return {
      fills: this.fills,
      fillQuantity: this.fillQuantity,
      fillNotionalMod: this.notional,
      fillHash: this.hash >>> 0,
      resting: this.book.restingCount,
    };
  }

  /** Applies the records from index `from` up to `to`. */
  run(words: Int32Array, from: number, to: number): void {
    const end = to * WORDS;
    for (let at = from * WORDS; at < end; at += WORDS) {
      const head = words[at]!;
      const id = words[at + ORDER_ID]!;
      const operation = head & 0xff;
      if (operation === CANCEL) {
        this.cancel(id);
        continue;
      }
      const side = (head >>> 8) & 1;
      const quantity = words[at + QUANTITY]! >>> 0;
      const account = words[at + ACCOUNT]!;
      const isNarrow = words[at + PRICE + 1] === 0;
      const price = isNarrow ? words[at + PRICE]! >>> 0 : wideAt(words, at + PRICE);
      if (operation === GTC) this.place(id, side, price, quantity, account);
      else if (operation === IOC) this.book.take(side, price, quantity, account, NO_PREVENTION);
      else if (operation === MARKET) {
        this.book.take(side, ANY_LIMIT[side]!, quantity, account, NO_PREVENTION);
      } else this.replace(id, price, quantity);
    }
  }

  fill(makerSlot: number, price: number, quantity: number, makerRemaining: number): void {
    const id = this.orderIds[makerSlot]!;
    const fileId = this.fileIds === undefined ? id : this.fileIds[id]!;
    this.fills++;
    this.fillQuantity += quantity;
    this.hash = (Math.imul(this.hash ^ fileId, 0x01000193) + quantity) | 0;
    this.addNotional(price, quantity);
    if (makerRemaining === 0) {
      this.slots[id] = 0;
      this.freeSlots[this.freeCount++] = makerSlot;
    }
  }

  selfTradeCancelled(): void {
    throw new Error('no self-trade prevention was asked for');
  }

  private place(id: number, side: number, price: number, quantity: number, account: number): void {
    if (this.slots[id] !== 0) throw new Error(`order ${id} is placed again while it rests`);
    if (this.freeCount === 0) this.addSlots();
    const slot = this.freeSlots[--this.freeCount]!;
    if (this.book.place(slot, side, price, quantity, account, NO_PREVENTION) !== 0) {
      this.slots[id] = slot + 1;
      this.orderIds[slot] = id;
    } else {
      this.freeSlots[this.freeCount++] = slot;
    }
  }

  private cancel(id: number): void {
    const slot = this.slots[id]! - 1;
    if (slot < 0) return;
    this.book.cancel(slot);
    this.slots[id] = 0;
    this.freeSlots[this.freeCount++] = slot;
  }

  private replace(id: number, price: number, quantity: number): void {
    const slot = this.slots[id]! - 1;
    if (slot < 0) return;
    if (this.book.replace(slot, price, quantity, NO_PREVENTION) === 0) {
      this.slots[id] = 0;
      this.freeSlots[this.freeCount++] = slot;
    }
  }

  /** Adds modulo 2^53; every step is exact. */
  private addNotional(price: number, quantity: number): void {
    let product = price * quantity;
    if (product >= NOTIONAL_MODULUS) {
      product = Number((BigInt(price) * BigInt(quantity)) % BigInt(NOTIONAL_MODULUS));
    }
    const room = NOTIONAL_MODULUS - product;
    this.notional = this.notional < room ? this.notional + product : this.notional - room;
  }

  /** Doubles the slots when all are taken. The new ones are the free ones, the lowest on top. */
  private addSlots(): void {
    const before = this.orderIds.length;
    const count = Math.max(1024, before * 2);
    const orderIds = new Int32Array(count);
    orderIds.set(this.orderIds);
    this.orderIds = orderIds;
    this.freeSlots = new Int32Array(count);
    for (let slot = count - 1; slot >= before; slot--) this.freeSlots[this.freeCount++] = slot;
  }
}
