import type { MessagePort } from 'node:worker_threads';
import type { OrderView } from '../../core/messages/order-view.ts';
import type { Logger } from '../journal/index.ts';
import type { QueryOutcome, QueryTask, ViewsNotice, ViewsReport } from './protocol.ts';
import type {
  CallbackView,
  CandleView,
  ClosedPositionPage,
  ExecutionPage,
  FundingPage,
  OpenInterestView,
  OrderRecord,
  PaymentView,
  PositionRecord,
  StopOrderView,
  TradeView,
  TradeWindowView,
  TransferView,
  UserCondition,
} from './queries/forms.ts';
import {
  type AccountTradesRequest,
  type CallbacksRequest,
  type CandlesRequest,
  type ClosingsRequest,
  type ExecutionsRequest,
  type FundingRequest,
  type LastTradesRequest,
  ORDERS_PER_REQUEST,
  type OrderHistoryRequest,
  type OrderListRequest,
  type PaymentsRequest,
  type PositionExecutionsRequest,
  type QueryRequest,
  type StopOrdersRequest,
  type TradeHistoryRequest,
  type TradesRequest,
  type TradeWindowsRequest,
  type TransfersRequest,
  type UserActivityRequest,
} from './queries/requests.ts';
import type {
  AccountTradeView,
  LastTradesView,
  SpotTradeView,
  TradeMoves,
} from './queries/spot-trade-forms.ts';
import { type PendingQuery, QueryQueue, type QueryResult } from './query-queue.ts';
import { BUSY, type JsonOf, LAGGING, MISSING, type Read } from './reads.ts';
import { SequenceWaits } from './sequence-waits.ts';

export interface ViewsClientOptions {
  /** Runs a task in the query pool. */
  readonly run: (task: QueryTask) => Promise<QueryOutcome>;
  /** Tasks to give to the pool at once. */
  readonly tasksMax: number;
  /** How long a read may wait for the views to catch up, ms. */
  readonly waitMax: number;
  /** Reads under way at once, waiting ones included; more are refused as busy. */
  readonly pendingMax: number;
  readonly logger: Logger;
}

/**
 * The views as the gateway sees them. Every read takes `atLeast`, the newest sequence that had been
 * acknowledged to anyone when the read came in, and sees everything up to there.
 */
export class ViewsClient {
  private readonly options: ViewsClientOptions;
  private readonly queue: QueryQueue;
  private readonly waits: SequenceWaits<PendingQuery>;
  private port: MessagePort | null = null;
  /** -1 while there is nothing to read. */
  private projected = -1;
  private durableSequence = 0;
  private noticed = 0;
  private wanted = 0;
  private pending = 0;
  private closed = false;

  constructor(options: ViewsClientOptions) {
    this.options = options;
    this.queue = new QueryQueue(options.run, options.tasksMax);
    this.waits = new SequenceWaits(options.waitMax, (query) => query.settle(LAGGING));
  }

  /** Speaks to a views thread from now on; to a new one if the one before it ended. */
  attach(port: MessagePort): void {
    this.port = port;
    this.projected = -1;
    this.noticed = 0;
    this.wanted = 0;
    port.on('message', (report: ViewsReport) => this.onReport(report));
  }

  /** The sequence that reads see now; -1 until the views are open. */
  get projectedSequence(): number {
    return this.projected;
  }

  /** Reads under way. */
  get pendingReads(): number {
    return this.pending;
  }

  /** Tells the views what they may take up. Cheap: at most one message is under way. */
  durable(sequence: number): void {
    if (sequence <= this.durableSequence) return;
    this.durableSequence = sequence;
    if (this.noticed <= this.projected) this.sendDurable();
  }

  order(account: number, orderId: number, atLeast: number): Promise<Read<OrderView>> {
    return this.read({ kind: 'order', account, orderId }, atLeast);
  }

  /** The order as it is stored: for whoever computes with it. */
  orderRecord(account: number, orderId: number, atLeast: number): Promise<Read<OrderRecord>> {
    return this.read({ kind: 'orderRecord', account, orderId }, atLeast);
  }

  orders(request: Omit<OrderListRequest, 'kind'>, atLeast: number): Promise<Read<OrderView[]>> {
    return this.read({ ...request, kind: 'orders' }, atLeast);
  }

  /** Executions of one or several orders, `ORDERS_PER_REQUEST` at most. */
  executions(
    request: Omit<ExecutionsRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<ExecutionPage>> {
    if (request.orders.length > ORDERS_PER_REQUEST) {
      throw new RangeError(`executions of at most ${ORDERS_PER_REQUEST} orders at once`);
    }
    return this.read({ ...request, kind: 'executions' }, atLeast);
  }

  /** Executions of one or several positions, `ORDERS_PER_REQUEST` at most. */
  positionExecutions(
    request: Omit<PositionExecutionsRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<ExecutionPage>> {
    if (request.positionIds.length > ORDERS_PER_REQUEST) {
      throw new RangeError(`executions of at most ${ORDERS_PER_REQUEST} positions at once`);
    }
    return this.read({ ...request, kind: 'positionExecutions' }, atLeast);
  }

  closings(
    request: Omit<ClosingsRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<ClosedPositionPage>> {
    return this.read({ ...request, kind: 'closings' }, atLeast);
  }

  position(account: number, positionId: number, atLeast: number): Promise<Read<PositionRecord>> {
    return this.read({ kind: 'position', account, positionId }, atLeast);
  }

  stopOrder(account: number, orderId: number, atLeast: number): Promise<Read<StopOrderView>> {
    return this.read({ kind: 'stopOrder', account, orderId }, atLeast);
  }

  stopOrders(
    request: Omit<StopOrdersRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<StopOrderView[]>> {
    return this.read({ ...request, kind: 'stopOrders' }, atLeast);
  }

  /** Settlements of a Perp market, newest first. */
  funding(request: Omit<FundingRequest, 'kind'>, atLeast: number): Promise<Read<FundingPage>> {
    return this.read({ ...request, kind: 'funding' }, atLeast);
  }

  payments(request: Omit<PaymentsRequest, 'kind'>, atLeast: number): Promise<Read<PaymentView[]>> {
    return this.read({ ...request, kind: 'payments' }, atLeast);
  }

  orderHistory(
    request: Omit<OrderHistoryRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<OrderRecord[]>> {
    return this.read({ ...request, kind: 'orderHistory' }, atLeast);
  }

  tradeHistory(
    request: Omit<TradeHistoryRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<SpotTradeView[]>> {
    return this.read({ ...request, kind: 'tradeHistory' }, atLeast);
  }

  /** Everybody's executions. */
  accountTrades(
    request: Omit<AccountTradesRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<AccountTradeView[]>> {
    return this.read({ ...request, kind: 'accountTrades' }, atLeast);
  }

  lastTrades(
    request: Omit<LastTradesRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<LastTradesView>> {
    return this.read({ ...request, kind: 'lastTrades' }, atLeast);
  }

  tradeMoves(executionId: number, atLeast: number): Promise<Read<TradeMoves>> {
    return this.read({ kind: 'tradeMoves', executionId }, atLeast);
  }

  candles(request: Omit<CandlesRequest, 'kind'>, atLeast: number): Promise<Read<CandleView[]>> {
    return this.read({ ...request, kind: 'candles' }, atLeast);
  }

  trades(request: Omit<TradesRequest, 'kind'>, atLeast: number): Promise<Read<TradeView[]>> {
    return this.read({ ...request, kind: 'trades' }, atLeast);
  }

  /** One window a market, in the order asked for; null where nothing was traded. */
  tradeWindows(
    request: Omit<TradeWindowsRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<(TradeWindowView | null)[]>> {
    return this.read({ ...request, kind: 'tradeWindows' }, atLeast);
  }

  transfers(
    request: Omit<TransfersRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<TransferView[]>> {
    return this.read({ ...request, kind: 'transfers' }, atLeast);
  }

  callbacks(
    request: Omit<CallbacksRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<CallbackView[]>> {
    return this.read({ ...request, kind: 'callbacks' }, atLeast);
  }

  userActivity(
    request: Omit<UserActivityRequest, 'kind'>,
    atLeast: number,
  ): Promise<Read<UserCondition[]>> {
    return this.read({ ...request, kind: 'userActivity' }, atLeast);
  }

  openInterest(market: number, atLeast: number): Promise<Read<OpenInterestView>> {
    return this.read({ kind: 'openInterest', market }, atLeast);
  }

  /** Refuses further reads and gives up those that wait for the views to catch up. */
  refuse(): void {
    this.closed = true;
    this.waits.abandonAll();
  }

  /** Asks the views thread to end. */
  close(): void {
    this.refuse();
    this.post({ kind: 'close' });
  }

  private read<T>(request: QueryRequest, atLeast: number): Promise<Read<T>> {
    if (this.closed) return Promise.resolve(LAGGING);
    if (this.pending >= this.options.pendingMax) return Promise.resolve(BUSY);
    this.pending++;
    return new Promise((resolve, reject) => {
      const settle = (result: QueryResult): void => {
        this.pending--;
        if (result.kind === 'text') {
          resolve(
            result.text === null ? MISSING : { kind: 'answer', json: result.text as JsonOf<T> },
          );
        } else if (result.kind === 'lagging') resolve(LAGGING);
        else if (result.damaged) resolve(this.reportDamage(result.message));
        else reject(new Error(result.message));
      };
      this.submit({ request, settle }, Math.max(0, atLeast));
    });
  }

  private submit(query: PendingQuery, atLeast: number): void {
    if (atLeast <= this.projected) {
      this.queue.add(query);
      return;
    }
    this.waits.add(atLeast, query);
    if (atLeast <= this.wanted) return;
    this.wanted = atLeast;
    this.post({ kind: 'wanted', sequence: atLeast });
  }

  private reportDamage(reason: string): typeof LAGGING {
    this.post({ kind: 'damaged', generation: this.queue.generation, reason });
    return LAGGING;
  }

  private onReport(report: ViewsReport): void {
    if (report.kind === 'log') {
      this.options.logger[report.level](report.details, report.message);
    } else if (report.kind === 'projected') {
      this.projected = report.sequence;
      this.queue.generation = report.generation;
      for (const query of this.waits.takeUpTo(report.sequence)) this.queue.add(query);
      if (this.durableSequence > this.noticed && this.noticed <= this.projected) this.sendDurable();
    }
  }

  private sendDurable(): void {
    this.noticed = this.durableSequence;
    this.post({ kind: 'durable', sequence: this.noticed });
  }

  private post(notice: ViewsNotice): void {
    this.port?.postMessage(notice);
  }
}
