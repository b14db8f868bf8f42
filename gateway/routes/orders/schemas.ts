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
  Int32,
  Nullable,
  OneOf,
  REFUSAL,
  TimestampInput,
  TimestampOutput,
} from '../../http/schema.ts';

const COMMENT_LENGTH_MAX = 100;
const LEVERAGE_MAX = 10_000;
const CLIENT_ORDER_ID_LENGTH_MAX = 64;

/** A market id; its type may be left out, as the path of the request names it. */
const MARKET_ID = '^((spot|cfd|perp)\\.)?[a-z0-9]{1,15}_[a-z0-9]{1,15}$';

/** A market id as a Spot order names it: the `spot.` may be left out. */
const SPOT_MARKET_ID = '^(spot\\.)?[a-z0-9]{1,15}_[a-z0-9]{1,15}$';

export const ClientOrderId = Type.String({
  minLength: 1,
  pattern: '^[!-~]+$',
  maxLength: CLIENT_ORDER_ID_LENGTH_MAX,
  description:
    'Extension. A repeat by the same account answers the first answer again instead of placing another order.',
});

const Comment = Type.Optional(Nullable(Type.String({ maxLength: COMMENT_LENGTH_MAX })));
const ORDER_EXTENSIONS = {
  postOnly: Type.Optional(
    Type.Boolean({ description: 'Extension. Refused instead of taking liquidity.' }),
  ),
  selfTradePrevention: Type.Optional(
    OneOf(SELF_TRADE_PREVENTIONS, {
      description:
        'Extension. What ends when the order would meet one of the same account; EXPIRE_TAKER by default.',
    }),
  ),
} as const;

/** The body of a Spot order and of its preview. */
export const SpotOrder = Type.Object({
  marketId: Type.String({ pattern: SPOT_MARKET_ID }),
  side: OneOf(SIDES),
  orderType: OneOf(ORDER_TYPES, { [REFUSAL]: 'EmptyOrderType' }),
  timeInForce: OneOf(TIMES_IN_FORCE),
  requestedAmount: DecimalInput(),
  requestedPrice: Type.Optional(Nullable(DecimalInput())),
  cancellationDate: Type.Optional(Nullable(TimestampInput())),
  comment: Comment,
  clientOrderId: Type.Optional(Nullable(ClientOrderId)),
  ...ORDER_EXTENSIONS,
});
export type SpotOrder = Static<typeof SpotOrder>;

const Leverage = Type.Optional(
  Nullable(
    Int32({
      minimum: 1,
      maximum: LEVERAGE_MAX,
      description: 'Left out or null: the most that the market gives.',
    }),
  ),
);

export const StopLoss = Type.Object({
  price: DecimalInput(),
  isTrailing: Type.Optional(
    Type.Boolean({ description: 'Follows the price at the distance that it has from the entry.' }),
  ),
});
export const TakeProfit = Type.Object({ price: DecimalInput() });

/** What an order and its preview have in common where amounts are lots. */
export const LOT_ORDER = {
  marketId: Type.String({ pattern: MARKET_ID }),
  side: OneOf(SIDES),
  orderType: OneOf(ORDER_TYPES, { [REFUSAL]: 'EmptyOrderType' }),
  requestedLotAmount: DecimalInput({ description: 'A multiple of the lot step of the market.' }),
  requestedPrice: Type.Optional(Nullable(DecimalInput())),
  leverage: Leverage,
} as const;

/** The body of a Cfd or Perp order. */
export const MarginOrder = Type.Object({
  ...LOT_ORDER,
  timeInForce: OneOf(TIMES_IN_FORCE),
  cancellationDate: Type.Optional(Nullable(TimestampInput())),
  stopLoss: Type.Optional(Nullable(StopLoss)),
  takeProfit: Type.Optional(Nullable(TakeProfit)),
  comment: Comment,
  clientOrderId: Type.Optional(Nullable(ClientOrderId)),
  ...ORDER_EXTENSIONS,
});
export type MarginOrder = Static<typeof MarginOrder>;

const ActivationPrice = DecimalInput({
  description: 'A buy waits for an ask at or above it, a sell for a bid at or below it.',
});
export const MarginStopOrder = Type.Object({
  ...MarginOrder.properties,
  activationPrice: ActivationPrice,
});
export const SpotStopOrder = Type.Object({
  ...SpotOrder.properties,
  activationPrice: ActivationPrice,
});

/** What placing an order on margin, or a stop order, answers with. */
export const OrderResult = Type.Object({
  order: Type.Object({ orderId: Type.String(), status: OneOf(ORDER_STATUSES) }),
});
export type OrderResult = Static<typeof OrderResult>;

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
  commission: DecimalOutput({
    description: 'In the quote asset; of Cfd and Perp orders in the root asset.',
  }),
  requestedAmount: DecimalOutput({ description: 'Base assets, also where orders are in lots.' }),
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
