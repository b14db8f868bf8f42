import { Refusals } from '../../core/messages/refusals.ts';
import { orderFacts, parseJson, type ViewsClient } from '../../persistence/views/index.ts';
import { Refused, refuse } from '../http/refused.ts';
import { JsonText } from '../http/reply.ts';
import type { LiveOrder } from './live-orders.ts';
import type { Venue } from './venue.ts';
import { textOf } from './views-read.ts';

/**
 * Reads one order: from memory where it is young, else from the views, which then have all that had
 * been acknowledged when the read came in. Another's order reads the same as none.
 */
export class OrderReader {
  private readonly venue: Venue;
  private readonly views: Pick<ViewsClient, 'order' | 'orderRecord' | 'stopOrder'>;

  constructor(venue: Venue, views: Pick<ViewsClient, 'order' | 'orderRecord' | 'stopOrder'>) {
    this.venue = venue;
    this.views = views;
  }

  /** The order, whatever its age. */
  find(account: number, orderId: number): LiveOrder | Refused | Promise<LiveOrder | Refused> {
    return this.findYoung(account, orderId) ?? this.findOlder(account, orderId);
  }

  /** The order if it is in memory; undefined where only the views can tell. */
  findYoung(account: number, orderId: number): LiveOrder | Refused | undefined {
    const order = this.venue.orders.find(orderId);
    if (order === undefined) return undefined;
    return order.account === account ? order : unknown(orderId);
  }

  /** `{"order": …}` of an order that is not in memory, in its read form. */
  async readOlder(account: number, orderId: number): Promise<JsonText | Refused> {
    const { durableSequence } = this.venue;
    const text = textOf(await this.views.order(account, orderId, durableSequence));
    if (text instanceof Refused) return text;
    return text === undefined ? unknown(orderId) : new JsonText(`{"order":${text}}`);
  }

  /** Clearing knows open orders only: an order that it does not find may have ended. */
  async explain(refused: Refused, account: number, orderId: number): Promise<Refused> {
    if (refused.refusal !== Refusals.OrderUnknown) return refused;
    const order = await this.find(account, orderId);
    if (order instanceof Refused && (await this.isStopOrder(account, orderId)) !== true) {
      return refused;
    }
    return refuse(Refusals.OrderClosed, { field: 'orderId', value: orderId });
  }

  /** Whether the account has had such a stop order; refused where the views are behind. */
  async isStopOrder(account: number, orderId: number): Promise<boolean | Refused> {
    const { durableSequence } = this.venue;
    const text = textOf(await this.views.stopOrder(account, orderId, durableSequence));
    return text instanceof Refused ? text : text !== undefined;
  }

  private async findOlder(account: number, orderId: number): Promise<LiveOrder | Refused> {
    const { durableSequence } = this.venue;
    const text = textOf(await this.views.orderRecord(account, orderId, durableSequence));
    if (text instanceof Refused) return text;
    if (text === undefined) return unknown(orderId);
    return orderFacts(parseJson(text));
  }
}

function unknown(orderId: number): Refused {
  return refuse(Refusals.OrderUnknown, { field: 'orderId', value: orderId });
}
