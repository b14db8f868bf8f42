import { decodeCold } from '../../core/messages/codec.ts';
import type { Transfer } from '../../core/messages/cold-events.ts';
import { OrderStatus, Side } from '../../core/messages/enums.ts';
import { Refusals } from '../../core/messages/refusals.ts';
import type { Command } from '../clearing/commands.ts';
import type { Answer, AnswerOf } from '../clearing/records.ts';
import type { History } from './history.ts';

/** Something that a client wants, until it knows what became of it. */
export interface Request {
  readonly command: Command;
  /** Of the last time that it was sent. */
  ticket: number;
  attempts: number;
}

type Place = Extract<Command, { kind: 'place' | 'placeMargin' }>;

/** Whether the command creates an order, or a stop order. */
export function isPlacement(command: Command): command is Place {
  return command.kind === 'place' || command.kind === 'placeMargin';
}

/**
 * Everybody who sends requests: each is sent until it is answered, and again when the connection
 * broke before. Whatever is answered is held against what the journal says, now and for ever.
 */
export class Clients {
  /** Sent and not answered. */
  readonly waiting = new Map<number, Request>();
  /** Not answered when the venue went down: to be sent again. */
  readonly lost: Request[] = [];
  answered = 0;
  private nextTicket = 1;
  /** How the creation of each order and transfer was first answered, by the client’s own id. */
  private readonly firstAnswers = new Map<string, string>();
  /** Requests that may be repeated though they were answered. */
  private readonly repeatable: Command[] = [];

  send(request: Request): number {
    const ticket = this.nextTicket++;
    request.ticket = ticket;
    request.attempts++;
    this.waiting.set(ticket, request);
    return ticket;
  }

  /** The venue is down: nobody knows whether what is waiting was done. */
  disconnect(): void {
    for (const request of this.waiting.values()) {
      // An order without a name of its own is given up: sending it again might make a second one.
      const nameless = isPlacement(request.command) && !request.command.clientOrderId;
      if (!nameless) this.lost.push(request);
    }
    this.waiting.clear();
  }

  /** An answered request that is sent once more, as if the answer had been lost. */
  repeated(pick: (choices: readonly Command[]) => Command): Request | undefined {
    if (this.repeatable.length === 0) return undefined;
    return { command: pick(this.repeatable), ticket: 0, attempts: 1 };
  }

  /** Checks an answer against what is durable by now. */
  receive(answer: Answer, history: History): void {
    const request = this.waiting.get(answer.ticket);
    if (request === undefined) throw new Error(`${answer.record} answers nothing that waits`);
    this.waiting.delete(answer.ticket);
    this.answered++;
    const { command } = request;
    if (isPlacement(command)) this.placed(command, answer, history);
    else if (command.kind === 'cold') this.administered(request, answer, history);
    else if (answer.record === 'OrderState') checkState(command, answer, history);
  }

  private placed(command: Place, answer: Answer, history: History): void {
    const { account, clientOrderId = '' } = command;
    let first: string;
    if (answer.record === 'OrderPlaced') {
      checkPlaced(command, answer.orderId, history);
      first = `order ${answer.orderId}`;
    } else if (answer.record === 'Refused') {
      const rejected = answer.code === Refusals.PostOnlyWouldTake.code;
      const key = `order ${account} ${clientOrderId}`;
      // The same request may be refused first and then taken, but never the other way round.
      if (!rejected && this.firstAnswers.has(key)) {
        throw new Error(`${key} is refused with ${answer.code} after it was answered`);
      }
      if (!rejected) return;
      if (clientOrderId !== '' && history.orderOf(account, clientOrderId) === undefined) {
        throw new Error(`${key} is rejected and not in the journal`);
      }
      first = `refused ${answer.code}`;
    } else throw new Error(`${answer.record} answers an order`);
    if (clientOrderId !== '') this.remember(`order ${account} ${clientOrderId}`, first, command);
  }

  private administered({ command }: Request, answer: Answer, history: History): void {
    if (command.kind !== 'cold' || answer.record !== 'ColdAnswer') return;
    const { transfer } = decodeCold<{ transfer?: Transfer }>(answer.payload);
    if (transfer === undefined) return;
    const { transferId, deduplicationId, amount } = transfer;
    const known = history.transfers.get(transferId);
    if (known?.deduplicationId !== deduplicationId || known.amount !== amount) {
      throw new Error(`transfer ${transferId} is answered and not in the journal`);
    }
    this.remember(`transfer ${deduplicationId}`, `${transferId} ${transfer.status}`, command);
  }

  private remember(key: string, answer: string, command: Command): void {
    const first = this.firstAnswers.get(key);
    if (first !== undefined && first !== answer) {
      throw new Error(`${key} is answered "${answer}" after "${first}"`);
    }
    if (first === undefined) this.repeatable.push(command);
    this.firstAnswers.set(key, answer);
  }
}

/** An acknowledged order is in the journal, as it was asked for. */
function checkPlaced(command: Place, orderId: number, history: History): void {
  const waits = command.kind === 'placeMargin' && (command.activationPrice ?? 0) > 0;
  const order = waits ? history.stopOrders.get(orderId) : history.orders.get(orderId)?.accepted;
  if (order === undefined) throw new Error(`order ${orderId} is answered and not in the journal`);
  const asked = [
    command.account,
    command.market,
    Side[command.side],
    closesWhole(command) ? order.quantity : command.amount,
    command.price ?? 0,
    command.clientOrderId ?? '',
  ];
  const { account, market, side, quantity, price, clientOrderId } = order;
  const made = [account, market, side, quantity, price, clientOrderId];
  if (asked.join() !== made.join()) {
    throw new Error(`order ${orderId} is ${made.join()} where ${asked.join()} was asked for`);
  }
}

/** Without an amount a position is closed in whole. */
function closesWhole(command: Place): boolean {
  return command.kind === 'placeMargin' && command.positionId !== undefined && command.amount === 0;
}

/** The state that a cancel or an amend answered was true when its last event was written. */
function checkState(command: Command, answer: AnswerOf<'OrderState'>, history: History): void {
  const { orderId, status, remaining, quantity } = answer;
  const order = history.orders.get(orderId);
  if (history.stopOrders.has(orderId)) {
    if (!history.follower.stopOrders.has(orderId)) return;
    throw new Error(`stop order ${orderId} is answered as ${status}, and still waits`);
  }
  if (order === undefined) throw new Error(`order ${orderId} is answered and not in the journal`);
  const ended = status !== OrderStatus.Pending;
  if (command.kind === 'cancel' && status !== OrderStatus.Cancelled) {
    throw new Error(`order ${orderId} is answered as ${status} to a cancel`);
  }
  if (ended && (order.open || order.status !== status || order.remaining !== remaining)) {
    throw new Error(`order ${orderId} is answered as ended with ${remaining}, but it is not`);
  }
  if (command.kind === 'amend' && command.amount && command.amount !== quantity) {
    throw new Error(`order ${orderId} is answered with ${quantity} for ${command.amount}`);
  }
  if (remaining > quantity)
    throw new Error(`order ${orderId} has ${remaining} of ${quantity} left`);
}
