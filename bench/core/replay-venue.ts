import {
  ANY_BUY_LIMIT,
  ANY_SELL_LIMIT,
  Buy,
  type FillSink,
  OrderBook,
  SelfTrade,
} from '../../core/order-book/index.ts';
import { Field, Operation, RECORD_WORDS, type Workload } from './workload-file.ts';

const WORD = 2 ** 32;
const { Gtc, Ioc, Market, Cancel } = Operation;
const { Quantity, Price, OrderId, Account } = Field;
const STRIDE = RECORD_WORDS;
const NONE = SelfTrade.None;
const BUY: number = Buy;
const ABL = ANY_BUY_LIMIT,
  ASL = ANY_SELL_LIMIT;
const NOTIONAL_MODULUS = 2 ** 53;

/** The figures by which two engines are shown to have done the same on a workload. */
export interface ReplayChecksums {
  fills: number;
  fillQuantity: number;
  fillNotionalMod: number;
  fillHash: number;
  resting: number;
}

/**
 * What a venue needs around a book to replay a workload: slots for order ids, and checksums over the
 * fills. Ids are numbered by the venue itself, so a table finds an order's slot.
 */
export class ReplayVenue implements FillSink {
  private readonly book: OrderBook;
  /** Slot + 1 of each resting order by id; 0 for none. */
  private readonly slots: Int32Array;
  private orderIds = new Int32Array(0);
  private freeSlots = new Int32Array(0);
  private freeCount = 0;
  private slotCount = 0;

  private fills = 0;
  private fillQuantity = 0;
  private notional = 0;
  private hash = 0x811c9dc5 | 0;

  constructor(workload: Workload) {
    this.book = new OrderBook(this);
    this.slots = new Int32Array(workload.maxOrderId + 1);
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
    const end = to * STRIDE;
    for (let at = from * STRIDE; at < end; at += STRIDE) {
      const head = words[at]!;
      const id = words[at + OrderId]!;
      const operation = head & 0xff;
      if (operation === Cancel) {
        this.cancelOrder(id);
        continue;
      }
      const side = (head >>> 8) & 1;
      const quantity = words[at + Quantity]! >>> 0;
      const high = words[at + Price + 1]!;
      const low = words[at + Price]! >>> 0;
      const price = high === 0 ? low : low + high * WORD;
      const account = words[at + Account]!;
      if (operation === Gtc) this.placeOrder(id, side, price, quantity, account);
      else if (operation === Ioc) this.book.take(side, price, quantity, account, NONE);
      else if (operation === Market) {
        this.book.take(side, side === BUY ? ABL : ASL, quantity, account, NONE);
      } else this.replaceOrder(id, price, quantity);
    }
  }

  private placeOrder(id: number, side: number, price: number, quantity: number, account: number) {
    if (this.slots[id] !== 0) throw new Error(`order ${id} is placed while it rests`);
    if (this.freeCount === 0) this.addSlots();
    const slot = this.freeSlots[--this.freeCount]!;
    if (this.book.place(slot, side, price, quantity, account, NONE) !== 0) {
      this.slots[id] = slot + 1;
      this.orderIds[slot] = id;
    } else {
      this.freeSlots[this.freeCount++] = slot;
    }
  }

  private cancelOrder(id: number) {
    const slot = this.slots[id]! - 1;
    if (slot < 0) return;
    this.book.cancel(slot);
    this.slots[id] = 0;
    this.freeSlots[this.freeCount++] = slot;
  }

  private replaceOrder(id: number, price: number, quantity: number) {
    const slot = this.slots[id]! - 1;
    if (slot < 0) return;
    if (this.book.replace(slot, price, quantity, NONE) === 0) {
      this.slots[id] = 0;
      this.freeSlots[this.freeCount++] = slot;
    }
  }

  fill(makerSlot: number, price: number, quantity: number, makerRemaining: number): void {
    const id = this.orderIds[makerSlot]!;
    this.fills++;
    this.fillQuantity += quantity;
    this.hash = (Math.imul(this.hash ^ id, 0x01000193) + quantity) | 0;
    this.addNotional(price, quantity);
    if (makerRemaining === 0) {
      this.slots[id] = 0;
      this.freeSlots[this.freeCount++] = makerSlot;
    }
  }

  /** Adds modulo 2^53 without a step that is not exact. */
  private addNotional(price: number, quantity: number): void {
    let product = price * quantity;
    if (product >= NOTIONAL_MODULUS) {
      product = Number((BigInt(price) * BigInt(quantity)) % BigInt(NOTIONAL_MODULUS));
    }
    const room = NOTIONAL_MODULUS - product;
    this.notional = this.notional < room ? this.notional + product : this.notional - room;
  }

  /** Doubles the slots when all are taken: the new ones are the free ones, the lowest on top. */
  private addSlots(): void {
    const before = this.slotCount;
    this.slotCount = Math.max(1024, before * 2);
    this.freeSlots = new Int32Array(this.slotCount);
    const orderIds = new Int32Array(this.slotCount);
    orderIds.set(this.orderIds);
    this.orderIds = orderIds;
    for (let slot = this.slotCount - 1; slot >= before; slot--) {
      this.freeSlots[this.freeCount++] = slot;
    }
  }

  selfTradeCancelled(): void {
    throw new Error('no self-trade prevention was asked for');
  }
}
