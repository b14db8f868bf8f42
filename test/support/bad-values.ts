/**
 * JSON texts that are put in place of any field of a request: some of them fit some fields, and none
 * of them may do harm.
 */
export const ODD_VALUES: readonly string[] = [
  'null',
  'true',
  '[]',
  '{}',
  '[null]',
  '[[[[[[[[]]]]]]]]',
  '{"a":{"b":{"c":[1,2,{"d":null}]}}}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"length":1,"0":"x"}',
  '""',
  '" "',
  '"null"',
  '"undefined"',
  '"NaN"',
  '"Infinity"',
  '"-Infinity"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"hasOwnProperty"',
  '"true"',
  '0',
  '-0',
  '"-0"',
  '"0.0"',
  '-1',
  '"-1"',
  '"--1"',
  '"+-1"',
  '"+"',
  '"."',
  '".5"',
  '"1."',
  '"1.2.3"',
  '"1,5"',
  '"1 000"',
  '"1_000"',
  '" 1"',
  '"1 "',
  '"\\t1\\n"',
  '"1\\u0000"',
  '"0x10"',
  '"0b1"',
  '"1n"',
  '"1e5"',
  '"1e"',
  '"e1"',
  '"1e+"',
  '"1e1.5"',
  '"1e400"',
  '"1e-400"',
  '"1e999999999"',
  '"-1e-7"',
  '1e400',
  '-1e400',
  '1e-400',
  '1E+308',
  '9007199254740993',
  '0.1234567890123456789',
  '1234567890123456789012345678901234567890',
  '"1234567890123456789012345678901234567890"',
  '"0.0000000000000000000000000000000000000001"',
  '"00000000000000000000000000000000000000000000000000000000000000001"',
  '"9223372036854775807"',
  '"9223372036854775808"',
  '"9007199254740991"',
  '"9007199254740992"',
  '2147483647',
  '2147483648',
  '-2147483649',
  '1.5',
  '"\u0661"',
  '"\u0661.\u0665"',
  '"\uff11"',
  '"\u221e"',
  '"\u2212\u0031"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\\u0000\\u0001\\u001f\\u007f"',
  '"\u2028\u2029\ufeff"',
  '"\u202e\u200b"',
  '"Buy "',
  '"buy"',
  '"LIMIT"',
  '"spot.btc_usdt\\u0000"',
  '"spot.btc_usdt/../x"',
  '"cfd.eur_usdt"',
  '"spot.nope_usdt"',
  '"spot.__proto___usdt"',
  '"constructor_usdt"',
  '"2026-02-30T00:00:00.000Z"',
  '"2026-01-01T00:00:00.000"',
  '"2026-01-01T00:00:00.000+01:00"',
  '"2026-01-01"',
  '"0000-01-01T00:00:00.000Z"',
  '"9999-12-31T23:59:59.999Z"',
  '"+275760-09-13T00:00:00.000Z"',
  '"1e3Z"',
  '1700000000000',
  '"\' OR 1=1 --"',
  '"; DROP TABLE orders"',
  ['"$', '{7*7}{{7*7}}%s%n"'].join(''),
  '"../../etc/passwd"',
  JSON.stringify('x'.repeat(101)),
  JSON.stringify('x'.repeat(5000)),
  JSON.stringify('\u{1f600}'.repeat(101)),
  JSON.stringify('9'.repeat(5000)),
  JSON.stringify(Array.from({ length: 2000 }, (_, index) => String(index))),
];

/** A body and where its leaves are, so that each can be replaced by raw JSON text. */
type Path = readonly (string | number)[];

/** Every place in a JSON value at which something stands, the whole itself included. */
export function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key]));
  return [path, ...inner];
}

/** The JSON text of `value` with the part at `path` replaced by `text`; undefined takes it out. */
export function withPart(value: unknown, path: Path, text: string | undefined): string {
  const [key, ...rest] = path;
  if (key === undefined) return text ?? '';
  const members = Object.entries(value as object).flatMap(([name, part]) => {
    const isNamed = name === String(key);
    if (isNamed && rest.length === 0 && text === undefined) return [];
    const written = isNamed ? withPart(part, rest, text) : JSON.stringify(part);
    return [Array.isArray(value) ? written : `${JSON.stringify(name)}:${written}`];
  });
  return Array.isArray(value) ? `[${members.join(',')}]` : `{${members.join(',')}}`;
}

/** The JSON text of `value` with `member` put first into the object at `path`. */
export function withMember(value: unknown, path: Path, member: string): string {
  let part = value;
  for (const key of path) part = (part as Record<string, unknown>)[String(key)];
  const text = JSON.stringify(part);
  const inner = text === '{}' ? `{${member}}` : `{${member},${text.slice(1)}`;
  return path.length === 0 ? inner : withPart(value, path, inner);
}
