import { type Static, Type } from '@sinclair/typebox';
import { MARKET_SIDES, MARKET_STATUSES, SWAP_TYPES } from '../../../core/messages/enums.ts';
import { DecimalInput, DecimalOutput, Int32, Nullable, OneOf } from '../../http/schema.ts';
import { AssetId } from './asset-forms.ts';

const NAME_LENGTH_MAX = 128;
const ZONE_LENGTH_MAX = 64;
const LEVERAGE_MAX = 10_000;
const TIERS_MAX = 10;
const INTERVALS_MAX = 24;
const DAYS_MAX = 7;
const OVERRIDES_MAX = 1000;

const Name = Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX });
const Leverage = Int32({ minimum: 1, maximum: LEVERAGE_MAX });

const SwapSide = Type.Object({
  size: DecimalInput({ description: 'Positive is a charge, negative a rebate.' }),
  assetId: Type.Optional(Nullable(AssetId)),
});
export const SwapSettingsInput = Type.Object({
  type: OneOf(SWAP_TYPES, { description: 'Percent: a fraction of what the position is worth.' }),
  longPositionSettings: SwapSide,
  shortPositionSettings: SwapSide,
});

const Tier = Type.Object({
  maxLeverage: Leverage,
  maxNotionalValueInRAT: Type.Optional(
    Nullable(DecimalInput({ description: 'null or left out: no end. Of the last tier alone.' })),
  ),
});
export const LeverageProfileInput = Type.Object({
  leverageType: OneOf(['Fixed', 'Dynamic']),
  leverage: Type.Object({
    useOnlyMaxLeverage: Type.Optional(Type.Boolean()),
    maxLeverage: Type.Optional(Nullable(Leverage)),
    tiers: Type.Optional(Nullable(Type.Array(Tier, { minItems: 1, maxItems: TIERS_MAX }))),
  }),
});

export const FundingSettingsInput = Type.Object({
  startTime: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$' }),
  intervalInHours: Int32({ description: '1, 2, 3, 4, 6, 8, 12 or 24.' }),
  cap: DecimalInput({ description: 'The most that one settlement comes to, a fraction.' }),
});

const time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?';
const TimeIntervals = Type.Array(
  Type.Object({
    start: Type.String({ pattern: `^${time}$` }),
    end: Type.String({
      pattern: `^(${time}|24:00(:00)?)$`,
      description: '00:00 and 24:00 are midnight.',
    }),
  }),
  { maxItems: INTERVALS_MAX },
);
export const CalendarInput = Type.Object({
  calendarId: Type.Optional(Name),
  calendarName: Type.Optional(Name),
  timeZoneId: Type.String({ minLength: 1, maxLength: ZONE_LENGTH_MAX }),
  tradingSessions: Type.Array(
    Type.Object({
      dayOfWeek: OneOf([
        'Monday',
        'Tuesday',
        'Wednesday',
        'Thursday',
        'Friday',
        'Saturday',
        'Sunday',
      ]),
      timeIntervals: TimeIntervals,
    }),
    { maxItems: DAYS_MAX },
  ),
  sessionOverrides: Type.Optional(
    Type.Array(
      Type.Object({
        date: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
        timeIntervals: Nullable(TimeIntervals),
      }),
      { maxItems: OVERRIDES_MAX },
    ),
  ),
});

/** The group of markets that commission rules may name. */
const MarketGroup = Type.Object({ id: Name, name: Name });

const taken = (description: string) => ({ description: `${description} null takes it away.` });

const settings = {
  displayName: Type.Optional(Name),
  fullName: Type.Optional(Nullable(Name)),
  subtype: Type.Optional(Nullable(Name)),
  priceDeviation: Type.Optional(DecimalInput({ description: '0.1 is 10 %.' })),
  slippageRate: Type.Optional(DecimalInput({ description: '1.1 is 10 % above the price.' })),
  status: Type.Optional(OneOf(MARKET_STATUSES)),
  side: Type.Optional(OneOf(MARKET_SIDES)),
  hidden: Type.Optional(Type.Boolean()),
  internalTtl: Type.Optional(Int32({ minimum: 0, description: 'Milliseconds.' })),
  calendar: Type.Optional(Nullable(CalendarInput)),
  marketGroup: Type.Optional(Nullable(MarketGroup)),
  lotSize: Type.Optional(
    Int32({ minimum: 1, maximum: 1_000_000, description: 'Base assets in one lot.' }),
  ),
  lotStep: Type.Optional(DecimalInput({ description: 'minLotAmount where it is left out.' })),
  minLotAmount: Type.Optional(DecimalInput()),
  maxLotAmount: Type.Optional(Int32({ minimum: 1, maximum: 10_000 })),
  leverageProfile: Type.Optional(LeverageProfileInput),
  swapSettings: Type.Optional(Nullable(SwapSettingsInput)),
  fundingSettings: Type.Optional(FundingSettingsInput),
};

export const MarketChange = Type.Object(settings, taken('What is left out stays.'));
export type MarketChange = Static<typeof MarketChange>;

export const MarginMarketCreation = Type.Object({
  ...settings,
  type: OneOf(['Cfd', 'Perp']),
  baseAssetId: AssetId,
  quoteAssetId: AssetId,
  priceScale: Int32({ minimum: 2, maximum: 8 }),
  lotSize: Int32({ minimum: 1, maximum: 1_000_000, description: 'Base assets in one lot.' }),
  minLotAmount: DecimalInput(),
  maxLotAmount: Int32({ minimum: 1, maximum: 10_000 }),
  leverageProfile: LeverageProfileInput,
});

export const IndexPrice = Type.Object({ price: DecimalInput() });

const share = (description: string) => DecimalInput({ description });
export const VenueMarginChange = Type.Object({
  marginCall: Type.Optional(
    share('Below this margin level an account may only reduce; 1 is 100 %.'),
  ),
  stopOut: Type.Optional(share('Below this margin level its positions are closed.')),
  negativeBalanceProtection: Type.Optional(Type.Boolean()),
});
export const VenueMargin = Type.Object({
  marginCall: DecimalOutput({ description: 'A margin level; 1 is 100 %.' }),
  stopOut: DecimalOutput({ description: 'A margin level; 1 is 100 %.' }),
  negativeBalanceProtection: Type.Boolean({
    description: 'What an account without positions is below zero is booked against the house.',
  }),
});
