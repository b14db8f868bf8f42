import { layout, type RecordOf } from './record.ts';

/**
 * Clearing → market worker. Orders are addressed by `slot`, dense in their market, which clearing
 * assigns and recycles. `ticket`, `orderId` and `cause` come back in the outcome as they were sent:
 * by then the slot may already belong to another order.
 */

/** Start matching a market that this worker has not seen. */
export const OpenBook = layout('OpenBook', 1, { market: 'u32' });

/**
 * An order to match. `limit` is the worst price in ticks; for a market sell 0. The rest of a Retry
 * order waits in the worker and tries again on each change of the book.
 */
export const SubmitOrder = layout('SubmitOrder', 2, {
  ticket: 'f64',
  orderId: 'f64',
  market: 'u32',
  slot: 'u32',
  owner: 'u32',
  side: 'u8',
  timeInForce: 'u8',
  postOnly: 'u8',
  selfTradePrevention: 'u8',
  limit: 'f64',
  quantity: 'f64',
});
export type SubmitOrder = RecordOf<typeof SubmitOrder>;

/** Takes an order off the book (or out of the parked ones). `cause` is clearing's own note. */
export const RemoveOrder = layout('RemoveOrder', 3, {
  ticket: 'f64',
  orderId: 'f64',
  market: 'u32',
  slot: 'u32',
  cause: 'u8',
});
export type RemoveOrder = RecordOf<typeof RemoveOrder>;

/**
 * Changes price and remaining quantity. A smaller quantity at the same price keeps its priority;
 * anything else re-enters behind and may match.
 */
export const ReplaceOrder = layout('ReplaceOrder', 4, {
  ticket: 'f64',
  orderId: 'f64',
  market: 'u32',
  slot: 'u32',
  owner: 'u32',
  postOnly: 'u8',
  selfTradePrevention: 'u8',
  limit: 'f64',
  /** The new remaining quantity. It is right, and can be paid for, only as long as what rests is
   * still `expectedRemaining`; otherwise nothing changes. */
  quantity: 'f64',
  expectedRemaining: 'f64',
  /** Comes back in OrderReplaced as it was sent. */
  priority: 'f64',
});
export type ReplaceOrder = RecordOf<typeof ReplaceOrder>;

export const ReadDepth = layout('ReadDepth', 5, { ticket: 'f64', market: 'u32', levels: 'u32' });
export type ReadDepth = RecordOf<typeof ReadDepth>;
