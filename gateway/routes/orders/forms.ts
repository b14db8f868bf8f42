import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { OrderState } from '../../../core/messages/answers.ts';
import {
  ORDER_SOURCES,
  ORDER_STATUSES,
  ORDER_TYPES,
  OrderStatus,
  REASONS,
  SIDES,
  TIMES_IN_FORCE,
} from '../../../core/messages/enums.ts';
import { averagePrice, fillFactor, requestedPrice } from '../../../core/messages/order-figures.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { type LiveOrder, openStatus } from '../../venue/live-orders.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import type { OrderForm, OrderRead } from './schemas.ts';

type Name<L extends readonly string[]> = L[number];

/** The name at an index of a list of enums.ts; records carry only such indexes. */
function nameOf<const L extends readonly string[]>(list: L, index: number): Name<L> {
  return list[index] as Name<L>;
}

/**
 * The creation form: the order as it was admitted. What became of it is read by id; a repeat of the
 * same request gets the same bytes.
 */
export function creationForm(order: LiveOrder, { configuration }: MarketEntry): OrderForm {
  const { marketId, displayName } = configuration;
  const { scales } = order;
  const amount = formatUnits(order.admittedQuantity, scales.amount);
  const createdAt = formatTimestamp(order.createdAt);
  return {
    marketId,
    marketDisplayName: displayName,
    orderId: String(order.orderId),
    orderType: nameOf(ORDER_TYPES, order.type),
    side: nameOf(SIDES, order.side),
    status: nameOf(ORDER_STATUSES, openStatus(order.type, order.timeInForce)),
    source: 'Manual',
    timeInForce: nameOf(TIMES_IN_FORCE, order.timeInForce),
    commission: '0',
    requestedAmount: amount,
    remainingAmount: amount,
    requestedPrice: requestedPrice(order.admittedPrice, scales.price),
    executionPrice: '0',
    createdAt,
    updatedAt: createdAt,
    rejectDetails: '',
    cancellationDate: null,
    fillFactor: '0',
  };
}

/** The same form of an order as it is now, after a cancel or an amend. */
export function stateForm(state: OrderState, { configuration, scales }: MarketEntry): OrderForm {
  const { marketId, displayName } = configuration;
  const filled = state.quantity - state.remaining;
  const ended = state.status === OrderStatus.Cancelled || state.status === OrderStatus.Expired;
  return {
    marketId,
    marketDisplayName: displayName,
    orderId: String(state.orderId),
    orderType: nameOf(ORDER_TYPES, state.type),
    side: nameOf(SIDES, state.side),
    status: nameOf(ORDER_STATUSES, state.status),
    source: nameOf(ORDER_SOURCES, state.source),
    timeInForce: nameOf(TIMES_IN_FORCE, state.timeInForce),
    commission: formatUnits(state.commission, scales.quote),
    requestedAmount: formatUnits(state.quantity, scales.amount),
    remainingAmount: formatUnits(state.remaining, scales.amount),
    requestedPrice: requestedPrice(state.price, scales.price),
    executionPrice: averagePrice(state.tradedNotional, filled, scales.price),
    createdAt: formatTimestamp(state.createdAt),
    updatedAt: formatTimestamp(state.updatedAt),
    rejectDetails: '',
    cancellationDate: ended ? formatTimestamp(state.updatedAt) : null,
    fillFactor: fillFactor(filled, state.quantity),
  };
}

/** The read form of an order in memory. */
export function readForm(order: LiveOrder, { configuration, quote }: MarketEntry): OrderRead {
  const { marketId, displayName, fullName, type, priceScale, amountScale } = configuration;
  const filled = order.quantity - order.remaining;
  const ended = order.status === OrderStatus.Cancelled || order.status === OrderStatus.Expired;
  return {
    marketId,
    marketType: type,
    marketDisplayName: displayName,
    marketFullName: fullName,
    orderId: String(order.orderId),
    timeInForce: nameOf(TIMES_IN_FORCE, order.timeInForce),
    status: nameOf(ORDER_STATUSES, order.status),
    source: nameOf(ORDER_SOURCES, order.source),
    reason: nameOf(REASONS, order.reason),
    side: nameOf(SIDES, order.side),
    orderType: nameOf(ORDER_TYPES, order.type),
    requestedAmount: formatUnits(order.quantity, amountScale),
    remainingAmount: formatUnits(order.remaining, amountScale),
    requestedPrice: requestedPrice(order.price, priceScale),
    executionPrice: averagePrice(order.tradedNotional, filled, priceScale),
    createdAt: formatTimestamp(order.createdAt),
    updatedAt: formatTimestamp(order.updatedAt),
    cancellationDate: ended ? formatTimestamp(order.cancelledAt) : null,
    commissionAssetId: quote.assetId,
    commissionAmount: formatUnits(order.commission, quote.scale),
    leverage: 1,
    rejectDetails: '',
    fillFactor: fillFactor(filled, order.quantity),
    comment: order.comment === '' ? null : order.comment,
    clientOrderId: order.clientOrderId === '' ? null : order.clientOrderId,
  };
}
