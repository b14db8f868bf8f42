import { type Static, Type } from '@sinclair/typebox';
import {
  MARKET_TYPES,
  ORDER_SOURCES,
  ORDER_STATUSES,
  ORDER_TYPES,
  REASONS,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
} from '../../../core/messages/enums.ts';
import {
  DecimalInput,
  DecimalOutput,
  Nullable,
  OneOf,
  REFUSAL,
  TimestampInput,
  TimestampOutput,
} from '../../http/schema.ts';

const COMMENT_LENGTH_MAX = 100;
const CLIENT_ORDER_ID_LENGTH_MAX = 64;

/** A market id as a Spot order names it: the `spot.` may be left out. */
const SPOT_MARKET_ID = '^(spot\\.)?[a-z0-9]{1,15}_[a-z0-9]{1,15}$';

const ClientOrderId = Type.String({
  minLength: 1,
  pattern: '^[!-~]+$',
  maxLength: CLIENT_ORDER_ID_LENGTH_MAX,
  description:
    'Extension. A repeat by the same account answers the first answer again instead of placing another order.',
});

/** The body of a Spot order and of its preview. */
export const SpotOrder = Type.Object({
  marketId: Type.String({ pattern: SPOT_MARKET_ID }),
  side: OneOf(SIDES),
  orderType: OneOf(ORDER_TYPES, { [REFUSAL]: 'EmptyOrderType' }),
  timeInForce: OneOf(TIMES_IN_FORCE),
  requestedAmount: DecimalInput(),
  requestedPrice: Type.Optional(Nullable(DecimalInput())),
  cancellationDate: Type.Optional(Nullable(TimestampInput())),
  comment: Type.Optional(Nullable(Type.String({ maxLength: COMMENT_LENGTH_MAX }))),
  clientOrderId: Type.Optional(Nullable(ClientOrderId)),
  postOnly: Type.Optional(
    Type.Boolean({ description: 'Extension. Refused instead of taking liquidity.' }),
  ),
  selfTradePrevention: Type.Optional(
    OneOf(SELF_TRADE_PREVENTIONS, {
      description:
        'Extension. What ends when the order would meet one of the same account; EXPIRE_TAKER by default.',
    }),
  ),
});
export type SpotOrder = Static<typeof SpotOrder>;

/** The form that creation, cancel and amend answer with. */
export const OrderForm = Type.Object({
  marketId: Type.String(),
  marketDisplayName: Type.String(),
  orderId: Type.String(),
  orderType: OneOf(ORDER_TYPES),
  side: OneOf(SIDES),
  status: OneOf(ORDER_STATUSES),
  source: OneOf(ORDER_SOURCES),
  timeInForce: OneOf(TIMES_IN_FORCE),
  commission: DecimalOutput({ description: 'In the quote asset.' }),
  requestedAmount: DecimalOutput(),
  remainingAmount: DecimalOutput(),
  requestedPrice: Nullable(DecimalOutput()),
  executionPrice: DecimalOutput({ description: 'Volume-weighted average; 0 before any fill.' }),
  createdAt: TimestampOutput(),
  updatedAt: TimestampOutput(),
  rejectDetails: Type.String(),
  cancellationDate: Nullable(TimestampOutput()),
  fillFactor: DecimalOutput({ description: 'Filled / requested.' }),
});
export type OrderForm = Static<typeof OrderForm>;

/** The form that reads answer with. */
export const OrderRead = Type.Object({
  marketId: Type.String(),
  marketType: OneOf(MARKET_TYPES),
  marketDisplayName: Type.String(),
  marketFullName: Nullable(Type.String()),
  orderId: Type.String(),
  timeInForce: OneOf(TIMES_IN_FORCE),
  status: OneOf(ORDER_STATUSES),
  source: OneOf(ORDER_SOURCES),
  reason: OneOf(REASONS),
  side: OneOf(SIDES),
  orderType: OneOf(ORDER_TYPES),
  requestedAmount: DecimalOutput(),
  remainingAmount: DecimalOutput(),
  requestedPrice: Nullable(DecimalOutput()),
  executionPrice: DecimalOutput(),
  createdAt: TimestampOutput(),
  updatedAt: TimestampOutput(),
  cancellationDate: Nullable(TimestampOutput()),
  commissionAssetId: Type.String(),
  commissionAmount: DecimalOutput(),
  leverage: Type.Integer(),
  rejectDetails: Type.String(),
  fillFactor: DecimalOutput(),
  comment: Type.Optional(Nullable(Type.String())),
  clientOrderId: Type.Optional(Nullable(Type.String({ description: 'Extension.' }))),
});
export type OrderRead = Static<typeof OrderRead>;
