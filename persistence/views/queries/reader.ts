import Database from 'better-sqlite3';
import { viewsPath } from '../schema.ts';
import { AccountTradeQueries } from './account-trades.ts';
import { CallbackQueries } from './callbacks.ts';
import { CandleQueries } from './candles.ts';
import { ClosingQueries } from './closings.ts';
import { ExecutionQueries } from './executions.ts';
import { Names } from './names.ts';
import { OpenInterestQueries } from './open-interest.ts';
import { OrderHistoryQueries } from './order-history.ts';
import { OrderQueries } from './orders.ts';
import { PaymentQueries } from './payments.ts';
import { PositionQueries } from './positions.ts';
import type { CandlesRequest, QueryRequest } from './requests.ts';
import { StopOrderQueries } from './stop-orders.ts';
import { TradeHistoryQueries } from './trade-history.ts';
import { TradeMoveQueries } from './trade-moves.ts';
import { TradeWindowQueries } from './trade-windows.ts';
import { TradeQueries } from './trades.ts';
import { TransferQueries } from './transfers.ts';
import { UserActivityQueries } from './user-activity.ts';

const CACHE_KIBIBYTES = 32_768;

/**
 * Answers requests from the views of a data directory, read-only. Answers are JSON texts: whoever
 * passes them on to a client has nothing left to do.
 */
export class ViewsReader {
  private readonly database: Database.Database;
  private readonly names: Names;
  private readonly orders: OrderQueries;
  private readonly executions: ExecutionQueries;
  private readonly candles: CandleQueries;
  private readonly trades: TradeQueries;
  private readonly tradeWindows: TradeWindowQueries;
  private readonly transfers: TransferQueries;
  private readonly callbacks: CallbackQueries;
  private readonly userActivity: UserActivityQueries;
  private readonly openInterest: OpenInterestQueries;
  private readonly closings: ClosingQueries;
  private readonly positions: PositionQueries;
  private readonly stopOrders: StopOrderQueries;
  private readonly payments: PaymentQueries;
  private readonly orderHistory: OrderHistoryQueries;
  private readonly tradeHistory: TradeHistoryQueries;
  private readonly accountTrades: AccountTradeQueries;
  private readonly tradeMoves: TradeMoveQueries;
  private readonly inTransaction: (requests: readonly QueryRequest[]) => (string | null)[];

  constructor(dataDir: string) {
    this.database = new Database(viewsPath(dataDir), { readonly: true, fileMustExist: true });
    this.database.pragma(`cache_size = -${CACHE_KIBIBYTES}`);
    this.names = new Names(this.database);
    this.orders = new OrderQueries(this.database, this.names);
    this.executions = new ExecutionQueries(this.database, this.names);
    this.candles = new CandleQueries(this.database, this.names);
    this.trades = new TradeQueries(this.database);
    this.tradeWindows = new TradeWindowQueries(this.database);
    this.transfers = new TransferQueries(this.database, this.names);
    this.callbacks = new CallbackQueries(this.database, this.names);
    this.userActivity = new UserActivityQueries(this.database, this.names);
    this.openInterest = new OpenInterestQueries(this.database);
    this.closings = new ClosingQueries(this.database, this.names);
    this.positions = new PositionQueries(this.database);
    this.stopOrders = new StopOrderQueries(this.database, this.names);
    this.payments = new PaymentQueries(this.database, this.names);
    this.orderHistory = new OrderHistoryQueries(this.database);
    this.tradeHistory = new TradeHistoryQueries(this.database);
    this.accountTrades = new AccountTradeQueries(this.database, this.names);
    this.tradeMoves = new TradeMoveQueries(this.database);
    this.inTransaction = this.database.transaction((requests: readonly QueryRequest[]) => {
      this.names.refresh();
      return requests.map((request) => this.text(request));
    });
  }

  /** One answer a request, in their order, all at one point of the history; null: no such thing. */
  answer(requests: readonly QueryRequest[]): (string | null)[] {
    return this.inTransaction(requests);
  }

  close(): void {
    this.database.close();
  }

  private text(request: QueryRequest): string | null {
    if (request.kind === 'candles') return this.candles.text(request);
    const found = this.find(request);
    return found === null ? null : JSON.stringify(found);
  }

  private find(request: Exclude<QueryRequest, CandlesRequest>): object | null {
    switch (request.kind) {
      case 'order':
        return this.orders.order(request);
      case 'orderRecord':
        return this.orders.record(request);
      case 'orders':
        return this.orders.list(request);
      case 'orderHistory':
        return this.orderHistory.list(request);
      case 'tradeHistory':
        return this.tradeHistory.list(request);
      case 'accountTrades':
        return this.accountTrades.list(request);
      case 'lastTrades':
        return this.accountTrades.latest(request);
      case 'tradeMoves':
        return this.tradeMoves.find(request);
      case 'executions':
        return this.executions.list(request);
      case 'positionExecutions':
        return this.executions.ofPositions(request);
      case 'closings':
        return this.closings.list(request);
      case 'position':
        return this.positions.position(request);
      case 'stopOrder':
        return this.stopOrders.stopOrder(request);
      case 'stopOrders':
        return this.stopOrders.list(request);
      case 'funding':
        return this.payments.funding(request);
      case 'payments':
        return this.payments.payments(request);
      case 'trades':
        return this.trades.list(request);
      case 'tradeWindows':
        return this.tradeWindows.list(request);
      case 'transfers':
        return this.transfers.list(request);
      case 'callbacks':
        return this.callbacks.list(request);
      case 'userActivity':
        return this.userActivity.list(request);
      case 'openInterest':
        return this.openInterest.find(request);
    }
  }
}
