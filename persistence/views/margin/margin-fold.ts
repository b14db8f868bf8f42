import type Database from 'better-sqlite3';
import type { ColdEvent } from '../../../core/messages/cold-events.ts';
import {
  CommissionDeducted,
  FundingApplied,
  type MarginExecution,
  SwapsCharged,
  TrailingStopsMoved,
} from '../../../core/messages/margin-events.ts';
import type { RecordCursor } from '../../../core/messages/record.ts';
import type { ReferenceFold } from '../reference-fold.ts';
import { ExecutionFold } from './execution-fold.ts';
import { PaymentFold } from './payment-fold.ts';
import { PositionFold } from './position-fold.ts';
import { StopOrderFold } from './stop-order-fold.ts';

/** Positions, executions, stop orders and payments of markets on margin. */
export class MarginFold {
  private readonly reference: ReferenceFold;
  private readonly executions: ExecutionFold;
  private readonly positions: PositionFold;
  private readonly stopOrders: StopOrderFold;
  private readonly payments: PaymentFold;
  private readonly deducted = CommissionDeducted.blank();

  constructor(database: Database.Database, reference: ReferenceFold) {
    this.reference = reference;
    this.executions = new ExecutionFold(database);
    this.positions = new PositionFold(database);
    this.stopOrders = new StopOrderFold(database);
    this.payments = new PaymentFold(database);
  }

  execute(event: MarginExecution): void {
    this.executions.execute(event);
    this.positions.execute(event);
  }

  /** Takes an event that concerns margin alone; false where the one at the cursor is none. */
  take(cursor: RecordCursor): boolean {
    switch (cursor.kind) {
      case CommissionDeducted.kind:
        this.executions.deduct(CommissionDeducted.read(cursor, this.deducted));
        return true;
      case FundingApplied.kind:
        this.payments.fund(FundingApplied.read(cursor, FundingApplied.blank()));
        return true;
      case SwapsCharged.kind:
        this.payments.swap(SwapsCharged.read(cursor, SwapsCharged.blank()));
        return true;
      default:
        // Where a trailing stop stands is asked of clearing.
        return cursor.kind === TrailingStopsMoved.kind;
    }
  }

  apply(event: ColdEvent, time: number): void {
    switch (event.type) {
      case 'StopOrderPlaced': {
        const { stopOrder } = event;
        const scales = this.reference.scalesOf(stopOrder.market);
        const lotSize = this.reference.lotSizeOf(stopOrder.market);
        return this.stopOrders.place(stopOrder, scales, lotSize);
      }
      case 'StopOrderEnded':
        return this.stopOrders.close(event, time);
      case 'NegativeBalanceCompensated':
        return this.payments.compensate(event.account, event.amount, time);
      default:
    }
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    this.executions.write();
    this.positions.write();
    this.stopOrders.write();
    this.payments.write();
  }
}
