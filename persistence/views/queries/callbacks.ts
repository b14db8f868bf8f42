import type Database from 'better-sqlite3';
import type { TransferStatusName, TransferTypeName } from '../../../core/messages/enums.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import type { CallbackView } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import type { Names } from './names.ts';
import { type CallbacksRequest, PAGE_LIMITS, pageSize } from './requests.ts';

type CallbackRow = [
  id: number,
  url: string,
  status: TransferStatusName,
  time: number,
  transfer: number,
  deduplicationId: string,
  accountId: string,
  asset: number,
  type: TransferTypeName,
  amount: string,
  created: number,
];

/** A scan of as many rows as the page holds. */
const CALLBACKS = `SELECT callbacks.id, url, callbacks.status, time, transfer, deduplication_id,
      account_id, asset, type, amount, created
    FROM callbacks
    CROSS JOIN transfers ON transfers.id = transfer
    CROSS JOIN accounts ON accounts.id = account
    WHERE callbacks.id > ? ORDER BY callbacks.id ${BOUND_LIMIT}`;

export class CallbackQueries {
  private readonly names: Names;
  private readonly page: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.page = database.prepare(CALLBACKS).raw();
  }

  /** States of transfers that somebody wants to be told of, in the journal's order. */
  list({ after, limit }: CallbacksRequest): CallbackView[] {
    const size = pageSize(limit, PAGE_LIMITS.callbacks);
    return (this.page.all(after, size) as CallbackRow[]).map((row) => this.view(row));
  }

  private view(row: CallbackRow): CallbackView {
    const [id, url, status, time, transfer, deduplicationId, accountId, asset, ...rest] = row;
    const [type, amount, created] = rest;
    return {
      id,
      url,
      transfer: {
        transferId: String(transfer),
        deduplicationId,
        accountId,
        assetId: this.names.asset(asset).assetId,
        type,
        status,
        amount,
        createdAt: formatTimestamp(created),
        updatedAt: formatTimestamp(time),
      },
    };
  }
}
