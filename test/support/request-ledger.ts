import type { OrderForm } from '../../gateway/routes/orders/schemas.ts';
import type { ApiClient } from './api-client.ts';
import type { OrderFields } from './trading.ts';

/** What a client knows about an order that it asked for. */
export interface OrderRecord {
  readonly clientOrderId: string;
  readonly client: ApiClient;
  readonly fields: OrderFields;
  /** `unknown`: sent, and the connection ended before an answer; `turned-away`: answered 503. */
  outcome: 'unknown' | 'placed' | 'refused' | 'turned-away';
  /** The whole answer, for a repeat must get the same. */
  answer: string;
  orderId: string;
  createdAt: string;
  /** The latest acknowledged state: of the creation, of a read, an amend or a cancel. */
  seen: SeenState | undefined;
  /** Cancels and amends of this order that were sent and not answered. */
  unansweredChanges: number;
}

/** An order's state as some answer told it. */
export type SeenState = Pick<
  OrderForm,
  'status' | 'requestedAmount' | 'remainingAmount' | 'requestedPrice' | 'executionPrice'
>;

/** Everything that the clients of one load asked for, and what they were told. */
export class RequestLedger {
  readonly orders: OrderRecord[] = [];
  private readonly keeps: boolean;
  acknowledged = 0;
  refused = 0;
  /** Answers 503: nothing was done. */
  turnedAway = 0;
  /** Status codes and bodies that no client should ever see. */
  readonly unexpected: string[] = [];

  /** Without `keeps` it only counts: for loads that run for hours. */
  constructor(keeps = true) {
    this.keeps = keeps;
  }

  add(client: ApiClient, clientOrderId: string, fields: OrderFields): OrderRecord {
    const record: OrderRecord = {
      clientOrderId,
      client,
      fields,
      outcome: 'unknown',
      answer: '',
      orderId: '',
      createdAt: '',
      seen: undefined,
      unansweredChanges: 0,
    };
    if (this.keeps) this.orders.push(record);
    return record;
  }

  get placed(): OrderRecord[] {
    return this.with('placed');
  }

  with(wanted: OrderRecord['outcome']): OrderRecord[] {
    return this.orders.filter(({ outcome }) => outcome === wanted);
  }
}
