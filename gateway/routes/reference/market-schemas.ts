import { type Static, Type } from '@sinclair/typebox';
import { MARKET_TYPES } from '../../../core/messages/enums.ts';
import { DecimalOutput, Nullable, OneOf } from '../../http/schema.ts';

/** What a market is, as the v4 list has it. */
const identity = {
  marketId: Type.String(),
  displayName: Type.String(),
  fullName: Nullable(Type.String()),
  type: OneOf(MARKET_TYPES),
  subtype: Nullable(Type.String({ description: 'Cfd only.' })),
};
const isFavorite = Type.Boolean({ description: 'For the caller.' });

export const MarketItemV4 = Type.Object(identity);
export const MarketItem = Type.Object({ ...identity, isFavorite });

const TimeIntervals = Type.Array(
  Type.Object({
    start: Type.String({ description: 'HH:MM:SS, local.' }),
    end: Type.String({ description: 'HH:MM:SS, local; 00:00:00 is the midnight that follows.' }),
  }),
);
const Calendar = Type.Object({
  timeZoneId: Type.String(),
  tradingSessions: Type.Array(
    Type.Object({ dayOfWeek: Type.String(), timeIntervals: TimeIntervals }),
  ),
  sessionOverrides: Type.Array(
    Type.Object({ date: Type.String(), timeIntervals: Nullable(TimeIntervals) }),
  ),
});

const SwapSide = Type.Object({ size: DecimalOutput(), assetId: Nullable(Type.String()) });
const SwapSettings = Type.Object({
  type: OneOf(['FixPerLot', 'Percent', 'Points']),
  shortPositionSettings: SwapSide,
  longPositionSettings: SwapSide,
});

export const LeverageProfile = Type.Object({
  leverageType: OneOf(['Fixed', 'Dynamic']),
  leverage: Type.Object({
    useOnlyMaxLeverage: Type.Boolean(),
    maxLeverage: Nullable(Type.Integer()),
    tiers: Nullable(
      Type.Array(
        Type.Object({
          maxLeverage: Type.Integer(),
          maxNotionalValueInRAT: Nullable(DecimalOutput()),
        }),
      ),
    ),
  }),
});

export const CommissionSettings = Type.Object({
  type: OneOf(['Fixed', 'Dynamic']),
  charge: Type.Object({
    type: OneOf(['Percent', 'FixPerLot']),
    assetId: Nullable(Type.String()),
    size: Nullable(DecimalOutput({ description: 'Percent: a fraction of notional.' })),
    tiers: Nullable(
      Type.Array(Type.Object({ size: DecimalOutput(), minTradingVolumeInRAT: DecimalOutput() })),
    ),
    minCommissionInRAT: Nullable(DecimalOutput()),
  }),
  dynamicCommissionGroupId: Nullable(Type.String()),
});

/** What all details of a market have in common. */
const detail = {
  marketId: Type.String(),
  displayName: Type.String(),
  fullName: Nullable(Type.String()),
  baseAssetId: Type.String(),
  quoteAssetId: Type.String(),
  minAmount: Nullable(DecimalOutput()),
  maxBaseAmount: Nullable(DecimalOutput()),
  priceDeviation: DecimalOutput({ description: '0.1 is 10 %; 0 is no restriction.' }),
  priceScale: Type.Integer(),
  amountScale: Nullable(Type.Integer()),
  type: OneOf(MARKET_TYPES),
  subtype: Nullable(Type.String()),
  swapSettings: Nullable(SwapSettings),
  lotSize: Nullable(Type.Integer()),
  minLotAmount: Nullable(DecimalOutput()),
  maxLotAmount: Nullable(Type.Integer()),
  tickSize: Nullable(DecimalOutput()),
  lotStep: Nullable(DecimalOutput()),
  slippageRate: DecimalOutput(),
  calendar: Calendar,
  fundingStartTime: Nullable(Type.String()),
  fundingIntervalInHours: Nullable(Type.Integer()),
};

export const TradingParameters = Type.Object(detail);

export const MarketDetail = Type.Object({
  ...detail,
  leverageProfile: Nullable(LeverageProfile),
  commissionSettings: CommissionSettings,
  isFavorite,
});
export type MarketDetail = Static<typeof MarketDetail>;

export const MarketDetailV4 = Type.Object({
  ...detail,
  minQuoteAmount: Nullable(DecimalOutput()),
  maxLeverage: Type.Integer(),
  isConstLeverage: Type.Boolean(),
  isFavorite,
});
export type MarketDetailV4 = Static<typeof MarketDetailV4>;
