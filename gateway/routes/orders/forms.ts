import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { OrderState } from '../../../core/messages/answers.ts';
import {
  nameAt,
  ORDER_SOURCES,
  ORDER_STATUSES,
  ORDER_TYPES,
  OrderStatus,
  SIDES,
  TIMES_IN_FORCE,
} from '../../../core/messages/enums.ts';
import {
  averagePrice,
  baseAmount,
  fillFactor,
  requestedPrice,
} from '../../../core/messages/order-figures.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { type LiveOrder, openStatus } from '../../venue/live-orders.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import type { OrderForm } from './schemas.ts';

/**
 * The creation form: the order as it was admitted. What became of it is read by id; a repeat of the
 * same request gets the same bytes.
 */
export function creationForm(order: LiveOrder, { configuration }: MarketEntry): OrderForm {
  const { marketId, displayName } = configuration;
  const { scales } = order;
  const amount = baseAmount(order.admittedQuantity, scales);
  const createdAt = formatTimestamp(order.createdAt);
  return {
    marketId,
    marketDisplayName: displayName,
    orderId: String(order.orderId),
    orderType: nameAt(ORDER_TYPES, order.type),
    side: nameAt(SIDES, order.side),
    status: nameAt(ORDER_STATUSES, openStatus(order.type, order.timeInForce)),
    source: 'Manual',
    timeInForce: nameAt(TIMES_IN_FORCE, order.timeInForce),
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
    orderType: nameAt(ORDER_TYPES, state.type),
    side: nameAt(SIDES, state.side),
    status: nameAt(ORDER_STATUSES, state.status),
    source: nameAt(ORDER_SOURCES, state.source),
    timeInForce: nameAt(TIMES_IN_FORCE, state.timeInForce),
    commission: formatUnits(state.commission, scales.commission),
    requestedAmount: baseAmount(state.quantity, scales),
    remainingAmount: baseAmount(state.remaining, scales),
    requestedPrice: requestedPrice(state.price, scales.price),
    executionPrice: averagePrice(state.tradedNotional, filled, scales.price),
    createdAt: formatTimestamp(state.createdAt),
    updatedAt: formatTimestamp(state.updatedAt),
    rejectDetails: '',
    cancellationDate: ended ? formatTimestamp(state.updatedAt) : null,
    fillFactor: fillFactor(filled, state.quantity),
  };
}
