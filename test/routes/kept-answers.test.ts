import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { KeptAnswers } from '../../gateway/routes/kept-answers.ts';

const Name = Type.Object({ name: Type.String() });

/** Answers that count how often they are made. */
function counted(bytesMax?: number) {
  const reference = { revision: 0 };
  const kept = new KeptAnswers(reference, Name, bytesMax);
  let made = 0;
  const get = (key: unknown, name: string): string => {
    const { bytes } = kept.get(key, () => {
      made++;
      return { name, hidden: true };
    });
    return Buffer.from(bytes).toString('utf8');
  };
  return { reference, get, made: () => made };
}

describe('kept answers', () => {
  it('are made once for each key, with the fields of their schema and no others', () => {
    const { get, made } = counted();
    expect(get('a', 'Zoë "1"')).toBe('{"name":"Zoë \\"1\\""}');
    expect(get('a', 'other')).toBe('{"name":"Zoë \\"1\\""}');
    expect(get('b', 'other')).toBe('{"name":"other"}');
    expect(made()).toBe(2);
  });

  it('are made anew when reference data has changed', () => {
    const { reference, get } = counted();
    get('a', 'before');
    reference.revision++;
    expect(get('a', 'after')).toBe('{"name":"after"}');
  });

  it('are as many as have room; those that were kept first go', () => {
    const { get, made } = counted(1024);
    const names = ['first', 'second', 'third', 'fourth'];
    for (const name of names) get(name, name);
    expect(get('fourth', 'again')).toBe('{"name":"fourth"}');
    expect(made()).toBe(4);
    expect(get('first', 'again')).toBe('{"name":"again"}');
  });

  it('that have no room at all are answered all the same', () => {
    const { get, made } = counted(1);
    expect(get('a', 'one')).toBe('{"name":"one"}');
    expect(get('a', 'two')).toBe('{"name":"two"}');
    expect(made()).toBe(2);
  });
});
