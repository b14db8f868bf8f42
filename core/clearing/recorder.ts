import { ColdAnswer, OrderPlaced, OrderState, Refused } from '../messages/answers.ts';
import { encodeCold } from '../messages/codec.ts';
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
import type { BatchWriter } from '../messages/record.ts';
import { applyCold } from './cold-events.ts';
import type { Denial } from './denial.ts';
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

/** Is told of what was just recorded; may record more in turn. */
export interface Watcher {
  executed(event: MarginExecution): void;
  /** An order of the account has left the books without a fill. */
  orderEnded(account: number): void;
  changed(event: ColdEvent): void;
}

/**
 * The one place where something happens: an event is written for the journal and applied to the
 * state in the same step, so that the two cannot part. Answers go out behind the events that they
 * tell of.
 */
export class Recorder {
  watcher: Watcher | undefined;
  private readonly state: ClearingState;
  private readonly events: BatchWriter;
  private readonly answers: BatchWriter;

  constructor(state: ClearingState, events: BatchWriter, answers: BatchWriter) {
    this.state = state;
    this.events = events;
    this.answers = answers;
  }

  orderAccepted(event: OrderAccepted): void {
    OrderAccepted.write(this.events, event);
    this.state.orderAccepted(event);
  }

  ordersTraded(event: OrdersTraded): void {
    OrdersTraded.write(this.events, event);
    this.state.ordersTraded(event);
  }

  orderClosed(event: OrderClosed): void {
    OrderClosed.write(this.events, event);
    this.state.orderClosed(event);
    this.watcher?.orderEnded(event.account);
  }

  orderAmended(event: OrderAmended): void {
    OrderAmended.write(this.events, event);
    this.state.orderAmended(event);
  }

  marginOrderAccepted(event: MarginOrderAccepted): void {
    MarginOrderAccepted.write(this.events, event);
    applyMarginOrderAccepted(this.state, event);
  }

  marginExecution(event: MarginExecution): void {
    MarginExecution.write(this.events, event);
    applyMarginExecution(this.state, event);
    this.watcher?.executed(event);
  }

  commissionDeducted(event: CommissionDeducted): void {
    CommissionDeducted.write(this.events, event);
    applyCommissionDeducted(this.state, event);
  }

  marginOrderAmended(event: MarginOrderAmended): void {
    MarginOrderAmended.write(this.events, event);
    applyMarginOrderAmended(this.state, event);
  }

  trailingStopsMoved(event: TrailingStopsMoved): void {
    TrailingStopsMoved.write(this.events, event);
    applyTrailingStopsMoved(this.state, event);
  }

  fundingApplied(event: FundingApplied): void {
    FundingApplied.write(this.events, event);
    applyFunding(this.state, event);
  }

  swapsCharged(event: SwapsCharged): void {
    SwapsCharged.write(this.events, event);
    applySwaps(this.state, event);
  }

  cold(time: number, event: ColdEvent): void {
    ColdEventRecord.write(this.events, { time, payload: encodeCold(event) });
    applyCold(this.state, time, event);
    this.watcher?.changed(event);
  }

  placed(ticket: number, orderId: number, replayed: number): void {
    if (ticket !== 0) OrderPlaced.write(this.answers, { ticket, orderId, replayed });
  }

  orderState(answer: OrderState): void {
    if (answer.ticket !== 0) OrderState.write(this.answers, answer);
  }

  refuse(ticket: number, denial: Denial): void {
    if (ticket === 0) return;
    const { refusal, field, value, limit } = denial;
    Refused.write(this.answers, { ticket, code: refusal.code, field, value, limit });
  }

  coldAnswer(ticket: number, answer: unknown): void {
    if (ticket !== 0) ColdAnswer.write(this.answers, { ticket, payload: encodeCold(answer) });
  }
}
