import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ViewsReader } from '../../persistence/views/queries/reader.ts';
import { viewsPath } from '../../persistence/views/schema.ts';
import { openViewsForWriting } from '../../persistence/views/store.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { MemorySource } from './support/memory-source.ts';

const dataDir = temporaryDirectory();
let database: Database.Database;

beforeAll(() => {
  openViewsForWriting(dataDir, new MemorySource()).database.close();
  database = new Database(viewsPath(dataDir), { readonly: true });
});
afterAll(() => database.close());

/** Every statement that the reader of the views prepares. */
function statements(): string[] {
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  new ViewsReader(dataDir).close();
  const texts = prepare.mock.calls.map(([text]) => text);
  prepare.mockRestore();
  return [...new Set(texts)];
}

function planOf(sql: string): string {
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]);
  const explain = database.prepare(`EXPLAIN QUERY PLAN ${sql}`);
  const parameters = Array(sql.split('?').length - 1).fill(1);
  const rows = names.length > 0 ? explain.all(Object.fromEntries(names)) : explain.all(parameters);
  return (rows as { detail: string }[]).map(({ detail }) => detail).join('\n');
}

/** What reads a table as a whole, and why that is no list that grows. */
const WHOLE = [
  // What is configured: some dozens of rows.
  /FROM (assets|markets)$/,
  /^SELECT \w+ FROM progress$/,
  // Of the newest row alone.
  /^SELECT max\(id\) FROM trades$/,
  // One row for each account and market.
  /FROM volumes/,
];

/** What sorts: sums, and what its own comment says costs more than a page. */
const SORTED = [
  // The trades of less than a minute, by price.
  /GROUP BY scales/,
  // An account's executions over all of its orders: of the signed interface, which has no pages.
  /trades ON (taker|maker)_order = orders\.id/,
];

const among = (list: readonly RegExp[], sql: string): boolean =>
  list.some((pattern) => pattern.test(sql.trim()));

describe('what is read from the views', () => {
  test('is found by an index, never by looking through a table', () => {
    const texts = statements();
    expect(texts.length).toBeGreaterThan(30);
    const scans = texts
      .filter((sql) => !among(WHOLE, sql))
      .map((sql) => ({ sql, plan: planOf(sql) }))
      .filter(({ plan }) => /^SCAN (?!json_each|\(subquery|CONSTANT)/m.test(plan));
    expect(scans).toEqual([]);
  });

  test('comes in the order of an index, so that a page costs what it holds', () => {
    const sorts = statements()
      .filter((sql) => !among(SORTED, sql))
      .map((sql) => ({ sql, plan: planOf(sql) }))
      .filter(({ plan }) => /TEMP B-TREE/.test(plan));
    expect(sorts).toEqual([]);
  });
});

/** Bare, SQLite looks at the limit while it plans and prepares the statement anew for each value. */
test('no limit is bound bare, neither in the views nor in the directory', () => {
  const folder = join(import.meta.dirname, '../../persistence');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const bare = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const found = [...text.matchAll(/(?:LIMIT|OFFSET) [?@]\w*(.{0,4})/g)];
      return found.filter(([, behind]) => behind !== ' + 0').map(([match]) => `${file}: ${match}`);
    });
  expect(files.length).toBeGreaterThan(50);
  expect(bare).toEqual([]);
});
