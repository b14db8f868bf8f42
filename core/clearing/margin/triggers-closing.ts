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
  /** The order that closes it; 0 while others that claim it are still to go, or none could be sent. */
  orderId: number;
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
  /** What was not closed: tried again when time has passed. */
  private left: number[] = [];

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
    this.add({ positionId, reason, account, orderId: 0 });
    if (positions.closings[slot] !== 0) {
      this.removal.ofPosition(positions.markets[slot] as number, positionId);
    }
    this.send(positionId, now);
  }

  /** An order of the account has ended. */
  orderEnded(account: number, now: number): void {
    for (const positionId of [...(this.idsOfAccount.get(account) ?? NONE)]) {
      const { orderId } = this.closings.get(positionId) as Closing;
      if (orderId !== 0 && this.state.isOpen(orderId)) continue;
      const slot = this.state.positions.find(positionId);
      if (slot === NO_POSITION || orderId !== 0) this.ended(positionId);
      else this.send(positionId, now);
    }
  }

  /** Whether an order's end may matter to anything here. */
  concerns(account: number): boolean {
    return this.idsOfAccount.has(account);
  }

  /** What was not closed waits for its trigger again. */
  retry(): void {
    for (const positionId of this.left.splice(0)) this.triggers.wait(positionId);
  }

  private send(positionId: number, now: number): void {
    const closing = this.closings.get(positionId) as Closing;
    const { positions } = this.state;
    const slot = positions.find(positionId);
    const claimed = positions.closings[slot] as number;
    const free = (positions.quantities[slot] as number) - claimed;
    if (free > 0) closing.orderId = this.desk.closePosition(slot, closing.reason, now);
    if (closing.orderId === 0 && claimed === 0) this.ended(positionId);
  }

  private ended(positionId: number): void {
    const { account } = this.closings.get(positionId) as Closing;
    this.closings.delete(positionId);
    const ids = this.idsOfAccount.get(account);
    ids?.delete(positionId);
    if (ids?.size === 0) this.idsOfAccount.delete(account);
    if (this.state.positions.find(positionId) === NO_POSITION) this.triggers.wait(positionId);
    else this.left.push(positionId);
  }

  private add(closing: Closing): void {
    this.closings.set(closing.positionId, closing);
    const ids = this.idsOfAccount.get(closing.account);
    if (ids === undefined) this.idsOfAccount.set(closing.account, new Set([closing.positionId]));
    else ids.add(closing.positionId);
  }
}
