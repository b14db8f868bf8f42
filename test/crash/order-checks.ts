import type { OrderRead } from '../../gateway/routes/orders/schemas.ts';
import { unitsOf } from '../support/decimals.ts';
import { inParallel } from '../support/parallel.ts';
import type { OrderRecord, SeenState } from '../support/request-ledger.ts';
import { ORDERS, type OrderBody, read } from '../support/trading.ts';

const WIDTH = 16;
const AMOUNT_SCALE = 6;
const ENDED: readonly string[] = ['Completed', 'Cancelled', 'Expired', 'Rejected'];
const IMMEDIATE: readonly string[] = ['Ioc', 'Fok'];

/**
 * Reads every acknowledged order and compares it with what was acknowledged: an ended order has not
 * moved, an open one has at most gone on. Answers what is wrong, one sentence each.
 */
export async function checkAcknowledged(records: readonly OrderRecord[]): Promise<string[]> {
  const problems: string[] = [];
  await inParallel(records, WIDTH, async (record) => {
    const { client, orderId, clientOrderId } = record;
    const answer = await read(client, orderId);
    if (answer.status !== 200) {
      problems.push(`order ${orderId} (${clientOrderId}) is lost: ${answer.status} ${answer.text}`);
      return;
    }
    const { order } = answer.body;
    for (const problem of problemsOf(record, order)) {
      problems.push(`order ${orderId} (${clientOrderId}): ${problem}`);
    }
    record.seen = stateOf(order);
    record.unansweredChanges = 0;
  });
  return problems;
}

function problemsOf(record: OrderRecord, order: OrderRead): string[] {
  const { seen, fields } = record;
  const problems: string[] = [];
  const expect = (what: string, actual: unknown, expected: unknown): void => {
    if (actual !== expected) problems.push(`${what} is ${actual} instead of ${expected}`);
  };
  expect('clientOrderId', order.clientOrderId, record.clientOrderId);
  expect('createdAt', order.createdAt, record.createdAt);
  expect('side', order.side, fields['side']);
  expect('orderType', order.orderType, fields['orderType']);
  expect('timeInForce', order.timeInForce, fields['timeInForce']);
  if (seen === undefined) return problems;
  if (ENDED.includes(seen.status)) {
    expect('ended state', JSON.stringify(stateOf(order)), JSON.stringify(seen));
    return problems;
  }
  if (record.unansweredChanges === 0) {
    expect('requestedAmount', order.requestedAmount, seen.requestedAmount);
    expect('requestedPrice', order.requestedPrice, seen.requestedPrice);
  }
  const filled = filledOf(order);
  if (filled < filledOf(seen)) problems.push(`has lost fills: ${filled} of ${filledOf(seen)}`);
  const isImmediate = IMMEDIATE.includes(order.timeInForce);
  if (isImmediate && !ENDED.includes(order.status)) problems.push(`is still ${order.status}`);
  const mayEnd = isImmediate || record.unansweredChanges > 0 || order.source === 'System';
  if (order.status === 'Cancelled' && !mayEnd) problems.push('was cancelled by nobody');
  if (order.status === 'Completed') expect('remainingAmount', order.remainingAmount, '0');
  const isPartial = filled > 0n && order.remainingAmount !== '0';
  if (order.timeInForce === 'Fok' && isPartial) problems.push('is Fok and filled in part');
  return problems;
}

/**
 * Sends requests again that were never answered: each has made one order or none, and from now on it
 * has made one or is refused, whatever is sent.
 */
export async function checkUnanswered(records: readonly OrderRecord[]): Promise<string[]> {
  const problems: string[] = [];
  await inParallel(records, WIDTH, async (record) => {
    const { client, fields, clientOrderId } = record;
    const first = await client.post<OrderBody>(ORDERS, { order: fields });
    if (first.status !== 201) {
      record.outcome = 'refused';
      if (first.status >= 500) problems.push(`retry of ${clientOrderId}: ${first.text}`);
      return;
    }
    const second = await client.post(ORDERS, { order: fields });
    if (second.text !== first.text) {
      problems.push(`${clientOrderId} is answered ${first.text}, then ${second.text}`);
    }
    record.outcome = 'placed';
    record.answer = first.text;
    record.orderId = first.body.order.orderId;
    record.createdAt = first.body.order.createdAt;
    const { order } = (await read(client, record.orderId)).body;
    record.seen = stateOf(order);
    if (order.clientOrderId !== clientOrderId) {
      problems.push(`${clientOrderId} is answered with the order of ${order.clientOrderId}`);
    }
  });
  return problems;
}

/** Sends acknowledged requests again: each gets its first answer, byte for byte. */
export async function checkRepeats(records: readonly OrderRecord[]): Promise<string[]> {
  const problems: string[] = [];
  await inParallel(records, WIDTH, async ({ client, fields, answer, clientOrderId }) => {
    const again = await client.post(ORDERS, { order: fields });
    if (again.status === 201 && again.text === answer) return;
    problems.push(`${clientOrderId} was answered ${answer}, now ${again.status} ${again.text}`);
  });
  return problems;
}

function stateOf(order: OrderRead): SeenState {
  const { status, requestedAmount, remainingAmount, requestedPrice, executionPrice } = order;
  return { status, requestedAmount, remainingAmount, requestedPrice, executionPrice };
}

function filledOf({ requestedAmount, remainingAmount }: SeenState): bigint {
  return unitsOf(requestedAmount, AMOUNT_SCALE) - unitsOf(remainingAmount, AMOUNT_SCALE);
}
