import type Database from 'better-sqlite3';
import type { CommissionDeducted, MarginExecution } from '../../../core/messages/margin-events.ts';
import { packFacts } from '../packing.ts';
import { RowWriter } from '../row-writer.ts';

const EXECUTION_COLUMNS = [
  'id',
  'time',
  'order_id',
  'facts',
  'price',
  'quantity',
  'closed_position',
  'closed_quantity',
  'realized',
  'opened_position',
  'opened_quantity',
  'commission',
  'commission_from_root',
] as const;
const COMMISSION_COLUMNS = ['execution', 'asset', 'amount'] as const;

type Value = number | bigint | null;

/** Collects executions on margin and what they were charged: rows that are only ever added. */
export class ExecutionFold {
  private executions: Value[][] = [];
  private commissions: Value[][] = [];
  private readonly executionRows: RowWriter;
  private readonly commissionRows: RowWriter;

  constructor(database: Database.Database) {
    this.executionRows = new RowWriter(database, 'margin_executions', EXECUTION_COLUMNS);
    this.commissionRows = new RowWriter(database, 'margin_commissions', COMMISSION_COLUMNS);
  }

  execute(event: MarginExecution): void {
    this.executions.push([
      event.executionId,
      event.time,
      event.orderId,
      packFacts(event.side, event.isMaker, event.reason),
      event.price,
      event.quantity,
      event.closedPositionId === 0 ? null : event.closedPositionId,
      event.closedQuantity,
      event.realizedInRoot,
      event.openedPositionId === 0 ? null : event.openedPositionId,
      event.openedQuantity,
      event.commission,
      event.commissionFromRoot,
    ]);
  }

  deduct({ executionId, asset, amount }: CommissionDeducted): void {
    this.commissions.push([executionId, asset, amount]);
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    append(this.executionRows, this.executions);
    append(this.commissionRows, this.commissions);
    this.executions = [];
    this.commissions = [];
  }
}

function append(rows: RowWriter, list: readonly (readonly Value[])[]): void {
  for (const row of list) {
    const at = rows.next();
    for (const [column, value] of row.entries()) rows.values[at + column] = value;
  }
  rows.finish();
}
