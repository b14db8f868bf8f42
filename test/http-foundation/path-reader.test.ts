import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileFields } from '../../gateway/http/fields.ts';
import { compilePath } from '../../gateway/http/path-reader.ts';
import { Refused } from '../../gateway/http/refused.ts';
import { Int32 } from '../../gateway/http/schema.ts';
import { seed } from '../support/seed.ts';

const Id = Type.String({ minLength: 1, maxLength: 128 });
const Ids = Type.Object({ first: Id, second: Type.String({ description: 'Any.' }) });

/** What a refusal says, or the fields. */
const told = (outcome: object) =>
  outcome instanceof Refused
    ? [outcome.refusal.name, outcome.details.field, outcome.details.limit]
    : { ...outcome };

describe(`the texts of a path (SEED=${seed})`, () => {
  test('are read like any other fields', () => {
    const read = compilePath(['first', 'second'], Ids);
    const fields = compileFields(Ids);
    const text = fc.oneof(
      fc.webPath(),
      fc.string({ maxLength: 140 }).map(encodeURIComponent),
      fc.integer({ min: 0, max: 140 }).map((length) => 'x'.repeat(length)),
    );
    fc.assert(
      fc.property(text, text, (first, second) => {
        const pairs = ['first', decodeURIComponent(first), 'second', decodeURIComponent(second)];
        expect(told(read([first, second]))).toEqual(told(fields(pairs)));
      }),
      { seed },
    );
  });

  test('are refused where an escape is broken', () => {
    const read = compilePath(['first', 'second'], Ids);
    expect(told(read(['a', '%zz']))).toEqual(['BadEscape', 'second', undefined]);
  });

  test('are held to all that their schema says', () => {
    const schema = Type.Object({
      size: Int32({ minimum: 1 }),
      name: Type.String({ pattern: '^[a-z]+$' }),
      short: Type.String({ maxLength: 3 }),
    });
    const read = compilePath(['size', 'name', 'short'], schema);
    expect(read(['5', 'abc', 'xyz'])).toEqual({ size: 5, name: 'abc', short: 'xyz' });
    for (const texts of [
      ['0', 'abc', 'xyz'],
      ['5', 'ABC', 'xyz'],
      ['5', 'abc', 'wxyz'],
    ]) {
      expect(read(texts)).toBeInstanceOf(Refused);
    }
  });
});
