import type Database from 'better-sqlite3';
import type { OrdersTraded } from '../../core/messages/events.ts';
import type { MarginExecution } from '../../core/messages/margin-events.ts';
import { RowWriter } from './row-writer.ts';

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
const WIDTH = COLUMNS.length;

/** Collects trades: rows that are only ever added. */
export class TradeFold {
  /** The values of all rows one after another; the list is kept and overwritten. */
  private readonly values: (number | bigint | null)[] = [];
  private filled = 0;
  private readonly rows: RowWriter;

  constructor(database: Database.Database) {
    this.rows = new RowWriter(database, 'trades', COLUMNS);
  }

  trade(event: OrdersTraded): void {
    const { values } = this;
    const at = this.filled;
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
    this.filled = at + WIDTH;
  }

  /** A trade on margin, of which this is the taker's side: as much of it as the market sees. */
  execute(event: MarginExecution): void {
    const { executionId, time, market, side, price, quantity, orderId } = event;
    const row = [executionId, time, market, side, price, quantity, orderId, null, null, null];
    for (const [column, value] of row.entries()) this.values[this.filled + column] = value;
    this.filled += WIDTH;
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    const target = this.rows.values;
    for (let at = 0; at < this.filled; at += WIDTH) {
      const to = this.rows.next();
      for (let column = 0; column < WIDTH; column++) {
        target[to + column] = this.values[at + column] ?? null;
      }
    }
    this.rows.finish();
    this.filled = 0;
  }
}
