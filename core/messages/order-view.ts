import { formatUnits } from '../fixed-point/index.ts';
import {
  type MarketTypeName,
  nameAt,
  ORDER_SOURCES,
  ORDER_STATUSES,
  ORDER_TYPES,
  type OrderSourceName,
  type OrderStatusName,
  type OrderTypeName,
  REASONS,
  type ReasonName,
  SIDES,
  type SideName,
  TIMES_IN_FORCE,
  type TimeInForceName,
} from './enums.ts';
import { averagePrice, baseAmount, fillFactor, requestedPrice } from './order-figures.ts';
import { formatTimestamp } from './timestamp.ts';

/** What the numbers of an order count in: decimal places, and the size of a lot. */
export interface Scales {
  readonly price: number;
  readonly amount: number;
  /** Of money in the quote asset. */
  readonly quote: number;
  /** Of commissions: the quote asset's for Spot, the root asset's for Cfd and Perp. */
  readonly commission: number;
  /** Base assets in one lot, which is what amounts count; 1 for Spot, whose amounts are base assets. */
  readonly lotSize: number;
}

/** An order as machines know it: indexes into the lists of enums.ts, ticks, steps, UTC ms. */
export interface OrderFacts {
  readonly orderId: number;
  readonly side: number;
  readonly type: number;
  readonly timeInForce: number;
  readonly source: number;
  readonly status: number;
  readonly reason: number;
  /** 0 for a Market order. */
  readonly price: number;
  readonly quantity: number;
  readonly remaining: number;
  /** Σ price × quantity of its fills, in ticks × steps. */
  readonly tradedNotional: bigint;
  /** Units of the asset that commissions are in. */
  readonly commission: bigint;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it was cancelled or expired; 0 if not. */
  readonly cancelledAt: number;
  /** 1 for Spot; 0 for the most that the market gave. */
  readonly leverage: number;
  /** Of the market when the order was placed. */
  readonly scales: Scales;
  /** '' where there is none. */
  readonly clientOrderId: string;
  readonly comment: string;
}

/** What an order's market is called. */
export interface OrderMarket {
  readonly marketId: string;
  readonly type: MarketTypeName;
  readonly displayName: string;
  readonly fullName: string | null;
  /** The asset that its commissions are in. */
  readonly commissionAssetId: string;
}

/** An order in its read form. Amounts, prices and ids are decimal strings, times ISO 8601 UTC. */
export interface OrderView {
  readonly marketId: string;
  readonly marketType: MarketTypeName;
  readonly marketDisplayName: string;
  readonly marketFullName: string | null;
  readonly orderId: string;
  readonly timeInForce: TimeInForceName;
  readonly status: OrderStatusName;
  readonly source: OrderSourceName;
  readonly reason: ReasonName;
  readonly side: SideName;
  readonly orderType: OrderTypeName;
  readonly requestedAmount: string;
  readonly remainingAmount: string;
  /** Null for a Market order. */
  readonly requestedPrice: string | null;
  readonly executionPrice: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When it was cancelled or expired. */
  readonly cancellationDate: string | null;
  readonly commissionAssetId: string;
  readonly commissionAmount: string;
  readonly leverage: number;
  readonly rejectDetails: string;
  readonly fillFactor: string;
  readonly comment: string | null;
  /** What the client named the order, if it did. */
  readonly clientOrderId: string | null;
}

/** The read form of an order, wherever it is kept. */
export function orderView(order: OrderFacts, market: OrderMarket): OrderView {
  const { scales, quantity } = order;
  const filled = quantity - order.remaining;
  return {
    marketId: market.marketId,
    marketType: market.type,
    marketDisplayName: market.displayName,
    marketFullName: market.fullName,
    orderId: String(order.orderId),
    timeInForce: nameAt(TIMES_IN_FORCE, order.timeInForce),
    status: nameAt(ORDER_STATUSES, order.status),
    source: nameAt(ORDER_SOURCES, order.source),
    reason: nameAt(REASONS, order.reason),
    side: nameAt(SIDES, order.side),
    orderType: nameAt(ORDER_TYPES, order.type),
    requestedAmount: baseAmount(quantity, scales),
    remainingAmount: baseAmount(order.remaining, scales),
    requestedPrice: requestedPrice(order.price, scales.price),
    executionPrice: averagePrice(order.tradedNotional, filled, scales.price),
    createdAt: formatTimestamp(order.createdAt),
    updatedAt: formatTimestamp(order.updatedAt),
    cancellationDate: order.cancelledAt === 0 ? null : formatTimestamp(order.cancelledAt),
    commissionAssetId: market.commissionAssetId,
    commissionAmount: formatUnits(order.commission, scales.commission),
    leverage: order.leverage,
    rejectDetails: '',
    fillFactor: fillFactor(filled, quantity),
    comment: order.comment === '' ? null : order.comment,
    clientOrderId: order.clientOrderId === '' ? null : order.clientOrderId,
  };
}
