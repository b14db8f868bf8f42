import type Database from 'better-sqlite3';
import type { MarginExecution } from '../../../core/messages/margin-events.ts';
import { ViewsInconsistent } from '../errors.ts';

/** What happened to one position since the last commit. */
interface PositionChange {
  readonly id: number;
  /** What opened it; null where something else was seen of it first. */
  readonly opened: {
    readonly account: number;
    readonly market: number;
    readonly orderId: number;
    readonly time: number;
  } | null;
  /** Added to its quantity. */
  quantity: number;
  /** When something of it was last closed. */
  closed: number;
}

/** What one order closed of one position since the last commit. */
interface Closing {
  readonly account: number;
  readonly orderId: number;
  readonly position: number;
  readonly market: number;
  reason: number;
  closed: number;
  quantity: number;
  openNotional: bigint;
  closeNotional: bigint;
  realized: bigint;
  rate: bigint;
}

/** Collects what executions do to positions, and what each order closed of them. */
export class PositionFold {
  private readonly positions = new Map<number, PositionChange>();
  private readonly closings = new Map<string, Closing>();
  private readonly statements: ReturnType<typeof prepare>;

  constructor(database: Database.Database) {
    this.statements = prepare(database);
  }

  execute(event: MarginExecution): void {
    if (event.closedPositionId !== 0) this.close(event);
    if (event.openedPositionId !== 0) this.open(event);
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    for (const change of this.positions.values()) this.writePosition(change);
    for (const closing of this.closings.values()) this.writeClosing(closing);
    this.positions.clear();
    this.closings.clear();
  }

  private open(event: MarginExecution): void {
    const { openedPositionId: id, openedQuantity, account, market, orderId, time } = event;
    const known = this.positions.get(id);
    if (known !== undefined) known.quantity += openedQuantity;
    else {
      const opened = { account, market, orderId, time };
      this.positions.set(id, { id, opened, quantity: openedQuantity, closed: 0 });
    }
  }

  private close(event: MarginExecution): void {
    const { closedPositionId: id, closedQuantity, time } = event;
    const known = this.positions.get(id);
    if (known === undefined) {
      this.positions.set(id, { id, opened: null, quantity: -closedQuantity, closed: time });
    } else {
      known.quantity -= closedQuantity;
      known.closed = time;
    }
    this.addClosing(event);
  }

  private addClosing(event: MarginExecution): void {
    const { account, market, orderId, closedPositionId: position } = event;
    const name = `${orderId}/${position}`;
    let closing = this.closings.get(name);
    if (closing === undefined) {
      const sums = { quantity: 0, openNotional: 0n, closeNotional: 0n, realized: 0n };
      const latest = { reason: 0, closed: 0, rate: 0n };
      closing = { account, orderId, position, market, ...sums, ...latest };
      this.closings.set(name, closing);
    }
    closing.reason = event.reason;
    closing.closed = event.time;
    closing.rate = event.rate;
    closing.quantity += event.closedQuantity;
    closing.openNotional += event.closedNotional;
    closing.closeNotional += BigInt(event.price) * BigInt(event.closedQuantity);
    closing.realized += event.realizedInRoot;
  }

  private writePosition({ id, opened, quantity, closed }: PositionChange): void {
    if (opened !== null) {
      const { account, market, orderId, time } = opened;
      this.statements.open.run({ id, account, market, orderId, time, quantity, closed });
      return;
    }
    if (this.statements.change.run({ id, quantity, closed }).changes !== 1) {
      throw new ViewsInconsistent(`there is no position ${id} to change`);
    }
  }

  private writeClosing(closing: Closing): void {
    this.statements.close.run({ ...closing });
  }
}

/** Numbers are bound as floats, so what is added is cast. */
function prepare(database: Database.Database) {
  const added = 'quantity + CAST(@quantity AS INTEGER)';
  const change = `quantity = ${added}, closed = iif(${added} = 0, @closed, NULL)`;
  const sum = (column: string): string => `${column} = ${column} + excluded.${column}`;
  return {
    open: database.prepare(
      `INSERT INTO positions VALUES (@id, @account, @market, @orderId, @time,
         iif(@quantity = 0, @closed, NULL), @quantity)
       ON CONFLICT (id) DO UPDATE SET ${change}`,
    ),
    change: database.prepare(`UPDATE positions SET ${change} WHERE id = @id`),
    close: database.prepare(
      `INSERT INTO closings VALUES (@account, @orderId, @position, @market, @reason, @closed,
         @quantity, @openNotional, @closeNotional, @realized, @rate)
       ON CONFLICT (account, order_id, position) DO UPDATE SET reason = excluded.reason,
         closed = excluded.closed, rate = excluded.rate, ${sum('quantity')},
         ${sum('open_notional')}, ${sum('close_notional')}, ${sum('realized')}`,
    ),
  };
}
