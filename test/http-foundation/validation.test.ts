import { type TSchema, Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { describe as describeRefusal } from '../../gateway/http/error-body.ts';
import { compileFields, parsePairs } from '../../gateway/http/fields.ts';
import { Refused } from '../../gateway/http/refused.ts';
import { DecimalInput, Int32, Nullable, OneOf, TimestampInput } from '../../gateway/http/schema.ts';
import { compileValidator } from '../../gateway/http/validation.ts';

const Order = Type.Object({
  order: Type.Object({
    side: OneOf(['Buy', 'Sell']),
    orderType: OneOf(['Market', 'Limit'], { 'x-refusal': 'EmptyOrderType' }),
    amount: DecimalInput(),
    price: Type.Optional(Nullable(DecimalInput())),
    until: Type.Optional(Nullable(TimestampInput())),
    comment: Type.Optional(Nullable(Type.String({ maxLength: 5 }))),
    name: Type.Optional(Type.String({ minLength: 2, pattern: '^[a-z]*$' })),
    leverage: Type.Optional(Int32({ minimum: 1, maximum: 100 })),
    legs: Type.Optional(
      Type.Array(Type.Object({ id: Type.String({ format: 'uuid' }) }), {
        minItems: 1,
        maxItems: 2,
      }),
    ),
    stop: Type.Optional(Nullable(Type.Object({ price: DecimalInput() }))),
  }),
});

const good = { side: 'Buy', orderType: 'Limit', amount: '1' };

/** `TR… name: message`, or the value as it was converted. */
function judge(schema: TSchema, value: unknown): unknown {
  const refused = compileValidator(schema)(value);
  return refused === undefined ? value : `${refused.refusal.name}: ${describeRefusal(refused)}`;
}

function judgeOrder(fields: object): unknown {
  return judge(Order, { order: { ...good, ...fields } });
}

function without(name: string): unknown {
  const entries = Object.entries(good).filter(([key]) => key !== name);
  return judge(Order, { order: Object.fromEntries(entries) });
}

describe('a body', () => {
  test('that fits is taken, with decimals as text and timestamps as milliseconds', () => {
    expect(
      judgeOrder({ amount: 0.0000001, price: '1.50', until: '2026-01-01T00:00:00Z', stop: null }),
    ).toEqual({
      order: {
        side: 'Buy',
        orderType: 'Limit',
        amount: '1e-7',
        price: '1.50',
        until: Date.UTC(2026, 0, 1),
        stop: null,
      },
    });
  });

  test.each([
    [{ side: 'buy' }, 'NotOneOf: order.side buy is not one of Buy, Sell.'],
    [{ side: 5 }, 'WrongType: order.side must be a string.'],
    [{ amount: true }, 'WrongType: order.amount must be a string or a number.'],
    [{ amount: null }, 'WrongType: order.amount must be a string or a number.'],
    [
      { amount: '1,5' },
      'BadFormat: order.amount 1,5 does not have the form a decimal, such as 0.001.',
    ],
    [
      { amount: 'NaN' },
      'BadFormat: order.amount NaN does not have the form a decimal, such as 0.001.',
    ],
    [{ amount: '' }, 'BadFormat: order.amount  does not have the form a decimal, such as 0.001.'],
    [{ amount: '9'.repeat(65) }, 'TooLong: order.amount is longer than 64 characters.'],
    [
      { until: '2026-02-30T00:00:00Z' },
      'BadFormat: order.until 2026-02-30T00:00:00Z does not have the form YYYY-MM-DDTHH:MM:SS.sssZ.',
    ],
    [{ until: 5 }, 'WrongType: order.until must be a string or null.'],
    [{ comment: 'longer' }, 'TooLong: order.comment is longer than 5 characters.'],
    [{ name: 'a' }, 'TooShort: order.name is shorter than 2 characters.'],
    [{ name: 'AB' }, 'BadFormat: order.name AB does not have the form ^[a-z]*$.'],
    [{ leverage: 0 }, 'OutOfRange: order.leverage 0 is out of range: it must be at least 1.'],
    [{ leverage: 101 }, 'OutOfRange: order.leverage 101 is out of range: it must be at most 100.'],
    [{ leverage: 1.5 }, 'WrongType: order.leverage must be an integer.'],
    [{ leverage: '5' }, 'WrongType: order.leverage must be an integer.'],
    [{ legs: [] }, 'TooFewItems: order.legs has fewer than 1 items.'],
    [{ legs: [1, 2, 3] }, 'TooManyItems: order.legs has more than 2 items.'],
    [{ legs: [{ id: 'x' }] }, 'BadFormat: order.legs[0].id x does not have the form a UUID.'],
    [
      { stop: { price: '1', trail: 1 } },
      'UnknownField: order.stop.trail is not a field of this request.',
    ],
    [{ stop: {} }, 'FieldMissing: order.stop.price is required.'],
    [{ stop: [] }, 'WrongType: order.stop must be an object or null.'],
    [{ leverge: 5 }, 'UnknownField: order.leverge is not a field of this request.'],
    [{ orderType: null }, 'EmptyOrderType: Order type is empty or null.'],
    [{ orderType: '' }, 'EmptyOrderType: Order type is empty or null.'],
    [{ orderType: 'Stop' }, 'NotOneOf: order.orderType Stop is not one of Market, Limit.'],
  ])('with %j is refused and the field named', (fields, refusal) => {
    expect(judgeOrder(fields)).toBe(refusal);
  });

  test('without a required field names it, and the order type has its own code', () => {
    expect(without('side')).toBe('FieldMissing: order.side is required.');
    expect(without('orderType')).toBe('EmptyOrderType: Order type is empty or null.');
    expect(judge(Order, {})).toBe('FieldMissing: order is required.');
    expect(judge(Order, null)).toBe('WrongType: body must be an object.');
    expect(judge(Order, [])).toBe('WrongType: body must be an object.');
  });

  test('may carry unknown fields that are null: they ask for nothing', () => {
    expect(judgeOrder({ leverge: null, stop: { price: '1', trail: null } })).toEqual({
      order: { ...good, stop: { price: '1' } },
    });
  });

  test('cannot pollute prototypes through an unknown field', () => {
    const value: unknown = JSON.parse(
      '{"order":{"side":"Buy","orderType":"Limit","amount":"1","__proto__":{"price":"1"}}}',
    );
    expect(judge(Order, value)).toBe(
      'UnknownField: order.__proto__ is not a field of this request.',
    );
  });

  test('may be open where its schema says so', () => {
    const open = Type.Object({ a: Type.String() }, { additionalProperties: true });
    expect(judge(open, { a: '1', b: 2 })).toEqual({ a: '1', b: 2 });
  });
});

describe('fields that arrive as text', () => {
  const read = compileFields(
    Type.Object({
      limit: Int32({ minimum: 1, maximum: 50, default: 20 }),
      isFavorite: Type.Optional(Type.Boolean()),
      from: Type.Optional(TimestampInput()),
      amount: Type.Optional(DecimalInput()),
      'filter[type]': Type.Optional(OneOf(['children', 'single_user'])),
      roles: Type.Optional(Type.Array(Type.String())),
      text: Type.Optional(Type.String()),
    }),
  );

  function judgeQuery(query: string): unknown {
    const pairs = parsePairs(query);
    const value = pairs instanceof Refused ? pairs : read(pairs);
    return value instanceof Refused ? `${value.refusal.name}: ${describeRefusal(value)}` : value;
  }

  test.each([
    ['', { limit: 20 }],
    ['limit=5&isFavorite=true', { limit: 5, isFavorite: true }],
    ['isFavorite=False', { limit: 20, isFavorite: false }],
    ['from=2026-01-01T00%3A00%3A00Z', { limit: 20, from: Date.UTC(2026, 0, 1) }],
    ['amount=1e-7', { limit: 20, amount: '1e-7' }],
    ['filter%5Btype%5D=children', { limit: 20, 'filter[type]': 'children' }],
    ['filter[type]=children', { limit: 20, 'filter[type]': 'children' }],
    ['roles=a&roles=b', { limit: 20, roles: ['a', 'b'] }],
    ['text=a+b%2Bc&&limit=', { limit: 20, text: 'a b+c' }],
    ['text=a=b', { limit: 20, text: 'a=b' }],
    ['text=%C3%BC', { limit: 20, text: 'ü' }],
    ['text=123', { limit: 20, text: '123' }],
  ])('%j is read by its declared types', (query, values) => {
    expect(judgeQuery(query)).toEqual(values);
  });

  test.each([
    ['limit=0', 'OutOfRange: limit 0 is out of range: it must be at least 1.'],
    ['limit=1.5', 'WrongType: limit must be an integer.'],
    ['limit=0x10', 'WrongType: limit must be an integer.'],
    ['limit=1e1', 'WrongType: limit must be an integer.'],
    ['limit=99999999999999999999', 'WrongType: limit must be an integer.'],
    ['limit=1&limit=2', 'DuplicateKey: limit appears more than once.'],
    ['isFavorite=yes', 'WrongType: isFavorite must be true or false.'],
    [
      'from=2026-01-01',
      'BadFormat: from 2026-01-01 does not have the form YYYY-MM-DDTHH:MM:SS.sssZ.',
    ],
    ['text=%zz', 'BadEscape: text has a broken percent-escape.'],
    ['text=%', 'BadEscape: text has a broken percent-escape.'],
    ['text=%ff', 'BadEscape: text has a broken percent-escape.'],
    ['%zz=1', 'BadEscape: query has a broken percent-escape.'],
    ['limt=5', 'UnknownField: limt is not a field of this request.'],
    ['__proto__=5', 'UnknownField: __proto__ is not a field of this request.'],
    ['toString=5', 'UnknownField: toString is not a field of this request.'],
  ])('%j is refused and the field named', (query, refusal) => {
    expect(judgeQuery(query)).toBe(refusal);
  });
});
