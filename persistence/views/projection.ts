import type Database from 'better-sqlite3';
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
  MarginExecution,
  MarginOrderAccepted,
  MarginOrderAmended,
} from '../../core/messages/margin-events.ts';
import { RecordCursor } from '../../core/messages/record.ts';
import type { JournalBatch } from '../journal/index.ts';
import { CandleFold } from './candle-fold.ts';
import { ViewsInconsistent } from './errors.ts';
import { MarginFold } from './margin/margin-fold.ts';
import { OrderFold } from './order-fold.ts';
import { packLots } from './packing.ts';
import { ProgressTable } from './progress.ts';
import { ReferenceFold } from './reference-fold.ts';
import { ReversalFold } from './reversal-fold.ts';
import { TradeFold } from './trade-fold.ts';
import { VolumeFold } from './volume-fold.ts';

/**
 * Turns events into rows. `fold` takes journal batches into memory, `commit` writes what they add up
 * to in one transaction together with the sequence that was reached: each event takes effect exactly
 * once, whatever happens in between. Where batches are cut makes no difference to the rows.
 *
 * After an error the projection and its connection are to be thrown away.
 */
export class Projection {
  private readonly orders: OrderFold;
  private readonly candles: CandleFold;
  private readonly reference: ReferenceFold;
  private readonly trades: TradeFold;
  private readonly volumes: VolumeFold;
  private readonly reversals: ReversalFold;
  private readonly margin: MarginFold;
  private readonly progress: ProgressTable;
  private readonly transaction: (chainHash: Uint8Array) => void;
  private committed: number;
  private nextSequence: number;

  private readonly accepted = OrderAccepted.blank();
  private readonly traded = OrdersTraded.blank();
  private readonly closed = OrderClosed.blank();
  private readonly amended = OrderAmended.blank();
  private readonly cold = ColdEventRecord.blank();
  private readonly marginAccepted = MarginOrderAccepted.blank();
  private readonly executed = MarginExecution.blank();
  private readonly marginAmended = MarginOrderAmended.blank();

  /** On a connection to a database that has the schema. */
  constructor(database: Database.Database) {
    this.progress = new ProgressTable(database);
    const progress = this.progress.read();
    if (progress === null) throw new ViewsInconsistent('the progress is not readable');
    this.committed = progress.sequence;
    this.nextSequence = progress.sequence + 1;
    this.reference = new ReferenceFold(database);
    this.orders = new OrderFold(database);
    this.candles = new CandleFold(database);
    this.trades = new TradeFold(database);
    this.volumes = new VolumeFold(database);
    this.reversals = new ReversalFold(database);
    this.margin = new MarginFold(database, this.reference);
    this.transaction = database.transaction((hash: Uint8Array) => this.write(hash));
  }

  /** The last sequence that was folded; it is readable once `commit` has returned. */
  get sequence(): number {
    return this.nextSequence - 1;
  }

  /** Takes the batch that follows the last one. */
  fold(batch: JournalBatch): void {
    if (batch.firstSequence !== this.nextSequence) {
      throw new ViewsInconsistent(
        `sequence ${this.nextSequence} is next, the journal gave ${batch.firstSequence}`,
      );
    }
    const cursor = new RecordCursor(batch.events);
    let count = 0;
    while (cursor.next()) {
      this.apply(cursor);
      count++;
    }
    if (count !== batch.count) {
      throw new ViewsInconsistent(
        `the batch at ${batch.firstSequence} holds ${count} events, not ${batch.count}`,
      );
    }
    this.nextSequence += count;
  }

  /** Makes what was folded readable. `chainHash` is the journal's at the end of the last batch. */
  commit(chainHash: Uint8Array): void {
    if (this.committed === this.sequence) return;
    this.transaction(chainHash);
    this.committed = this.sequence;
  }

  private apply(cursor: RecordCursor): void {
    switch (cursor.kind) {
      case OrderAccepted.kind: {
        const event = OrderAccepted.read(cursor, this.accepted);
        return this.orders.accept(event, this.reference.scalesOf(event.market), null);
      }
      case OrdersTraded.kind:
        return this.trade(OrdersTraded.read(cursor, this.traded));
      case OrderClosed.kind:
        return this.orders.close(OrderClosed.read(cursor, this.closed));
      case OrderAmended.kind:
        return this.orders.amend(OrderAmended.read(cursor, this.amended));
      case MarginOrderAccepted.kind:
        return this.acceptOnMargin(MarginOrderAccepted.read(cursor, this.marginAccepted));
      case MarginExecution.kind:
        return this.execute(MarginExecution.read(cursor, this.executed));
      case MarginOrderAmended.kind:
        return this.orders.amend(MarginOrderAmended.read(cursor, this.marginAmended));
      case ColdEventRecord.kind: {
        const { time, payload } = ColdEventRecord.read(cursor, this.cold);
        const event = decodeCold<ColdEvent>(payload);
        this.reference.apply(event);
        this.reversals.apply(event, time);
        return this.margin.apply(event, time);
      }
      default:
        if (this.margin.take(cursor)) return;
        throw new ViewsInconsistent(`there is no event of kind ${cursor.kind}`);
    }
  }

  private trade(event: OrdersTraded): void {
    const { time, market, price, quantity } = event;
    this.orders.trade(event);
    const scales = this.reference.scalesOf(market);
    this.candles.trade(market, scales, 1, time, price, quantity);
    this.trades.trade(event);
    this.volumes.add(event.takerAccount, market, scales, 1, price, quantity);
    this.volumes.add(event.makerAccount, market, scales, 1, price, quantity);
  }

  private acceptOnMargin(event: MarginOrderAccepted): void {
    const { market, leverage } = event;
    const lots = packLots(this.reference.lotSizeOf(market), leverage);
    this.orders.accept(event, this.reference.scalesOf(market), lots);
  }

  /** A trade has two executions; the market sees the taker's. */
  private execute(event: MarginExecution): void {
    this.orders.execute(event);
    this.margin.execute(event);
    const { account, market, time, price, quantity } = event;
    const lotSize = this.reference.lotSizeOf(market);
    const scales = this.reference.scalesOf(market);
    this.volumes.add(account, market, scales, lotSize, price, quantity);
    if (event.isMaker === 1) return;
    this.candles.trade(market, scales, lotSize, time, price, quantity);
    this.trades.execute(event);
  }

  private write(chainHash: Uint8Array): void {
    const configured = this.reference.changed;
    this.reference.write();
    this.orders.write();
    this.trades.write();
    this.volumes.write();
    this.reversals.write();
    this.candles.write();
    this.margin.write();
    this.progress.advance(this.sequence, chainHash, configured);
  }
}
