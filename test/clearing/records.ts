import {
  BalancesAnswer,
  ColdAnswer,
  DepthAnswer,
  MarginOrderPriced,
  OrderPlaced,
  OrderPriced,
  OrderState,
  OrdersCancelled,
  Refused,
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
import { RecordCursor, type RecordOf } from '../../core/messages/record.ts';

/** Records of a batch as plain objects, named by their layout: what tests and checkers look at. */

const ANSWERS = {
  OrderPlaced,
  OrderState,
  Refused,
  OrdersCancelled,
  DepthAnswer,
  OrderPriced,
  MarginOrderPriced,
  BalancesAnswer,
  ColdAnswer,
};
const EVENTS = {
  OrderAccepted,
  OrdersTraded,
  OrderClosed,
  OrderAmended,
  MarginOrderAccepted,
  MarginExecution,
  CommissionDeducted,
  MarginOrderAmended,
  TrailingStopsMoved,
  FundingApplied,
  SwapsCharged,
};

type Named<T> = { [K in keyof T]: { readonly record: K } & RecordOf<T[K]> }[keyof T];

export type Answer = Named<typeof ANSWERS>;
export type AnswerOf<K extends Answer['record']> = Extract<Answer, { record: K }>;
export type HotEvent = Named<typeof EVENTS>;
export type VenueEvent =
  | HotEvent
  | { readonly record: 'Cold'; readonly time: number; readonly event: ColdEvent };
export type EventOf<K extends VenueEvent['record']> = Extract<VenueEvent, { record: K }>;

interface AnyLayout {
  readonly name: string;
  readonly kind: number;
  blank(): object;
  read(cursor: RecordCursor, target: object): object;
}

function byKind(table: object): Map<number, AnyLayout> {
  const layouts = Object.values(table) as AnyLayout[];
  return new Map(layouts.map((layout) => [layout.kind, layout]));
}

const answersByKind = byKind(ANSWERS);
const eventsByKind = byKind(EVENTS);

function decodeOne(layouts: Map<number, AnyLayout>, cursor: RecordCursor): object {
  const layout = layouts.get(cursor.kind);
  if (layout === undefined) throw new RangeError(`record of kind ${cursor.kind}`);
  return { record: layout.name, ...layout.read(cursor, layout.blank()) };
}

export function decodeAnswers(batch: ArrayBuffer | Uint8Array): Answer[] {
  const answers: Answer[] = [];
  const cursor = new RecordCursor(batch);
  while (cursor.next()) answers.push(decodeOne(answersByKind, cursor) as Answer);
  return answers;
}

export function decodeEvents(batch: ArrayBuffer | Uint8Array): VenueEvent[] {
  const events: VenueEvent[] = [];
  const cursor = new RecordCursor(batch);
  while (cursor.next()) {
    if (cursor.kind === ColdEventRecord.kind) {
      const { time, payload } = ColdEventRecord.read(cursor, ColdEventRecord.blank());
      events.push({ record: 'Cold', time, event: decodeCold<ColdEvent>(payload) });
    } else events.push(decodeOne(eventsByKind, cursor) as HotEvent);
  }
  return events;
}
