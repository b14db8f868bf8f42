import { Reason, Side } from '../../messages/enums.ts';
import { Cause } from '../causes.ts';
import type { ClearingState } from '../state.ts';
import { NO_POSITION } from './positions.ts';
import type { OrderRemoval } from './stop-out-orders.ts';
import type { Fired, Triggers } from './triggers.ts';

/** Sends the orders that close positions for the venue. */
export interface ClosingDesk {
  /**
   * Closes what no open order closes already of the position at `slot`: a Market order, immediate or
   * cancelled. Returns its id; 0 where it was refused.
   */
  closePosition(slot: number, reason: number, now: number): number;
}

/** A position whose trigger was reached. */
interface Closing extends Fired {
  readonly account: number;
  /** The order that closes it; 0 before one could be sent. */
  orderId: number;
  /** Whether orders of the trader that claim part of it are on their way off the book. */
  awaits: boolean;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Closes positions whose triggers were reached: what orders of the trader claim of them goes first.
 * What is not filled waits for its trigger again.
 */
export class TriggerClosings {
  private readonly state: ClearingState;
  private readonly triggers: Triggers;
  private readonly removal: OrderRemoval;
  private readonly desk: ClosingDesk;
  private readonly closings = new Map<number, Closing>();
  private readonly idsOfAccount = new Map<number, Set<number>>();
  /** What was not closed, by market: tried again at other prices there, or when time has passed. */
  private readonly left = new Map<number, number[]>();

  constructor(state: ClearingState, triggers: Triggers, removal: OrderRemoval, desk: ClosingDesk) {
    this.state = state;
    this.triggers = triggers;
    this.removal = removal;
    this.desk = desk;
  }

  close({ positionId, reason }: Fired, now: number): void {
    const { positions } = this.state;
    const slot = positions.find(positionId);
    if (slot === NO_POSITION) return this.triggers.wait(positionId);
    const account = positions.accounts[slot] as number;
    const closing = { positionId, reason, account, orderId: 0, awaits: false };
    this.add(closing);
    this.proceed(closing, slot, now);
  }

  /** An order of the account has ended. */
  orderEnded(account: number, now: number): void {
    for (const positionId of [...(this.idsOfAccount.get(account) ?? NONE)]) {
      const closing = this.closings.get(positionId) as Closing;
      if (closing.orderId !== 0 && this.state.isOpen(closing.orderId)) continue;
      const slot = this.state.positions.find(positionId);
      if (slot === NO_POSITION || !closing.awaits) this.ended(closing);
      else this.proceed(closing, slot, now);
    }
  }

  /** Whether an order's end may matter to anything here. */
  concerns(account: number): boolean {
    return this.idsOfAccount.has(account);
  }

  /** Markets in which something was not closed. */
  get leftIn(): Iterable<number> {
    return this.left.keys();
  }

  /** What was not closed in the market waits for its trigger again. */
  retry(market: number): void {
    const positionIds = this.left.get(market);
    if (positionIds === undefined) return;
    this.left.delete(market);
    for (const positionId of positionIds) this.triggers.wait(positionId);
  }

  /** What others may close of it goes first; of a hedged position the rest is closed at once. */
  private proceed(closing: Closing, slot: number, now: number): void {
    const cause = closing.reason === Reason.StopLoss ? Cause.StopLoss : Cause.TakeProfit;
    closing.awaits = this.removal.ofPosition(slot, cause);
    const isNetting = this.state.accounts.isNetting(closing.account);
    if (!closing.awaits || !isNetting) this.send(closing, slot, now);
  }

  private send(closing: Closing, slot: number, now: number): void {
    const { positions } = this.state;
    const isFree = positions.quantities[slot] !== positions.closings[slot];
    const sends = isFree && this.hasTaker(slot);
    closing.orderId = sends ? this.desk.closePosition(slot, closing.reason, now) : 0;
    if (closing.orderId === 0 && !closing.awaits) this.ended(closing);
  }

  /** Whether anybody would trade: of thousands that one price reached, the first may take all of it. */
  private hasTaker(slot: number): boolean {
    const { positions } = this.state;
    const { bestBid, bestAsk } = this.state.market(positions.markets[slot] as number);
    return (positions.sides[slot] === Side.Buy ? bestBid : bestAsk) > 0;
  }

  private ended({ positionId, account }: Closing): void {
    this.closings.delete(positionId);
    const ids = this.idsOfAccount.get(account);
    ids?.delete(positionId);
    if (ids?.size === 0) this.idsOfAccount.delete(account);
    const { positions } = this.state;
    const slot = positions.find(positionId);
    if (slot === NO_POSITION) return this.triggers.wait(positionId);
    const market = positions.markets[slot] as number;
    const left = this.left.get(market);
    if (left === undefined) this.left.set(market, [positionId]);
    else left.push(positionId);
  }

  private add(closing: Closing): void {
    this.closings.set(closing.positionId, closing);
    const ids = this.idsOfAccount.get(closing.account);
    if (ids === undefined) this.idsOfAccount.set(closing.account, new Set([closing.positionId]));
    else ids.add(closing.positionId);
  }
}
