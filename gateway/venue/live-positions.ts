import { Side } from '../../core/messages/enums.ts';
import type { MarginExecution } from '../../core/messages/margin-events.ts';

/** Whose an open position is, and where. */
export interface LivePosition {
  readonly account: number;
  readonly market: number;
  /** Side.Buy is long. */
  readonly side: number;
}

interface Counted extends LivePosition {
  quantity: number;
}

/**
 * Open positions as the released events tell of them, so that closing one needs no search. Those that
 * were opened before this process are in the views.
 */
export class LivePositions {
  private readonly positions = new Map<number, Counted>();

  find(positionId: number): LivePosition | undefined {
    return this.positions.get(positionId);
  }

  executed(event: MarginExecution): void {
    if (event.closedPositionId !== 0) this.shrink(event.closedPositionId, event.closedQuantity);
    if (event.openedPositionId !== 0) this.grow(event);
  }

  private grow(event: MarginExecution): void {
    const { openedPositionId, openedQuantity, account, market, side } = event;
    const known = this.positions.get(openedPositionId);
    if (known !== undefined) known.quantity += openedQuantity;
    else this.positions.set(openedPositionId, { account, market, side, quantity: openedQuantity });
  }

  /** Of an older position less may be known than there is: it is then forgotten too early. */
  private shrink(positionId: number, quantity: number): void {
    const known = this.positions.get(positionId);
    if (known === undefined) return;
    known.quantity -= quantity;
    if (known.quantity <= 0) this.positions.delete(positionId);
  }
}

/** The side of an order that closes such a position. */
export function closingSide({ side }: Pick<LivePosition, 'side'>): number {
  return side === Side.Buy ? Side.Sell : Side.Buy;
}
