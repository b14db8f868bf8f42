import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JSON_DEPTH_MAX, JSON_KEYS_MAX, readJson } from '../../gateway/http/json.ts';
import { isExactNumber } from '../../gateway/http/json-number.ts';
import { Refused } from '../../gateway/http/refused.ts';
import { seed } from './support/seed.ts';

function read(text: string): unknown {
  return readJson(Buffer.from(text));
}

/** `NumberNotExact order.amount`. */
function refusal(value: unknown): string {
  if (!(value instanceof Refused)) return `accepted ${JSON.stringify(value)}`;
  const { field } = value.details;
  return field === undefined ? value.refusal.name : `${value.refusal.name} ${field}`;
}

describe('the JSON reader', () => {
  test('agrees with JSON.parse on every document that it accepts', () => {
    const run = fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const value = read(text);
      if (value instanceof Refused) {
        expect(value.refusal.name).toBe('NumberNotExact');
      } else {
        expect(value).toEqual(JSON.parse(text));
      }
    });
    fc.assert(run, { seed, numRuns: 2000 });
  });

  test('accepts every document without surprises, whatever its spaces', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        scalar,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4 }),
      ),
    }));
    const run = fc.property(tree, fc.constantFrom('', ' ', '\n\t'), (value, space) => {
      expect(read(JSON.stringify(value, null, space))).toEqual(value);
    });
    fc.assert(run, { seed, numRuns: 2000 });
  });

  test('refuses whatever JSON.parse refuses', () => {
    const mutation = fc.record({ at: fc.nat(), by: fc.string({ maxLength: 2 }) });
    const run = fc.property(fc.json(), mutation, (text, { at, by }) => {
      const cut = at % (text.length + 1);
      const mutated = text.slice(0, cut) + by + text.slice(cut + 1);
      let isValid = true;
      try {
        JSON.parse(mutated);
      } catch {
        isValid = false;
      }
      if (!isValid) expect(read(mutated)).toBeInstanceOf(Refused);
    });
    fc.assert(run, { seed, numRuns: 3000 });
  });

  test('names a key that appears twice at any depth, and accepts equal keys of different objects', () => {
    expect(refusal(read('{"a":1,"a":1}'))).toBe('DuplicateKey a');
    expect(refusal(read('{"order":{"side":"Buy","x":[1],"side":"Sell"}}'))).toBe(
      'DuplicateKey order.side',
    );
    expect(refusal(read('{"list":[{"a":1},{"a":1,"\\u0061":2}]}'))).toBe('DuplicateKey list[1].a');
    expect(refusal(read('{"__proto__":{},"__proto__":{}}'))).toBe('DuplicateKey __proto__');
    expect(read('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}')).toEqual({
      a: { a: { a: 1 } },
      b: [{ a: 1 }, { a: 2 }],
    });
    expect(read('{"text":"a:b:\\"c\\":{}[],:"}')).toEqual({ text: 'a:b:"c":{}[],:' });
  });

  test('keeps __proto__ and constructor as mere keys', () => {
    const value = read('{"__proto__":{"polluted":true},"constructor":1}') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each([
    ['0.1', 0.1],
    ['-0', -0],
    ['1e2', 100],
    ['9e-05', 0.00009],
    ['1.000000000000000000000000', 1],
    ['100000000000000000000000', 1e23],
    ['9007199254740991', 9007199254740991],
    ['0e999', 0],
    ['123456789.123456', 123456789.123456],
  ])('keeps the exact number %s', (token, value) => {
    expect(read(`{"n":${token}}`)).toEqual({ n: value });
  });

  test.each([
    '9007199254740993',
    '0.1000000000000000055511151231257827',
    '1e400',
    '-1e400',
    '1e-400',
    '1234567890123456789012345678901234567890',
    '0.12345678901234567890',
    '123456789012345.67891',
  ])('refuses the number %s, which no double holds, and names its field', (token) => {
    expect(refusal(read(`{"order":{"amounts":[1,${token}]}}`))).toBe(
      'NumberNotExact order.amounts[1]',
    );
  });

  test('an accepted number prints the decimal value that was sent', () => {
    const run = fc.property(fc.bigInt(), fc.integer({ min: -30, max: 30 }), (digits, exponent) => {
      const token = `${digits}e${exponent}`;
      if (!isExactNumber(token)) return;
      const printed = String(Number(token));
      const [mantissa = '', power = '0'] = printed.split('e');
      const [whole = '', fraction = ''] = mantissa.split('.');
      const scale = Number(power) - fraction.length;
      const shift = Math.max(0, -Math.min(scale, exponent));
      const sent = digits * 10n ** BigInt(exponent + shift);
      expect(BigInt(whole + fraction) * 10n ** BigInt(scale + shift)).toBe(sent);
    });
    fc.assert(run, { seed, numRuns: 3000 });
  });

  test.each([
    ['an empty text', ''],
    ['a cut object', '{"a":1'],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '{"a":1}//x'],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['Infinity', '{"a":Infinity}'],
    ['a leading zero', '{"a":01}'],
    ['a plus sign', '{"a":+1}'],
    ['a bare point', '{"a":.5}'],
    ['a point at the end', '{"a":5.}'],
    ['a hexadecimal number', '{"a":0x10}'],
    ['two documents', '{} {}'],
    ['a raw newline in a string', '{"a":"\n"}'],
    ['a raw NUL', '{"a":\0}'],
    ['an unknown escape', '{"a":"\\x41"}'],
    ['a byte order mark', '\ufeff{"a":1}'],
    ['an exponent without digits', '{"a":1e}'],
    ['an open string', '{"a":"b'],
    ['a backslash at the end', '{"a":"\\'],
  ])('refuses %s as malformed', (_, text) => {
    expect(refusal(read(text))).toBe('MalformedJson');
  });

  test('refuses halves of surrogate pairs, in values and keys, and keeps whole ones', () => {
    expect(refusal(read('{"a":{"b":"\\ud800"}}'))).toBe('LoneSurrogate a.b');
    expect(refusal(read('{"\\udc00":1}'))).toBe('LoneSurrogate body');
    expect(read('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '😀' });
    expect(read('{"a":"😀ü"}')).toEqual({ a: '😀ü' });
  });

  test.each([
    ['a stray continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['a code point beyond U+10FFFF', [0xf5, 0x80, 0x80, 0x80]],
  ])('refuses %s as not UTF-8', (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(refusal(readJson(body))).toBe('NotUtf8');
  });

  test('bounds nesting and keys', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const keyed = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;
    expect(read(nested(JSON_DEPTH_MAX))).toBeInstanceOf(Array);
    expect(refusal(read(nested(JSON_DEPTH_MAX + 1)))).toBe('TooDeep');
    expect(refusal(read('['.repeat(60_000)))).toBe('TooDeep');
    expect(Object.keys(read(keyed(JSON_KEYS_MAX)) as object)).toHaveLength(JSON_KEYS_MAX);
    expect(refusal(read(keyed(JSON_KEYS_MAX + 1)))).toBe('TooManyKeys');
  });
});
