import { Side } from '../../messages/enums.ts';
import type { MarginExecution } from '../../messages/margin-events.ts';
import type { ClearingState } from '../state.ts';
import { marginFiguresOf, netQuantity, pendingMargin } from './account-margin.ts';
import type { OrderRemoval } from './stop-out-orders.ts';

/** Exposures that one step looks at: under a millisecond. */
const ROWS_PER_STEP = 200;

/**
 * Takes back open orders that would open more than there is margin for. One that could only reduce a
 * position of a netting account reserved nothing; once another order has closed that position it opens,
 * and goes where the account has no margin for it.
 */
export class Coverage {
  private readonly state: ClearingState;
  private readonly removal: OrderRemoval;
  /** Exposures to look at, with the side on which what is reserved may have grown. */
  private readonly rows = new Map<number, number>();

  constructor(state: ClearingState, removal: OrderRemoval) {
    this.state = state;
    this.removal = removal;
  }

  executed({ account, market, side, closedQuantity }: MarginExecution): void {
    if (closedQuantity === 0) return;
    const { exposures } = this.state;
    const row = exposures.find(account, market);
    const pending = side === Side.Buy ? exposures.pendingBuys : exposures.pendingSells;
    if (pending[row] !== 0) this.rows.set(row, side);
  }

  get hasWork(): boolean {
    return this.rows.size > 0;
  }

  /** One step; false where nothing is left to look at. */
  work(): boolean {
    let looked = 0;
    for (const [row, side] of this.rows) {
      if (looked++ === ROWS_PER_STEP) return true;
      this.rows.delete(row);
      this.look(row, side);
    }
    return false;
  }

  private look(row: number, side: number): void {
    if (this.reservedOn(row, side) === 0n) return;
    const { exposures } = this.state;
    const account = exposures.accounts[row] as number;
    const { freeMargin } = marginFiguresOf(this.state, account);
    if (freeMargin < 0n) this.removal.ofAccountIn(account, exposures.markets[row] as number);
  }

  private reservedOn(row: number, side: number): bigint {
    const { exposures } = this.state;
    const buys = side === Side.Buy;
    const quantities = buys ? exposures.pendingBuys : exposures.pendingSells;
    const margins = buys ? exposures.pendingBuyMargins : exposures.pendingSellMargins;
    const net = netQuantity(this.state, row);
    const opposite = buys ? -net : net;
    return pendingMargin(margins[row] as bigint, quantities[row] as number, opposite);
  }
}
