import type Database from 'better-sqlite3';
import type { OrdersTraded } from '../../core/messages/events.ts';
import type { MarginExecution } from '../../core/messages/margin-events.ts';
import { RowCollector } from './row-writer.ts';

const COLUMNS = [
  'id',
  'time',
  'market',
  'taker_side',
  'price',
  'quantity',
  'taker_order',
  'maker_order',
  'taker_fee',
  'maker_fee',
] as const;

/** Collects trades: rows that are only ever added. */
export class TradeFold {
  private readonly rows: RowCollector;

  constructor(database: Database.Database) {
    this.rows = new RowCollector(database, 'trades', COLUMNS);
  }

  trade(event: OrdersTraded): void {
    const { values } = this.rows;
    const at = this.rows.next();
    values[at] = event.executionId;
    values[at + 1] = event.time;
    values[at + 2] = event.market;
    values[at + 3] = event.takerSide;
    values[at + 4] = event.price;
    values[at + 5] = event.quantity;
    values[at + 6] = event.takerOrderId;
    values[at + 7] = event.makerOrderId;
    values[at + 8] = event.takerFee;
    values[at + 9] = event.makerFee;
  }

  /** A trade on margin, of which this is the taker's side: as much of it as the market sees. */
  execute(event: MarginExecution): void {
    const { values } = this.rows;
    const at = this.rows.next();
    values[at] = event.executionId;
    values[at + 1] = event.time;
    values[at + 2] = event.market;
    values[at + 3] = event.side;
    values[at + 4] = event.price;
    values[at + 5] = event.quantity;
    values[at + 6] = event.orderId;
    values[at + 7] = null;
    values[at + 8] = null;
    values[at + 9] = null;
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    this.rows.write();
  }
}
