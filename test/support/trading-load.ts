import { formatUnits } from '../../core/fixed-point/index.ts';
import type { OrderForm, OrderRead } from '../../gateway/routes/orders/schemas.ts';
import { type ApiClient, parsed } from './api-client.ts';
import { Connection, ConnectionLost, type WireAnswer, type WireRequest } from './connection.ts';
import type { OrderRecord, RequestLedger, SeenState } from './request-ledger.ts';
import { randomSource } from './seed.ts';
import { ORDERS, ORDERS_V4, type OrderFields } from './trading.ts';

export interface LoadOptions {
  readonly port: number;
  /** Who trades; connections are dealt out among them in turn. */
  readonly traders: readonly ApiClient[];
  readonly connections: number;
  readonly seed: number;
  /** Makes clientOrderIds unique over several loads on one server. */
  readonly name: string;
  readonly ledger: RequestLedger;
  /** The most orders that one connection keeps open; beyond it it cancels. */
  readonly openMax?: number;
  /** Milliseconds between an answer and the next request. */
  readonly pause?: number;
}

const MARKET = 'spot.btc_usdt';
const MIDDLE_CENTS = 2_000_000;
const SPREAD_CENTS = 500;
const AMOUNT_STEPS_MAX = 2000;

/**
 * Traders that place, cancel, amend and read at random, all connections at once, each one request at a
 * time. Prices meet often enough that a good part trades. Runs until it is stopped or the server goes.
 */
export class TradingLoad {
  private readonly options: LoadOptions;
  private readonly connections: Connection[] = [];
  private isStopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(options: LoadOptions) {
    this.options = options;
  }

  start(): void {
    const { connections, traders, seed } = this.options;
    const loops = Array.from({ length: connections }, (_, index) => {
      const trader = traders[index % traders.length] as ApiClient;
      const loop = new Loop(this.options, trader, index, randomSource(seed * 1009 + index));
      return this.run(loop);
    });
    this.running = Promise.all(loops).then(() => undefined);
  }

  /** Lets every request that is under way be answered, then resolves. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
    for (const connection of this.connections.splice(0)) connection.destroy();
  }

  /** Resolves when every connection has been lost. */
  async lost(): Promise<void> {
    await this.running;
  }

  private async run(loop: Loop): Promise<void> {
    const { port, pause = 0 } = this.options;
    try {
      const connection = await Connection.open(port);
      this.connections.push(connection);
      while (!this.isStopping) {
        await loop.step(connection);
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      }
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }
}

/** The random trader of one connection. */
class Loop {
  private readonly options: LoadOptions;
  private readonly trader: ApiClient;
  private readonly index: number;
  private readonly random: () => number;
  private readonly open: OrderRecord[] = [];
  private count = 0;

  constructor(options: LoadOptions, trader: ApiClient, index: number, random: () => number) {
    this.options = options;
    this.trader = trader;
    this.index = index;
    this.random = random;
  }

  step(connection: Connection): Promise<void> {
    const { openMax = 50 } = this.options;
    const draw = this.random();
    const record = this.open[Math.floor(this.random() * this.open.length)];
    if (record === undefined || (draw < 0.6 && this.open.length < openMax)) {
      return this.place(connection);
    }
    if (draw < 0.8) return this.cancel(connection, record);
    if (draw < 0.9) return this.amend(connection, record);
    return this.read(connection, record);
  }

  private async place(connection: Connection): Promise<void> {
    const { name, ledger } = this.options;
    const clientOrderId = `${name}-${this.index}-${this.count++}`;
    const fields = { ...this.terms(), clientOrderId };
    const record = ledger.add(this.trader, clientOrderId, fields);
    const answer = await this.ask(connection, 'POST', ORDERS, { order: fields });
    if (answer.status === 201) {
      const { order } = answer.body as { order: OrderForm };
      record.outcome = 'placed';
      record.answer = answer.text;
      record.orderId = order.orderId;
      record.createdAt = order.createdAt;
      ledger.acknowledged++;
      this.saw(record, order);
      this.open.push(record);
    } else if (this.isRefusal(answer)) {
      record.outcome = answer.status === 503 ? 'turned-away' : 'refused';
    }
  }

  private async cancel(connection: Connection, record: OrderRecord): Promise<void> {
    await this.change(connection, record, 'DELETE', `${ORDERS}/${record.orderId}`);
  }

  private async amend(connection: Connection, record: OrderRecord): Promise<void> {
    const order =
      this.random() < 0.5 ? { requestedAmount: this.amount() } : { requestedPrice: this.price() };
    await this.change(connection, record, 'PATCH', `${ORDERS_V4}/${record.orderId}`, { order });
  }

  private async change(
    connection: Connection,
    record: OrderRecord,
    method: string,
    path: string,
    body?: object,
  ): Promise<void> {
    record.unansweredChanges++;
    const answer = await this.ask(connection, method, path, body);
    record.unansweredChanges--;
    if (answer.status === 200) {
      this.options.ledger.acknowledged++;
      this.saw(record, (answer.body as { order: OrderForm }).order);
    } else if (answer.status === 409 || answer.status === 404) this.forget(record);
    else this.isRefusal(answer);
  }

  private async read(connection: Connection, record: OrderRecord): Promise<void> {
    const answer = await this.ask(connection, 'GET', `${ORDERS_V4}/${record.orderId}`);
    if (answer.status === 200) this.saw(record, (answer.body as { order: OrderRead }).order);
    else this.isRefusal(answer);
  }

  private async ask(connection: Connection, method: string, path: string, body?: object) {
    const request: WireRequest = this.trader.request(method, path, body);
    return parsed(await connection.exchange(request));
  }

  private saw(record: OrderRecord, state: SeenState): void {
    const { status, requestedAmount, remainingAmount, requestedPrice, executionPrice } = state;
    record.seen = { status, requestedAmount, remainingAmount, requestedPrice, executionPrice };
    if (status !== 'Pending' && status !== 'Working') this.forget(record);
  }

  private forget(record: OrderRecord): void {
    const at = this.open.indexOf(record);
    if (at >= 0) this.open.splice(at, 1);
  }

  /** Counts a refusal; what is neither one nor an answer is kept as unexpected. */
  private isRefusal({ status, headers, text }: WireAnswer): boolean {
    const { ledger } = this.options;
    const mayRetry = Number(headers['retry-after']) >= 1;
    if (status === 503 && mayRetry) ledger.turnedAway++;
    else if (status === 400 || status === 409) ledger.refused++;
    else ledger.unexpected.push(`${status} ${text}`);
    return status < 500 || status === 503;
  }

  private terms(): OrderFields {
    const side = this.random() < 0.5 ? 'Buy' : 'Sell';
    const common = { marketId: MARKET, side, requestedAmount: this.amount() };
    const draw = this.random();
    if (draw < 0.12) return { ...common, orderType: 'Market', timeInForce: 'Ioc' };
    const price = { orderType: 'Limit', requestedPrice: this.price() };
    if (draw < 0.2) return { ...common, ...price, timeInForce: 'Fok' };
    if (draw < 0.28) return { ...common, ...price, timeInForce: 'Ioc' };
    if (draw < 0.34) return { ...common, ...price, timeInForce: 'Day' };
    if (draw < 0.4) return { ...common, ...price, timeInForce: 'Gtc', postOnly: true };
    return { ...common, ...price, timeInForce: 'Gtc' };
  }

  private price(): string {
    const cents = MIDDLE_CENTS + Math.floor((this.random() * 2 - 1) * SPREAD_CENTS);
    return formatUnits(cents, 2);
  }

  private amount(): string {
    return formatUnits(1 + Math.floor(this.random() * AMOUNT_STEPS_MAX), 6);
  }
}
