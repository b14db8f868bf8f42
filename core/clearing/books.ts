import {
  OpenBook,
  ReadDepth,
  RemoveOrder,
  ReplaceOrder,
  SubmitOrder,
} from '../messages/book-commands.ts';
import type { BatchWriter } from '../messages/record.ts';
import type { Market } from './market.ts';
import { postOnlyOf, selfTradePreventionOf, sideOf, timeInForceOf } from './order-table.ts';
import type { Undecided } from './undecided.ts';

/** Sends orders to the books, each market's to the one worker that keeps it. */
export class Books {
  private readonly workers: readonly BatchWriter[];
  private readonly undecided: Undecided;
  private readonly submission = SubmitOrder.blank();
  /** Commands that the books have not answered. */
  underWay = 0;

  constructor(workers: readonly BatchWriter[], undecided: Undecided) {
    this.workers = workers;
    this.undecided = undecided;
  }

  open(market: Market): void {
    OpenBook.write(this.outbox(market), { market: market.index });
  }

  /** Sends the open order at `slot` to be matched. */
  submit(market: Market, slot: number, ticket: number): void {
    const submission = submissionOf(market, slot, this.submission);
    submission.ticket = ticket;
    if (submission.postOnly !== 0) this.undecided.submitted(submission.orderId);
    SubmitOrder.write(this.outbox(market), submission);
  }

  remove(market: Market, slot: number, ticket: number, cause: number): void {
    const orderId = market.orders.orderIds[slot] as number;
    RemoveOrder.write(this.outbox(market), {
      ticket,
      orderId,
      market: market.index,
      slot,
      cause,
    });
  }

  /** Sends an amend of the order at `slot`: `remaining` is what is to rest of it at `limit`. */
  replace(
    market: Market,
    slot: number,
    ticket: number,
    limit: number,
    remaining: number,
    priority: number,
  ): void {
    const { orders } = market;
    const traits = orders.traits[slot] as number;
    ReplaceOrder.write(this.outbox(market), {
      ticket,
      orderId: orders.orderIds[slot] as number,
      market: market.index,
      slot,
      owner: orders.accounts[slot] as number,
      postOnly: postOnlyOf(traits),
      selfTradePrevention: selfTradePreventionOf(traits),
      limit,
      quantity: remaining,
      expectedRemaining: orders.remainings[slot] as number,
      priority,
    });
  }

  readDepth(market: Market, ticket: number, levels: number): void {
    ReadDepth.write(this.outbox(market), { ticket, market: market.index, levels });
  }

  /** Where the next command for this market goes; it counts as under way from now on. */
  private outbox(market: Market): BatchWriter {
    this.underWay++;
    return this.workers[market.index % this.workers.length] as BatchWriter;
  }
}

/** Writes into `submission` what the book is to know of the open order at `slot`; all but the ticket. */
export function submissionOf(market: Market, slot: number, submission: SubmitOrder): SubmitOrder {
  const { orders } = market;
  const traits = orders.traits[slot] as number;
  submission.orderId = orders.orderIds[slot] as number;
  submission.market = market.index;
  submission.slot = slot;
  submission.owner = orders.accounts[slot] as number;
  submission.side = sideOf(traits);
  submission.timeInForce = timeInForceOf(traits);
  submission.postOnly = postOnlyOf(traits);
  submission.selfTradePrevention = selfTradePreventionOf(traits);
  submission.limit = orders.prices[slot] as number;
  submission.quantity = orders.remainings[slot] as number;
  return submission;
}
