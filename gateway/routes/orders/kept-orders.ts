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
  readonly order: LiveOrder;
  readonly market: OrderMarket;
  readonly rendered: RenderedJson<OrderAnswer>;
}

/** A power of two. */
const PLACES = 4096;

const render = compileRenderer(OrderAnswer);

/**
 * Answers to reads of orders that are read over and over: who waits for an order to trade asks again and
 * again, and is mostly told the same. An answer is rendered to be kept when an order is read for the
 * second time, and holds for as long as the order is just what it was. Each order has one place, which it
 * shares with those that are a multiple of the places older or younger.
 */
export class KeptOrders {
  private readonly kept: (Kept | undefined)[] = new Array(PLACES).fill(undefined);
  /** Which order was read last at each place. */
  private readonly lastRead = new Float64Array(PLACES);

  answer(order: LiveOrder, market: OrderMarket): OrderAnswer | RenderedJson<OrderAnswer> {
    const place = order.orderId & (PLACES - 1);
    const known = this.kept[place];
    if (known !== undefined && known.market === market && isSame(known.order, order)) {
      return known.rendered;
    }
    const answer = { order: orderView(order, market) };
    if (this.lastRead[place] !== order.orderId) {
      this.lastRead[place] = order.orderId;
      return answer;
    }
    const rendered = render(answer);
    this.kept[place] = { order, market, rendered };
    return rendered;
  }
}

/** Spelled out: what changes most comes first, and a loop over names would cost as much as the answer. */
function isSame(a: LiveOrder, b: LiveOrder): boolean {
  return (
    a.orderId === b.orderId &&
    a.updatedAt === b.updatedAt &&
    a.remaining === b.remaining &&
    a.status === b.status &&
    a.reason === b.reason &&
    a.source === b.source &&
    a.price === b.price &&
    a.quantity === b.quantity &&
    a.tradedNotional === b.tradedNotional &&
    a.commission === b.commission &&
    a.cancelledAt === b.cancelledAt &&
    a.leverage === b.leverage &&
    a.scales === b.scales &&
    a.comment === b.comment &&
    a.clientOrderId === b.clientOrderId &&
    a.createdAt === b.createdAt &&
    a.account === b.account &&
    a.market === b.market &&
    a.side === b.side &&
    a.type === b.type &&
    a.timeInForce === b.timeInForce &&
    a.admittedPrice === b.admittedPrice &&
    a.admittedQuantity === b.admittedQuantity
  );
}
