import type Database from 'better-sqlite3';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import { nameAt, REASONS, SIDES } from '../../../core/messages/enums.ts';
import { baseAmount } from '../../../core/messages/order-figures.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { factReason, factSide, unpackScales } from '../packing.ts';
import type { ExecutionView } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import type { Names } from './names.ts';

/** One execution as it is stored, with what its order counts in. Sums come as text. */
interface ExecutionRow {
  readonly id: number;
  readonly time: number;
  readonly orderId: number;
  readonly facts: number;
  readonly price: number;
  readonly quantity: number;
  readonly closedPosition: number | null;
  readonly closedQuantity: number;
  readonly realized: string;
  readonly openedPosition: number | null;
  readonly openedQuantity: number;
  readonly commission: string;
  readonly fromRoot: string;
  readonly scales: number;
  readonly lots: number | null;
}

/** The part of an execution that belongs to one position. */
interface Part {
  readonly position: number;
  readonly quantity: number;
  readonly realized: bigint;
  readonly opens: boolean;
}

/** An execution whose views are made once it is known to be on the page. */
export interface FoundExecution {
  readonly id: number;
  /** One, or two for a flip: what it opened, then what it closed. */
  views(): ExecutionView[];
}

const COLUMNS = `e.id, e.time, e.order_id AS orderId, facts, e.price, e.quantity,
  closed_position AS closedPosition, closed_quantity AS closedQuantity,
  CAST(realized AS TEXT) AS realized, opened_position AS openedPosition,
  opened_quantity AS openedQuantity, CAST(e.commission AS TEXT) AS commission,
  CAST(commission_from_root AS TEXT) AS fromRoot, scales, lots`;
const WITH_ORDER = 'margin_executions e CROSS JOIN orders ON orders.id = e.order_id';

/** Pages: scans of as many index entries, and for a position of as many as its offset too. */
export const MARGIN_EXECUTIONS = {
  marginExecutions: `SELECT ${COLUMNS} FROM ${WITH_ORDER}
    WHERE e.order_id = ? AND e.id < ? AND ? IN (0, closed_position, opened_position) ORDER BY e.id DESC ${BOUND_LIMIT}`,
} as const;

const OF_POSITION = `SELECT id FROM margin_executions WHERE opened_position = @position
  UNION ALL SELECT id FROM margin_executions WHERE closed_position = @position
  ORDER BY id DESC LIMIT @limit + 0 OFFSET @offset + 0`;

/** Executions on margin: each shows what it did to one position, a flip as two. */
export class MarginExecutionQueries {
  private readonly names: Names;
  private readonly byOrder: Database.Statement;
  private readonly idsByPosition: Database.Statement;
  private readonly byId: Database.Statement;
  private readonly commissions: Database.Statement;
  private readonly comment: Database.Statement;
  private readonly owner: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.byOrder = database.prepare(MARGIN_EXECUTIONS.marginExecutions);
    this.idsByPosition = database.prepare(OF_POSITION).pluck();
    this.byId = database.prepare(`SELECT ${COLUMNS} FROM ${WITH_ORDER} WHERE e.id = ?`);
    this.commissions = database
      .prepare(
        `SELECT asset, CAST(amount AS TEXT) FROM margin_commissions
         WHERE execution = ? ORDER BY asset`,
      )
      .raw();
    this.comment = database
      .prepare(
        'SELECT comment FROM orders WHERE id = (SELECT open_order FROM positions WHERE id = ?)',
      )
      .pluck();
    this.owner = database.prepare('SELECT account FROM positions WHERE id = ?').pluck();
  }

  /** Of an order, newest first; with a position only what was done to that one. */
  ofOrder(
    orderId: number,
    position: number | null,
    before: number,
    limit: number,
  ): FoundExecution[] {
    const rows = this.byOrder.all(orderId, before, position ?? 0, limit) as ExecutionRow[];
    return rows.map((row) => this.found(row, position));
  }

  /** Of one position, newest first; empty where it is not the account's. */
  ofPosition(account: number, position: number, limit: number, offset: number): FoundExecution[] {
    if (this.owner.get(position) !== account) return [];
    const ids = this.idsByPosition.all({ position, limit, offset }) as number[];
    return ids.map((id) => this.found(this.byId.get(id) as ExecutionRow, position));
  }

  private found(row: ExecutionRow, position: number | null): FoundExecution {
    return {
      id: row.id,
      views: () =>
        partsOf(row)
          .filter((part) => position === null || part.position === position)
          .map((part) => this.view(row, part)),
    };
  }

  private view(row: ExecutionRow, part: Part): ExecutionView {
    const scales = unpackScales(row.scales, row.lots);
    const { quantity } = row;
    const share = (units: bigint): bigint => shareOf(units, part, quantity);
    const commission = share(BigInt(row.commission));
    return {
      positionId: String(part.position),
      orderId: String(row.orderId),
      executionId: String(row.id),
      side: nameAt(SIDES, factSide(row.facts)),
      reason: nameAt(REASONS, factReason(row.facts)),
      createdAt: formatTimestamp(row.time),
      baseAmount: baseAmount(part.quantity, scales),
      executionPrice: formatUnits(row.price, scales.price),
      commissionAmountInRAT: formatUnits(commission, scales.commission),
      commissions: this.commissionsOf(row, scales.commission, share),
      comment: (this.comment.get(part.position) as string | null | undefined) ?? null,
      realizedPnlInRAT: formatUnits(part.realized, scales.commission),
      positionSizeIncreased: part.opens,
    };
  }

  /** An entry for each asset that paid; the root asset's stands first. */
  private commissionsOf(
    row: ExecutionRow,
    rootScale: number,
    share: (units: bigint) => bigint,
  ): ExecutionView['commissions'] {
    const root = this.names.rootAsset();
    const others = row.commission === row.fromRoot ? [] : this.commissions.all(row.id);
    const list = (others as [number, string][]).map(([index, amount]) => {
      const { assetId, scale } = this.names.asset(index);
      return { assetId, amount: formatUnits(share(BigInt(amount)), scale) };
    });
    const fromRoot = BigInt(row.fromRoot);
    if (root === undefined || (fromRoot === 0n && list.length > 0)) return list;
    return [{ assetId: root.assetId, amount: formatUnits(share(fromRoot), rootScale) }, ...list];
  }
}

/** What an execution did: newest first, so what it opened stands before what it closed. */
function partsOf(row: ExecutionRow): Part[] {
  const parts: Part[] = [];
  const { openedPosition, openedQuantity, closedPosition, closedQuantity } = row;
  if (openedPosition !== null) {
    parts.push({ position: openedPosition, quantity: openedQuantity, realized: 0n, opens: true });
  }
  if (closedPosition !== null) {
    const realized = BigInt(row.realized);
    parts.push({ position: closedPosition, quantity: closedQuantity, realized, opens: false });
  }
  return parts;
}

/** A flip's commission goes to its two parts by their quantities; what rounding leaves, to the opening. */
function shareOf(units: bigint, part: Part, quantity: number): bigint {
  const whole = BigInt(quantity);
  if (part.opens) return units - (units * (whole - BigInt(part.quantity))) / whole;
  return (units * BigInt(part.quantity)) / whole;
}
