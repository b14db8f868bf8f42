import { type Static, type TUnsafe, Type } from '@sinclair/typebox';
import { DecimalInput, Nullable, OneOf } from '../../http/schema.ts';

const TEXT_LENGTH_MAX = 64;

/** Paths of the signed interface answer under either. */
export const PREFIXES = ['', '/trading'] as const;

export const LEGACY_SIDES = ['buy', 'sell'] as const;
/** What of an order's state the signed interface tells: what has not ended is Working. */
export const LEGACY_STATUSES = ['Working', 'Rejected', 'Cancelled', 'Completed'] as const;
export type LegacyStatus = (typeof LEGACY_STATUSES)[number];

const Ts = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  maxLength: TEXT_LENGTH_MAX,
  description:
    'When the request was made, at most 5 s from the time of the venue: YYYY-MM-DDTHH:MM:SS in UTC, fraction and Z optional, or UNIX time in milliseconds or seconds.',
});
const Nonce = Type.Unsafe<string>({
  type: ['string', 'integer'],
  pattern: '^-?[0-9]{1,20}$',
  description: 'An integer of 64 bits that the key has not used within 22 seconds.',
});

/** What every signed request carries: in its body, or in its query. */
export const FRESHNESS = { ts: Ts, nonce: Nonce } as const;

/** `{base}_{quote}`: how the signed interface names Spot markets. */
export function Instrument(): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', pattern: '^[a-z0-9]{1,15}_[a-z0-9]{1,15}$' });
}

/** The edge of a window in time, as text. */
export function Moment(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', maxLength: TEXT_LENGTH_MAX, description });
}

/** A decimal that leaves as a JSON number, exact to its last digit. */
function Numeric(description?: string): TUnsafe<number> {
  return Type.Unsafe<number>({
    type: 'number',
    ...(description === undefined ? {} : { description }),
  });
}

export const NewOrder = Type.Object({
  instrument: Instrument(),
  type: OneOf(LEGACY_SIDES),
  amount: DecimalInput(),
  price: Type.Optional(
    Nullable(DecimalInput({ description: 'Required for a limit order; of no account otherwise.' })),
  ),
  isLimit: Type.Optional(Type.Boolean({ description: 'false where left out.' })),
  isStop: Type.Optional(Type.Boolean({ description: 'true is refused.' })),
  isFok: Type.Optional(Type.Boolean({ description: 'All of it at once, or nothing.' })),
  activationPrice: Type.Optional(
    Nullable(DecimalInput({ description: 'Goes with isStop, which is refused.' })),
  ),
  clientOrderId: Type.Optional(
    Nullable(
      Type.String({
        format: 'uuid',
        description: 'Not all zeros; names one of the open orders of the account at a time.',
      }),
    ),
  ),
});
export type NewOrder = Static<typeof NewOrder>;

/** The legacy Order Object. */
export const OrderObject = Type.Object({
  orderId: Type.String(),
  clientOrderId: Nullable(Type.String({ description: 'Extension.' })),
  instrument: Type.String({ description: '{base}_{quote}' }),
  type: OneOf(LEGACY_SIDES),
  side: Type.Integer({ description: '0 buy, 1 sell' }),
  orderType: Type.Integer({ description: '0: no stop order, as all are.' }),
  isLimit: Type.Boolean(),
  isPending: Type.Boolean({ description: 'Open.' }),
  status: OneOf(LEGACY_STATUSES),
  timeInForce: Type.String({ description: 'GTC, IOC, FOK, GTD, DAY or RETRY' }),
  amount: Numeric(),
  remaining: Numeric(),
  unitsFilled: Numeric(),
  requestedPrice: Numeric('0 for an order without a limit.'),
  executionPrice: Numeric('Volume-weighted average; 0 before any fill.'),
  averageFillPrice: Numeric('The same.'),
  stopPrice: Numeric('0'),
  total: Numeric('What it traded for so far, in the quote asset.'),
  commission: Numeric('In the quote asset.'),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  rejectDetails: Type.String(),
});

/** One execution of an order of the account. */
export const TradeObject = Type.Object({
  tradeSeq: Type.Integer({ description: 'The id of the execution.' }),
  tradeTime: Type.String({ format: 'date-time' }),
  orderId: Type.String(),
  instrument: Type.String({ description: '{base}_{quote}' }),
  type: OneOf(LEGACY_SIDES),
  side: Type.Integer({ description: '0 buy, 1 sell' }),
  amount: Numeric(),
  executionPrice: Numeric(),
  commission: Numeric('In the quote asset.'),
  isReverted: Type.Boolean({ description: 'Extension. The venue has undone it.' }),
});
