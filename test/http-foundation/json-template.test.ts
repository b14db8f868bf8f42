import { type TSchema, Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRenderer } from '../../gateway/http/answer-serialiser.ts';
import { compileTemplate } from '../../gateway/http/json-template.ts';
import { DecimalOutput, Nullable } from '../../gateway/http/schema.ts';
import { seed } from '../support/seed.ts';

const Line = Type.Object({ 'a `${key}\\"': Type.String(), amount: DecimalOutput() });
const Body = Type.Object({
  name: Type.String(),
  note: Nullable(Type.String()),
  count: Type.Integer(),
  isOpen: Type.Boolean(),
  inner: Type.Object({ lines: Type.Array(Line), nothing: Type.Object({}) }),
  tags: Type.Array(Type.String()),
  nick: Type.Optional(Type.String()),
  comment: Type.Optional(Nullable(Type.String())),
});

/** Texts with all that must be escaped, and halves of surrogate pairs. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom('"', '\\', '\n', '\u0000', '\ud800', '\udc00', '😀', 'é', 'a', '`', '${'),
    )
    .map((parts) => parts.join('')),
);
const line = fc.record({ 'a `${key}\\"': text, amount: fc.constantFrom('0', '-1.5', '100') });
const body = fc.record(
  {
    name: text,
    note: fc.option(text),
    count: fc.maxSafeInteger(),
    isOpen: fc.boolean(),
    inner: fc.record({ lines: fc.array(line), nothing: fc.constant({}) }),
    tags: fc.array(text),
    nick: text,
    comment: fc.option(text),
  },
  { requiredKeys: ['name', 'note', 'count', 'isOpen', 'inner', 'tags'] },
);

function compiled(schema: TSchema) {
  const template = compileTemplate(schema);
  if (template === undefined) throw new Error('the schema is not of the usual kind');
  return template;
}

describe(`a template (SEED=${seed})`, () => {
  test('writes every body that fits as JSON does', () => {
    const write = compiled(Body);
    fc.assert(
      fc.property(body, (value) => {
        expect(write(value)).toBe(JSON.stringify(value));
      }),
      { seed, numRuns: 500 },
    );
  });

  test('writes nothing that the schema does not name', () => {
    const write = compiled(Type.Object({ name: Type.String() }));
    expect(write({ secret: 'x', name: 'a', more: 1 })).toBe('{"name":"a"}');
    expect(compiled(Type.Array(Type.Integer()))([])).toBe('[]');
  });

  test.each([
    ['a field that is missing', { name: 'a' }],
    ['null where a text must be', { name: null, count: 1 }],
    ['a number where a text must be', { name: 1, count: 1 }],
    ['a fraction where a whole number must be', { name: 'a', count: 0.5 }],
    ['no object', null],
    ['an odd optional field', { name: 'a', count: 1, nick: 5 }],
    ['null for an optional text', { name: 'a', count: 1, nick: null }],
  ])('leaves %s to the general way', (_what, value) => {
    const schema = Type.Object({
      name: Type.String(),
      count: Type.Integer(),
      nick: Type.Optional(Type.String()),
    });
    expect(compiled(schema)(value)).toBeUndefined();
    expect(compiled(Type.Array(schema))([value])).toBeUndefined();
  });

  test.each([
    ['a choice of shapes', Type.Object({ a: Type.Union([Type.Null(), Type.Object({})]) })],
    ['open objects', Type.Object({}, { additionalProperties: true })],
    ['numbers that are not whole', Type.Object({ a: Type.Number() })],
    ['anything', Type.Object({ a: Type.Unknown() })],
    ['a first field that may be absent', Type.Object({ a: Type.Optional(Type.String()) })],
    ['lists of those', Type.Array(Type.Unknown())],
  ])('is not made for %s', (_what, schema) => {
    expect(compileTemplate(schema)).toBeUndefined();
  });

  test('gives way where a body does not fit: what is missing is an error then', () => {
    const render = compileRenderer(Type.Object({ name: Type.String() }));
    expect(Buffer.from(render({ name: 'é' }).bytes).toString()).toBe('{"name":"é"}');
    expect(() => render(JSON.parse('{}') as { name: string })).toThrow('"name" is required!');
  });
});
