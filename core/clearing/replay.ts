import { decodeCold } from '../messages/codec.ts';
import type { ColdEvent } from '../messages/cold.ts';
import {
  ColdEventRecord,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrdersTraded,
} from '../messages/events.ts';
import { RecordCursor } from '../messages/record.ts';
import type { ClearingState } from './state.ts';

/** Applies journaled events to a state, batch by batch, in their order. */
export class Replay {
  private readonly state: ClearingState;
  private readonly accepted = OrderAccepted.blank();
  private readonly traded = OrdersTraded.blank();
  private readonly closed = OrderClosed.blank();
  private readonly amended = OrderAmended.blank();
  private readonly cold = ColdEventRecord.blank();

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
        return state.cold(time, decodeCold<ColdEvent>(payload));
      }
      default:
        throw new Error(`event ${state.sequence + 1} is of unknown kind ${cursor.kind}`);
    }
  }
}
