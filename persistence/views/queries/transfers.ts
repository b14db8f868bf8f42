import type Database from 'better-sqlite3';
import type { TransferStatusName, TransferTypeName } from '../../../core/messages/enums.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import type { TransferView } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import type { Names } from './names.ts';
import { PAGE_LIMITS, pageSize, type TransfersRequest } from './requests.ts';

type TransferRow = [
  id: number,
  deduplicationId: string,
  asset: number,
  type: TransferTypeName,
  status: TransferStatusName,
  amount: string,
  created: number,
  updated: number,
];

export class TransferQueries {
  private readonly names: Names;
  private readonly page: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.page = database
      .prepare(
        `SELECT id, deduplication_id, asset, type, status, amount, created, updated
         FROM transfers WHERE account = ? AND id < ? ORDER BY id DESC ${BOUND_LIMIT}`,
      )
      .raw();
  }

  /** The account's deposits and withdrawals, newest first. */
  list(request: TransfersRequest): TransferView[] {
    const before = request.lastTransferId ?? Number.MAX_SAFE_INTEGER;
    const limit = pageSize(request.limit, PAGE_LIMITS.transfers);
    const rows = this.page.all(request.account, before, limit) as TransferRow[];
    return rows.map(([id, deduplicationId, asset, type, status, amount, created, updated]) => ({
      transferId: String(id),
      deduplicationId,
      assetId: this.names.asset(asset).assetId,
      type,
      status,
      amount,
      createdAt: formatTimestamp(created),
      updatedAt: formatTimestamp(updated),
    }));
  }
}
