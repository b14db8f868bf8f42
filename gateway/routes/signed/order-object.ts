import { formatQuotient, formatUnits, powerOfTen } from '../../../core/fixed-point/index.ts';
import {
  nameAt,
  ORDER_STATUSES,
  OrderStatus,
  OrderType,
  Side,
  TIMES_IN_FORCE,
} from '../../../core/messages/enums.ts';
import { averagePrice, requestedPrice } from '../../../core/messages/order-figures.ts';
import type { OrderFacts } from '../../../core/messages/order-view.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import type { LegacyStatus } from './forms.ts';

/**
 * The Order Object as JSON text. It is put together by hand because its decimals are JSON numbers with
 * all their digits, which no double between here and the wire would keep.
 */
export function orderObject(order: OrderFacts, instrument: string): string {
  const { scales, quantity, remaining } = order;
  const filled = quantity - remaining;
  const average = averagePrice(order.tradedNotional, filled, scales.price);
  const status = legacyStatus(order.status);
  const isBuy = order.side === Side.Buy;
  const texts = {
    orderId: String(order.orderId),
    clientOrderId: order.clientOrderId === '' ? null : order.clientOrderId,
    instrument,
    type: isBuy ? 'buy' : 'sell',
    side: isBuy ? 0 : 1,
    orderType: 0,
    isLimit: order.type === OrderType.Limit,
    isPending: status === 'Working',
    status,
    timeInForce: nameAt(TIMES_IN_FORCE, order.timeInForce).toUpperCase(),
    createdAt: formatTimestamp(order.createdAt),
    updatedAt: formatTimestamp(order.updatedAt),
    rejectDetails: '',
  };
  return withNumbers(texts, {
    amount: formatUnits(quantity, scales.amount),
    remaining: formatUnits(remaining, scales.amount),
    unitsFilled: formatUnits(filled, scales.amount),
    requestedPrice: requestedPrice(order.price, scales.price) ?? '0',
    executionPrice: average,
    averageFillPrice: average,
    stopPrice: '0',
    total: exactTotal(order),
    commission: formatUnits(order.commission, scales.quote),
  });
}

/** An object of plain values and, behind them, decimals as JSON numbers. */
export function withNumbers(plain: object, decimals: Readonly<Record<string, string>>): string {
  const numbers = Object.entries(decimals).map(([name, text]) => `"${name}":${text}`);
  return `${JSON.stringify(plain).slice(0, -1)},${numbers.join(',')}}`;
}

/** Open orders are Working; what ran out of time was cancelled by it. */
function legacyStatus(status: number): LegacyStatus {
  if (status < OrderStatus.Completed) return 'Working';
  const name = nameAt(ORDER_STATUSES, status);
  if (name === 'Completed' || name === 'Rejected') return name;
  return 'Cancelled';
}

function exactTotal({ tradedNotional, scales }: OrderFacts): string {
  const scale = scales.price + scales.amount;
  return formatQuotient(tradedNotional, powerOfTen(scale), scale, 'floor');
}
