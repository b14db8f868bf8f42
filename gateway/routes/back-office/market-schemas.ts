import { type Static, Type } from '@sinclair/typebox';
import {
  MARKET_SIDES,
  MARKET_STATUSES,
  MARKET_TYPES,
  SWAP_TYPES,
} from '../../../core/messages/enums.ts';
import {
  DecimalInput,
  DecimalOutput,
  Int32,
  Nullable,
  OneOf,
  TimestampOutput,
} from '../../http/schema.ts';
import { LeverageProfile } from '../reference/market-schemas.ts';

const ID_LENGTH_MAX = 64;

const SwapSide = Type.Object({ swapSize: DecimalOutput(), assetId: Nullable(Type.String()) });

/** A market as the back office reads it. */
export const BackOfficeMarket = Type.Object({
  marketId: Type.String(),
  displayName: Type.String(),
  fullName: Nullable(Type.String()),
  baseAssetId: Type.String(),
  quoteAssetId: Type.String(),
  minAmount: Nullable(DecimalOutput()),
  priceDeviation: DecimalOutput(),
  priceScale: Type.Integer(),
  amountScale: Nullable(Type.Integer()),
  slippageRate: DecimalOutput(),
  status: OneOf(MARKET_STATUSES),
  type: OneOf(MARKET_TYPES),
  subtype: Nullable(Type.String()),
  isSynchronized: Type.Boolean({ description: 'Whether a liquidity provider keeps it.' }),
  createdAt: Nullable(TimestampOutput()),
  updatedAt: Nullable(TimestampOutput()),
  externalTtl: Type.Integer({ description: 'Milliseconds.' }),
  internalTtl: Type.Integer({ description: 'Milliseconds.' }),
  lotSize: Nullable(Type.Integer()),
  minLotAmount: Nullable(DecimalOutput()),
  maxLotAmount: Nullable(Type.Integer()),
  tickSize: Nullable(DecimalOutput()),
  lotStep: Nullable(DecimalOutput()),
  swapSettings: Nullable(
    Type.Object({
      type: OneOf(SWAP_TYPES, { description: 'Extension.' }),
      shortPositionSettings: SwapSide,
      longPositionSettings: SwapSide,
    }),
  ),
  calendarId: Nullable(Type.String()),
  marketGroupId: Nullable(Type.String()),
  marketGroupName: Nullable(Type.String()),
  calendarName: Nullable(Type.String()),
  maxLeverage: Nullable(Type.Integer()),
  isConstLeverage: Nullable(Type.Boolean({ description: 'Whether a trader must take the most.' })),
  leverageProfile: Nullable(LeverageProfile),
  fundingSettings: Nullable(
    Type.Object(
      { startTime: Type.String(), intervalInHours: Type.Integer(), cap: DecimalOutput() },
      { description: 'Extension.' },
    ),
  ),
});

const commission = (description: string) => Type.Optional(Nullable(DecimalInput({ description })));
const TAKER_COMMISSION = 'What takers pay, in the quote asset, as a fraction of notional.';
const MAKER_COMMISSION = 'What makers pay, in the quote asset, as a fraction of notional.';
const NOT_TAKEN = 'Only 0: there is no such charge.';

const priceScale = Int32({ minimum: 2, maximum: 8 });
const amountScale = Int32({ minimum: 0, maximum: 8 });
const settings = {
  min_amount: Type.Optional(Nullable(DecimalInput())),
  price_deviation: Type.Optional(Nullable(DecimalInput({ description: '0.1 is 10 %.' }))),
  max_price: Type.Optional(Nullable(DecimalInput({ description: '0 for none of its own.' }))),
  min_price: Type.Optional(Nullable(DecimalInput({ description: '0 for none.' }))),
  base_fee: commission(NOT_TAKEN),
  quote_fee: commission(TAKER_COMMISSION),
  maker_fee: commission(MAKER_COMMISSION),
  maker_fee_limit: commission(NOT_TAKEN),
  taker_fee: commission(TAKER_COMMISSION),
  taker_fee_limit: commission(NOT_TAKEN),
  status: Type.Optional(Nullable(OneOf(MARKET_STATUSES))),
  side: Type.Optional(Nullable(OneOf(MARKET_SIDES))),
  hidden: Type.Optional(Nullable(Type.Boolean({ description: 'No trader sees it.' }))),
};
const Id = Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX });

export const MarketCreation = Type.Object({
  id: Type.Optional(Nullable(Id)),
  base_asset: Id,
  quote_asset: Id,
  amount_scale: amountScale,
  price_scale: priceScale,
  ...settings,
});

export const MarketUpdate = Type.Object({
  price_scale: Type.Optional(Nullable(priceScale)),
  amount_scale: Type.Optional(Nullable(amountScale)),
  ...settings,
});
export type MarketUpdate = Static<typeof MarketUpdate>;

/** A market as the older back office knows it. */
export const MarketSettings = Type.Object({
  id: Type.String(),
  base_asset: Type.String(),
  quote_asset: Type.String(),
  amount_scale: Type.Integer(),
  min_amount: DecimalOutput(),
  price_deviation: DecimalOutput(),
  price_scale: Type.Integer(),
  max_price: DecimalOutput(),
  min_price: DecimalOutput(),
  base_fee: DecimalOutput(),
  quote_fee: DecimalOutput(),
  maker_fee: DecimalOutput(),
  maker_fee_limit: DecimalOutput(),
  taker_fee: DecimalOutput(),
  taker_fee_limit: DecimalOutput(),
  status: OneOf(MARKET_STATUSES),
  side: OneOf(MARKET_SIDES),
  hidden: Type.Boolean(),
});
export type MarketSettings = Static<typeof MarketSettings>;
