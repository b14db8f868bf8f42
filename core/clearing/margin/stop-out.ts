import { Side } from '../../messages/enums.ts';
import type { Market } from '../market.ts';
import { inRootCeiling } from '../rates.ts';
import type { ClearingState } from '../state.ts';
import { marginFiguresOf, unrealizedAt, valuationPrice } from './account-margin.ts';
import { NO_ROW } from './exposures.ts';
import { NO_POSITION } from './positions.ts';
import type { OrderRemoval } from './stop-out-orders.ts';

/** Accounts that one step looks at: about a millisecond. */
const ACCOUNTS_PER_STEP = 64;
/** What did not work is tried again after this, ms of venue time. */
const RETRY_MS = 1_000;

/** What a stop-out has done to it, and who does that. */
export interface StopOutActions {
  /** Sends an order that closes the position whole; its id, or 0 where it was refused. */
  close(position: number, now: number): number;
  /** Cancels the account's stop orders in markets on margin. */
  cancelStopOrders(account: number, now: number): void;
  /** The account has no position: what it is below zero is covered. */
  compensate(account: number, now: number): void;
  /** Whether orders trade in the market now. */
  trades(market: Market, now: number): boolean;
}

/** One account on its way. */
interface Case {
  /** Until when it waits for its orders to go; 0 before they were asked to. */
  clearBy: number;
  /** The order that closes a position, and the position; 0 for none. */
  orderId: number;
  positionId: number;
  /** Markets in which a close went unfilled, with when to try again. */
  readonly unfilled: Map<number, number>;
  /** When to look again where nothing happens; 0 while it is in the queue. */
  retryAt: number;
}

/**
 * Closes the positions of accounts below the stop-out level: first their orders go, then the position
 * with the largest loss is closed, whole, and the next, until the level is above the stop-out level
 * again. Each account waits for what the books answer; positions that cannot trade now are passed over.
 *
 * None of this is journaled. After a restart the valuation finds the account again, and whatever the
 * books had not answered is not there.
 */
export class StopOut {
  private readonly state: ClearingState;
  private readonly removal: OrderRemoval;
  private readonly actions: StopOutActions;
  private readonly cases = new Map<number, Case>();
  private queue: number[] = [];
  /** Accounts that sleep until a time. */
  private readonly asleep = new Set<number>();

  constructor(state: ClearingState, removal: OrderRemoval, actions: StopOutActions) {
    this.state = state;
    this.removal = removal;
    this.actions = actions;
  }

  get hasWork(): boolean {
    return this.queue.length > 0;
  }

  /** Whether an order's end may matter to the account's stop-out. */
  concerns(account: number): boolean {
    return this.cases.has(account);
  }

  /** The account was found below the level, or below zero without a position. */
  found(account: number): void {
    const known = this.cases.get(account);
    if (known !== undefined) {
      // It was found because a price has changed: what went unfilled is tried again.
      known.unfilled.clear();
      return this.wake(account, known);
    }
    this.cases.set(account, {
      clearBy: 0,
      orderId: 0,
      positionId: 0,
      unfilled: new Map(),
      retryAt: 0,
    });
    this.queue.push(account);
  }

  /** An order of the account has ended. */
  orderEnded(account: number): void {
    const known = this.cases.get(account);
    if (known !== undefined) this.wake(account, known);
  }

  /** Time has passed. */
  tick(now: number): void {
    for (const account of this.asleep) {
      const known = this.cases.get(account);
      if (known === undefined) this.asleep.delete(account);
      else if (known.retryAt <= now) this.wake(account, known);
    }
  }

  /** One step; false where nobody is next. */
  work(now: number): boolean {
    if (this.queue.length === 0) return false;
    const accounts = this.queue.splice(0, ACCOUNTS_PER_STEP);
    for (const account of accounts) {
      const known = this.cases.get(account);
      if (known !== undefined) this.step(account, known, now);
    }
    return this.queue.length > 0;
  }

  private wake(account: number, known: Case): void {
    if (known.retryAt === 0) return;
    known.retryAt = 0;
    this.asleep.delete(account);
    this.queue.push(account);
  }

  private sleep(account: number, known: Case, until: number): void {
    known.retryAt = until;
    this.asleep.add(account);
  }

  private step(account: number, known: Case, now: number): void {
    if (known.orderId !== 0) {
      if (this.state.isOpen(known.orderId)) return this.sleep(account, known, now + RETRY_MS);
      this.closeEnded(known, now);
    }
    if (this.isOver(account, now)) {
      this.cases.delete(account);
      return;
    }
    if (known.clearBy === 0) {
      known.clearBy = now + RETRY_MS;
      this.actions.cancelStopOrders(account, now);
      if (this.removal.ofAccount(account)) return this.sleep(account, known, known.clearBy);
    }
    const waits = now < known.clearBy && this.removal.hasOrders(account);
    if (waits) return this.sleep(account, known, known.clearBy);
    // In a netting account an order that came since would open what it meant to close.
    if (this.state.accounts.isNetting(account)) known.clearBy = 0;
    this.closeWorst(account, known, now);
  }

  private closeEnded(known: Case, now: number): void {
    const left = this.state.positions.find(known.positionId);
    known.orderId = 0;
    if (left === NO_POSITION) return;
    known.unfilled.set(this.state.positions.markets[left] as number, now + RETRY_MS);
  }

  private isOver(account: number, now: number): boolean {
    const { level, marginBalance } = marginFiguresOf(this.state, account);
    if (marginBalance < 0n && !this.state.exposures.hasPosition(account)) {
      this.actions.compensate(account, now);
    }
    return level === undefined || level > BigInt(this.state.marginSettings.stopOut);
  }

  private closeWorst(account: number, known: Case, now: number): void {
    const { positions, exposures } = this.state;
    let worst = NO_POSITION;
    let mayTradeLater = false;
    for (let row = exposures.firstOf(account); row !== NO_ROW; row = exposures.nextOf(row)) {
      const market = this.state.market(exposures.markets[row] as number);
      if (exposures.firstPositions[row] === NO_POSITION || !this.actions.trades(market, now))
        continue;
      mayTradeLater = true;
      if ((known.unfilled.get(market.index) ?? 0) > now) continue;
      let slot = exposures.firstPositions[row] as number;
      for (; slot !== NO_POSITION; slot = positions.nexts[slot] as number) {
        if (!canClose(this.state, market, slot)) continue;
        if (worst === NO_POSITION || isWorse(this.state, slot, worst)) worst = slot;
      }
    }
    if (worst === NO_POSITION) {
      // A market that opens has all its accounts looked at again.
      if (mayTradeLater) this.sleep(account, known, now + RETRY_MS);
      else this.cases.delete(account);
      return;
    }
    known.positionId = positions.ids[worst] as number;
    known.orderId = this.actions.close(worst, now);
    if (known.orderId === 0) {
      known.unfilled.set(positions.markets[worst] as number, now + RETRY_MS);
    }
    this.sleep(account, known, now + RETRY_MS);
  }
}

/** Whether there is something left of the position to close, and somebody to close it with. */
function canClose({ positions }: ClearingState, market: Market, slot: number): boolean {
  if (positions.closings[slot] === positions.quantities[slot]) return false;
  return (positions.sides[slot] === Side.Buy ? market.bestBid : market.bestAsk) > 0;
}

/** The larger loss in root units goes first, then the larger margin, then the older position. */
function isWorse(state: ClearingState, slot: number, than: number): boolean {
  const loss = lossOf(state, slot);
  const other = lossOf(state, than);
  if (loss !== other) return loss > other;
  const { positions } = state;
  const margin = marginInRoot(state, slot);
  const otherMargin = marginInRoot(state, than);
  if (margin !== otherMargin) return margin > otherMargin;
  return (positions.ids[slot] as number) < (positions.ids[than] as number);
}

function lossOf(state: ClearingState, slot: number): bigint {
  const { positions } = state;
  const market = state.market(positions.markets[slot] as number);
  return -unrealizedAt(state, slot, valuationPrice(market, positions.sides[slot] as number));
}

function marginInRoot({ positions, rates, markets }: ClearingState, slot: number): bigint {
  const market = markets[positions.markets[slot] as number] as Market;
  return inRootCeiling(rates.ofQuote(market), positions.margins[slot] as bigint);
}
