import { Side } from '../../messages/enums.ts';
import type { MarginExecution } from '../../messages/margin-events.ts';
import type { ClearingState } from '../state.ts';
import { marginFiguresOf, netQuantity, pendingMargin } from './account-margin.ts';
import type { OrderRemoval } from './stop-out-orders.ts';

/** Exposures that one step looks at: under a millisecond. */
const ROWS_PER_STEP = 200;
const NO_SIDE = -1;

/**
 * Looks after open orders that may open more than there is margin for. One that could only reduce a
 * position of a netting account reserved nothing; once another has closed the position it opens, and
 * goes where the account has no margin for it. One that rests was admitted at earlier prices; what it
 * opened may leave the account below the stop-out level at once.
 */
export class Coverage {
  private readonly state: ClearingState;
  private readonly removal: OrderRemoval;
  private readonly belowStopOut: (account: number) => void;
  /** Exposures to look at, with the side on which what is reserved has grown. */
  private readonly rows = new Map<number, number>();

  constructor(
    state: ClearingState,
    removal: OrderRemoval,
    belowStopOut: (account: number) => void,
  ) {
    this.state = state;
    this.removal = removal;
    this.belowStopOut = belowStopOut;
  }

  executed({ account, market, side, closedQuantity, isMaker }: MarginExecution): void {
    const row = this.state.exposures.find(account, market);
    if (closedQuantity > 0) {
      const { pendingBuys, pendingSells } = this.state.exposures;
      const pending = (side === Side.Buy ? pendingBuys : pendingSells)[row] as number;
      if (pending > 0) this.rows.set(row, side);
    } else if (isMaker === 1 && !this.rows.has(row)) this.rows.set(row, NO_SIDE);
  }

  /** Everybody who has open orders is to be looked at. */
  all(): void {
    const { exposures } = this.state;
    for (let row = 0; row < exposures.size; row++) {
      const pending = exposures.pendingBuys[row] !== 0 || exposures.pendingSells[row] !== 0;
      if (pending && !this.rows.has(row)) this.rows.set(row, NO_SIDE);
    }
  }

  get hasWork(): boolean {
    return this.rows.size > 0;
  }

  /** One step; false where nobody is left to look at. */
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
    const { exposures, marginSettings } = this.state;
    const account = exposures.accounts[row] as number;
    const { level, freeMargin } = marginFiguresOf(this.state, account);
    if (level !== undefined && level < BigInt(marginSettings.stopOut)) {
      return this.belowStopOut(account);
    }
    if (freeMargin >= 0n || side === NO_SIDE || this.reservedOn(row, side) === 0n) return;
    this.removal.ofAccountIn(account, exposures.markets[row] as number);
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
