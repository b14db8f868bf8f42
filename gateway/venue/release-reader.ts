import {
  BalancesAnswer,
  ColdAnswer,
  DepthAnswer,
  MarginOrderPriced,
  OrderPlaced,
  OrderPriced,
  OrderState,
  OrdersCancelled,
  Refused as RefusedRecord,
} from '../../core/messages/answers.ts';
import { decodeCold } from '../../core/messages/codec.ts';
import type { ColdEvent } from '../../core/messages/cold-events.ts';
import {
  ColdEventRecord,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrdersTraded,
} from '../../core/messages/events.ts';
import {
  CommissionDeducted,
  FundingApplied,
  MarginExecution,
  MarginOrderAccepted,
  MarginOrderAmended,
  SwapsCharged,
  TrailingStopsMoved,
} from '../../core/messages/margin-events.ts';
import { RecordCursor } from '../../core/messages/record.ts';
import { refusalByCode } from '../../core/messages/refusals.ts';
import { type Refused, refuse } from '../http/refused.ts';
import type { LiveOrders } from './live-orders.ts';
import type { LivePositions } from './live-positions.ts';
import type { PendingRequests } from './pending-requests.ts';
import type { Reference } from './reference.ts';

/** Takes in what the journal releases: first what happened, then the answers that tell of it. */
export class ReleaseReader {
  private readonly orders: LiveOrders;
  private readonly positions: LivePositions;
  private readonly reference: Reference;
  private readonly pending: PendingRequests;
  private readonly accepted = OrderAccepted.blank();
  private readonly traded = OrdersTraded.blank();
  private readonly closed = OrderClosed.blank();
  private readonly amended = OrderAmended.blank();
  private readonly marginAccepted = MarginOrderAccepted.blank();
  private readonly executed = MarginExecution.blank();
  private readonly marginAmended = MarginOrderAmended.blank();
  private readonly placed = OrderPlaced.blank();
  private readonly balances = BalancesAnswer.blank();

  constructor(
    orders: LiveOrders,
    positions: LivePositions,
    reference: Reference,
    pending: PendingRequests,
  ) {
    this.orders = orders;
    this.positions = positions;
    this.reference = reference;
    this.pending = pending;
  }

  events(batch: ArrayBuffer): void {
    const cursor = new RecordCursor(batch);
    while (cursor.next()) {
      switch (cursor.kind) {
        case OrderAccepted.kind:
          this.orders.accepted(OrderAccepted.read(cursor, this.accepted));
          break;
        case OrdersTraded.kind:
          this.orders.traded(OrdersTraded.read(cursor, this.traded));
          break;
        case OrderClosed.kind:
          this.orders.closed(OrderClosed.read(cursor, this.closed));
          break;
        case OrderAmended.kind:
          this.orders.amended(OrderAmended.read(cursor, this.amended));
          break;
        case MarginOrderAccepted.kind:
          this.orders.marginAccepted(MarginOrderAccepted.read(cursor, this.marginAccepted));
          break;
        case MarginExecution.kind:
          MarginExecution.read(cursor, this.executed);
          this.orders.executed(this.executed);
          this.positions.executed(this.executed);
          break;
        case MarginOrderAmended.kind:
          this.orders.amended(MarginOrderAmended.read(cursor, this.marginAmended));
          break;
        // They change balances and positions, which are asked of clearing.
        case CommissionDeducted.kind:
        case TrailingStopsMoved.kind:
        case FundingApplied.kind:
        case SwapsCharged.kind:
          break;
        case ColdEventRecord.kind: {
          const { payload } = ColdEventRecord.read(cursor, ColdEventRecord.blank());
          this.reference.apply(decodeCold<ColdEvent>(payload));
          break;
        }
        default:
          throw new RangeError(`event of kind ${cursor.kind}`);
      }
    }
  }

  answers(batch: ArrayBuffer): void {
    const cursor = new RecordCursor(batch);
    while (cursor.next()) this.answer(cursor);
  }

  private answer(cursor: RecordCursor): void {
    switch (cursor.kind) {
      case OrderPlaced.kind: {
        const { ticket, orderId, replayed } = OrderPlaced.read(cursor, this.placed);
        return this.resolve(ticket, { orderId, replayed: replayed === 1 });
      }
      case OrderState.kind: {
        const state = OrderState.read(cursor, OrderState.blank());
        return this.resolve(state.ticket, state);
      }
      case RefusedRecord.kind: {
        const record = RefusedRecord.read(cursor, RefusedRecord.blank());
        return this.resolve(record.ticket, refusalOf(record));
      }
      case ColdAnswer.kind: {
        const { ticket, payload } = ColdAnswer.read(cursor, ColdAnswer.blank());
        return this.resolve(ticket, decodeCold(payload));
      }
      case BalancesAnswer.kind: {
        const { ticket, balances } = BalancesAnswer.read(cursor, this.balances);
        return this.resolve(ticket, balances);
      }
      case OrdersCancelled.kind: {
        const { ticket, count } = OrdersCancelled.read(cursor, OrdersCancelled.blank());
        return this.resolve(ticket, count);
      }
      case DepthAnswer.kind: {
        const answer = DepthAnswer.read(cursor, DepthAnswer.blank());
        return this.resolve(answer.ticket, answer);
      }
      case MarginOrderPriced.kind: {
        const answer = MarginOrderPriced.read(cursor, MarginOrderPriced.blank());
        return this.resolve(answer.ticket, answer);
      }
      case OrderPriced.kind: {
        const answer = OrderPriced.read(cursor, OrderPriced.blank());
        return this.resolve(answer.ticket, answer);
      }
      default:
        throw new RangeError(`answer of kind ${cursor.kind}`);
    }
  }

  private resolve(ticket: number, answer: unknown): void {
    this.pending.take<unknown>(ticket)?.(answer);
  }
}

function refusalOf(record: RefusedRecord): Refused {
  const { field, value, limit } = record;
  return refuse(refusalByCode(record.code), { field, value, limit });
}
