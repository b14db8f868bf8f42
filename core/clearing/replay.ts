import { decodeCold } from '../messages/codec.ts';
import type { ColdEvent } from '../messages/cold-events.ts';
import {
  ColdEventRecord,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrdersTraded,
} from '../messages/events.ts';
import {
  CommissionDeducted,
  FundingApplied,
  MarginExecution,
  MarginOrderAccepted,
  MarginOrderAmended,
  SwapsCharged,
  TrailingStopsMoved,
} from '../messages/margin-events.ts';
import { RecordCursor } from '../messages/record.ts';
import { applyCold } from './cold-events.ts';
import {
  applyCommissionDeducted,
  applyFunding,
  applyMarginExecution,
  applyMarginOrderAccepted,
  applyMarginOrderAmended,
  applySwaps,
  applyTrailingStopsMoved,
} from './margin/events.ts';
import type { ClearingState } from './state.ts';

/** Applies journaled events to a state, batch by batch, in their order. */
export class Replay {
  private readonly state: ClearingState;
  private readonly accepted = OrderAccepted.blank();
  private readonly traded = OrdersTraded.blank();
  private readonly closed = OrderClosed.blank();
  private readonly amended = OrderAmended.blank();
  private readonly cold = ColdEventRecord.blank();
  private readonly marginAccepted = MarginOrderAccepted.blank();
  private readonly execution = MarginExecution.blank();
  private readonly deducted = CommissionDeducted.blank();
  private readonly marginAmended = MarginOrderAmended.blank();
  private readonly trailed = TrailingStopsMoved.blank();
  private readonly funding = FundingApplied.blank();
  private readonly swaps = SwapsCharged.blank();

  constructor(state: ClearingState) {
    this.state = state;
  }

  /** Throws where the batch does not follow on what was applied, or holds an unknown event. */
  apply(firstSequence: number, events: ArrayBuffer | Uint8Array): void {
    if (firstSequence !== this.state.sequence + 1) {
      throw new Error(`events from ${firstSequence} do not follow on ${this.state.sequence}`);
    }
    const cursor = new RecordCursor(events);
    while (cursor.next()) this.event(cursor);
  }

  /** One event, the next in sequence. */
  event(cursor: RecordCursor): void {
    const { state } = this;
    switch (cursor.kind) {
      case OrderAccepted.kind:
        return state.orderAccepted(OrderAccepted.read(cursor, this.accepted));
      case OrdersTraded.kind:
        return state.ordersTraded(OrdersTraded.read(cursor, this.traded));
      case OrderClosed.kind:
        return state.orderClosed(OrderClosed.read(cursor, this.closed));
      case OrderAmended.kind:
        return state.orderAmended(OrderAmended.read(cursor, this.amended));
      case ColdEventRecord.kind: {
        const { time, payload } = ColdEventRecord.read(cursor, this.cold);
        return applyCold(state, time, decodeCold<ColdEvent>(payload));
      }
      default:
        return this.eventOnMargin(cursor);
    }
  }

  private eventOnMargin(cursor: RecordCursor): void {
    const { state } = this;
    switch (cursor.kind) {
      case MarginOrderAccepted.kind: {
        const event = MarginOrderAccepted.read(cursor, this.marginAccepted);
        return applyMarginOrderAccepted(state, event);
      }
      case MarginExecution.kind:
        return applyMarginExecution(state, MarginExecution.read(cursor, this.execution));
      case CommissionDeducted.kind:
        return applyCommissionDeducted(state, CommissionDeducted.read(cursor, this.deducted));
      case MarginOrderAmended.kind:
        return applyMarginOrderAmended(state, MarginOrderAmended.read(cursor, this.marginAmended));
      case TrailingStopsMoved.kind:
        return applyTrailingStopsMoved(state, TrailingStopsMoved.read(cursor, this.trailed));
      case FundingApplied.kind:
        return applyFunding(state, FundingApplied.read(cursor, this.funding));
      case SwapsCharged.kind:
        return applySwaps(state, SwapsCharged.read(cursor, this.swaps));
      default:
        throw new Error(`event ${state.sequence + 1} is of unknown kind ${cursor.kind}`);
    }
  }
}
