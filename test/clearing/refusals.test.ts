import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type RefusalName, Refusals, refusalCode } from '../../core/messages/refusals.ts';

const folder = new URL('../../core/clearing/', import.meta.url);

function sources(of: URL, ending: string): string {
  const names = readdirSync(of, { encoding: 'utf8', recursive: true }).filter((name) =>
    name.endsWith(ending),
  );
  return names.map((name) => readFileSync(new URL(name, of), 'utf8')).join('\n');
}

it('every refusal of orders, markets, funds and transfers that clearing gives has a test here', () => {
  const used = new Set(
    [...sources(folder, '.ts').matchAll(/Refusals\.(\w+)/g)].map(([, name]) => name as RefusalName),
  );
  const codes = [...used].map((name) => refusalCode(Refusals[name]));
  expect(codes.length).toBeGreaterThan(30);
  const tests = sources(new URL('./', import.meta.url), '.test.ts');
  const covered = (code: string) =>
    tests.includes(`'${code}'`) ||
    tests.includes(`code: ${Number(code.slice(2))}`) ||
    tests.includes(`'${Number(code.slice(2))} `);
  expect(codes.filter((code) => code >= 'TR0100' && !covered(code))).toEqual([]);
});
