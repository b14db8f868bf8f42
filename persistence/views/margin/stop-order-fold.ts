import type Database from 'better-sqlite3';
import type { ColdEvent, StopOrder } from '../../../core/messages/cold-events.ts';
import {
  REASONS,
  STOP_ORDER_STATUSES,
  type StopOrderStatusName,
} from '../../../core/messages/enums.ts';
import { ViewsInconsistent } from '../errors.ts';
import { packLots, packTraits } from '../packing.ts';

type Ended = Extract<ColdEvent, { type: 'StopOrderEnded' }>;

/** Collects stop orders: each is a row that changes once, when it ends. */
export class StopOrderFold {
  private placed: { readonly order: StopOrder; readonly scales: number; readonly lots: number }[] =
    [];
  private ended: { readonly event: Ended; readonly time: number }[] = [];
  private readonly insert: Database.Statement;
  private readonly end: Database.Statement;

  constructor(database: Database.Database) {
    this.insert = database.prepare(
      `INSERT INTO stop_orders VALUES (${Array(21).fill('?').join(', ')})`,
    );
    this.end = database.prepare(
      `UPDATE stop_orders SET status = ?, reason = ?, activated_order = ?, refusal = ?, updated = ?
       WHERE id = ?`,
    );
  }

  place(order: StopOrder, scales: number, lotSize: number): void {
    this.placed.push({ order, scales, lots: packLots(lotSize, order.leverage) });
  }

  close(event: Ended, time: number): void {
    this.ended.push({ event, time });
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    for (const { order, scales, lots } of this.placed) {
      this.insert.run(
        order.orderId,
        order.account,
        order.market,
        statusIndex('WaitingForActivation'),
        packTraits(order.side, order.type, order.timeInForce, order.byKey),
        scales,
        lots,
        order.isTrailing,
        order.activationPrice,
        order.price,
        order.quantity,
        order.stopLoss,
        order.takeProfit,
        order.expiresAt,
        order.clientOrderId === '' ? null : order.clientOrderId,
        order.comment === '' ? null : order.comment,
        order.createdAt,
        order.createdAt,
        0,
        null,
        null,
      );
    }
    for (const { event, time } of this.ended) this.writeEnd(event, time);
    this.placed = [];
    this.ended = [];
  }

  private writeEnd(event: Ended, time: number): void {
    const { orderId, status, reason, activatedOrderId, refusal } = event;
    const [to, why] = [statusIndex(status), REASONS.indexOf(reason)];
    const result = this.end.run(to, why, activatedOrderId, refusal, time, orderId);
    if (result.changes !== 1) throw new ViewsInconsistent(`there is no stop order ${orderId}`);
  }
}

function statusIndex(name: StopOrderStatusName): number {
  return STOP_ORDER_STATUSES.indexOf(name);
}
