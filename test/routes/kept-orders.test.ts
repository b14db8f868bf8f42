import { describe, expect, it } from 'vitest';
import { orderView } from '../../core/messages/order-view.ts';
import { RenderedJson } from '../../gateway/http/reply.ts';
import { KeptOrders } from '../../gateway/routes/orders/kept-orders.ts';
import type { LiveOrder } from '../../gateway/venue/live-orders.ts';

const scales = { price: 2, amount: 6, quote: 8, commission: 8, lotSize: 1 };
const market = {
  marketId: 'spot.btc_usdt',
  type: 'Spot',
  displayName: 'BTC/USDT',
  fullName: 'Bitcoin / Tether',
  commissionAssetId: 'usdt',
} as const;
const order: LiveOrder = {
  orderId: 5,
  account: 3,
  market: 0,
  side: 0,
  type: 0,
  timeInForce: 0,
  clientOrderId: 'mine',
  comment: 'a "comment"',
  createdAt: 1_700_000_000_000,
  scales,
  admittedPrice: 100,
  admittedQuantity: 10,
  source: 0,
  status: 0,
  reason: 0,
  leverage: 1,
  price: 100,
  quantity: 10,
  remaining: 10,
  tradedNotional: 0n,
  commission: 0n,
  updatedAt: 1_700_000_000_000,
  cancelledAt: 0,
};

/** The answer as it goes out, and whether it was rendered. */
function told(
  kept: KeptOrders,
  asked: LiveOrder,
  revision = 1,
  of: Parameters<KeptOrders['answer']>[2] = market,
) {
  const answer = kept.answer(asked, revision, of);
  if (!(answer instanceof RenderedJson)) return { answer, isRendered: false };
  const text = Buffer.from(answer.bytes).toString('utf8');
  return { answer: JSON.parse(text) as unknown, isRendered: true };
}

function keeping(): KeptOrders {
  const kept = new KeptOrders();
  for (let times = 0; times < 3; times++) kept.answer(order, 1, market);
  return kept;
}

describe('answers to reads of orders', () => {
  it('are kept from the second read on, and say the same as the first', () => {
    const kept = new KeptOrders();
    const answer = { order: orderView(order, market) };
    expect(told(kept, order)).toEqual({ answer, isRendered: false });
    expect(told(kept, order)).toEqual({ answer, isRendered: true });
    expect(kept.answer(order, 1, market)).toBe(kept.answer(order, 1, market));
  });

  it('hold no more when the order has another revision', () => {
    const kept = keeping();
    const changed: LiveOrder = { ...order, remaining: 3, status: 2 };
    expect(told(kept, changed, 2).answer).toEqual({ order: orderView(changed, market) });
    expect(told(kept, order, 3).answer).toEqual({ order: orderView(order, market) });
  });

  it('hold no more when the market is called otherwise', () => {
    const kept = keeping();
    const renamed = { ...market, displayName: 'XBT/USDT' };
    expect(told(kept, order, 1, renamed).answer).toEqual({ order: orderView(order, renamed) });
  });

  it('are never those of another order at the same place', () => {
    const kept = keeping();
    for (let number = 1; number < 10; number++) {
      for (const step of [1, 1024, 4096, 8192, 2 ** 32]) {
        const other = { ...order, orderId: order.orderId + number * step };
        expect(told(kept, other).answer).toEqual({ order: orderView(other, market) });
        expect(told(kept, order).answer).toEqual({ order: orderView(order, market) });
      }
    }
  });
});
