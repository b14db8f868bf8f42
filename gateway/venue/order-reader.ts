import { Refusals } from '../../core/messages/refusals.ts';
import { Refused, refuse } from '../http/refused.ts';
import type { LiveOrder } from './live-orders.ts';
import type { Venue } from './venue.ts';

/** Orders beyond those in memory. */
export interface OrderArchive {
  /** The order as it is at `atLeastSequence` or later; undefined where the account has none. */
  find(
    account: number,
    orderId: number,
    atLeastSequence: number,
  ): Promise<LiveOrder | Refused | undefined>;
}

/** Reads one order, from memory where it is young, else from the views. */
export class OrderReader {
  private readonly venue: Venue;
  private readonly archive: OrderArchive;

  constructor(venue: Venue, archive: OrderArchive) {
    this.venue = venue;
    this.archive = archive;
  }

  /** The order, or a refusal that reads the same for another's order as for none. */
  find(account: number, orderId: number): LiveOrder | Refused | Promise<LiveOrder | Refused> {
    const order = this.venue.orders.find(orderId);
    if (order === undefined) return this.findOlder(account, orderId);
    return order.account === account ? order : unknown(orderId);
  }

  /** Clearing knows open orders only: an order that it does not find may have ended. */
  async explain(refused: Refused, account: number, orderId: number): Promise<Refused> {
    if (refused.refusal !== Refusals.OrderUnknown) return refused;
    const order = await this.find(account, orderId);
    if (order instanceof Refused) return refused;
    return refuse(Refusals.OrderClosed, { field: 'orderId', value: orderId });
  }

  private async findOlder(account: number, orderId: number): Promise<LiveOrder | Refused> {
    if (orderId === 0) return unknown(orderId);
    const { durableSequence } = this.venue;
    const order = await this.archive.find(account, orderId, durableSequence);
    return order ?? unknown(orderId);
  }
}

function unknown(orderId: number): Refused {
  return refuse(Refusals.OrderUnknown, { field: 'orderId', value: orderId });
}
