import { type Static, Type } from '@sinclair/typebox';
import { type OrderMarket, orderView } from '../../../core/messages/order-view.ts';
import { compileRenderer } from '../../http/answer-serialiser.ts';
import type { RenderedJson } from '../../http/reply.ts';
import type { LiveOrder } from '../../venue/live-orders.ts';
import { OrderRead } from './schemas.ts';

/** The answer to the read of one order. */
export const OrderAnswer = Type.Object({ order: OrderRead });
export type OrderAnswer = Static<typeof OrderAnswer>;

interface Kept {
  readonly orderId: number;
  readonly revision: number;
  readonly market: OrderMarket;
  readonly rendered: RenderedJson<OrderAnswer>;
}

/** A power of two. */
const PLACES = 4096;

const render = compileRenderer(OrderAnswer);

/**
 * Answers to reads of orders that are read over and over: who waits for an order to trade asks again and
 * again, and is mostly told the same. An answer is rendered to be kept when an order is read for the
 * second time, and holds for as long as the order's revision and what its market is called stay the same. Each order has one place, which it
 * shares with those that are a multiple of the places older or younger.
 */
export class KeptOrders {
  private readonly kept: (Kept | undefined)[] = new Array(PLACES).fill(undefined);
  /** Which order was read last at each place. */
  private readonly lastRead = new Float64Array(PLACES);

  /** `revision` is that of the order in memory, as it is now. */
  answer(
    order: LiveOrder,
    revision: number,
    market: OrderMarket,
  ): OrderAnswer | RenderedJson<OrderAnswer> {
    const { orderId } = order;
    const place = orderId & (PLACES - 1);
    const known = this.kept[place];
    const isSame = known?.orderId === orderId && known.revision === revision;
    if (isSame && known.market === market) return known.rendered;
    const answer = { order: orderView(order, market) };
    if (this.lastRead[place] !== orderId) {
      this.lastRead[place] = orderId;
      return answer;
    }
    const rendered = render(answer);
    this.kept[place] = { orderId, revision, market, rendered };
    return rendered;
  }
}
