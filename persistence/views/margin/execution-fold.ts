import type Database from 'better-sqlite3';
import type { CommissionDeducted, MarginExecution } from '../../../core/messages/margin-events.ts';
import { packFacts } from '../packing.ts';
import { RowCollector } from '../row-writer.ts';

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

/** Collects executions on margin and what they were charged: rows that are only ever added. */
export class ExecutionFold {
  private readonly executions: RowCollector;
  private readonly commissions: RowCollector;

  constructor(database: Database.Database) {
    this.executions = new RowCollector(database, 'margin_executions', EXECUTION_COLUMNS);
    this.commissions = new RowCollector(database, 'margin_commissions', COMMISSION_COLUMNS);
  }

  execute(event: MarginExecution): void {
    const { values } = this.executions;
    const at = this.executions.next();
    values[at] = event.executionId;
    values[at + 1] = event.time;
    values[at + 2] = event.orderId;
    values[at + 3] = packFacts(event.side, event.isMaker, event.reason);
    values[at + 4] = event.price;
    values[at + 5] = event.quantity;
    values[at + 6] = event.closedPositionId === 0 ? null : event.closedPositionId;
    values[at + 7] = event.closedQuantity;
    values[at + 8] = event.realizedInRoot;
    values[at + 9] = event.openedPositionId === 0 ? null : event.openedPositionId;
    values[at + 10] = event.openedQuantity;
    values[at + 11] = event.commission;
    values[at + 12] = event.commissionFromRoot;
  }

  deduct({ executionId, asset, amount }: CommissionDeducted): void {
    const { values } = this.commissions;
    const at = this.commissions.next();
    values[at] = executionId;
    values[at + 1] = asset;
    values[at + 2] = amount;
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    this.executions.write();
    this.commissions.write();
  }
}
