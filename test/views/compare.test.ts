import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { JournalReader } from '../../persistence/journal/index.ts';
import { compareViews, type ViewsComparison } from '../../persistence/views/compare.ts';
import { SCHEMA_VERSION, viewsPath } from '../../persistence/views/schema.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { openJournal } from '../persistence/support/journals.ts';
import { Random } from '../persistence/support/random.ts';
import { EventStream } from './support/event-stream.ts';
import { MarginStream } from './support/margin-stream.ts';
import { projectAll } from './support/projecting.ts';

type Compared = Extract<ViewsComparison, { kind: 'compared' }>;

/** Appends a history in batches of twenty steps to the journal of a data directory. */
function writeJournal(
  dataDir: string,
  stream: EventStream,
  margin: MarginStream,
  steps: number,
): void {
  const { journal, store } = openJournal(dataDir);
  for (let step = 0; step < steps; step++) {
    stream.step();
    margin.step();
    if (step % 20 !== 19) continue;
    const { count } = stream.writer;
    const events = stream.writer.take();
    journal.append([{ firstSequence: journal.durableSequence + 1, count, events }]);
  }
  store.close();
}

function project(dataDir: string): void {
  const source = new JournalReader(dataDir);
  projectAll(dataDir, source);
  source.close();
}

function edit(dataDir: string, sql: string): void {
  const database = new Database(viewsPath(dataDir));
  database.exec(sql);
  database.close();
}

describe('the comparison of views with their journal', () => {
  let dataDir: string;
  let stream: EventStream;
  let margin: MarginStream;

  const compare = (): Compared => {
    const comparison = compareViews(dataDir);
    if (comparison.kind !== 'compared') throw new Error(comparison.reason);
    return comparison;
  };
  const differences = (): Record<string, number> =>
    Object.fromEntries(
      compare()
        .tables.filter((table) => table.differences > 0)
        .map((table) => [table.table, table.differences]),
    );

  beforeEach(() => {
    dataDir = temporaryDirectory();
    stream = new EventStream(new Random(21));
    margin = new MarginStream(stream, new Random(22));
    stream.openVenue();
    margin.openMarkets();
    writeJournal(dataDir, stream, margin, 400);
    project(dataDir);
  });

  test('finds every table equal, whatever commits the views were made in', () => {
    writeJournal(dataDir, stream, margin, 200);
    project(dataDir);
    const { equal, tables, sequence } = compare();
    expect(equal).toBe(true);
    expect(sequence).toBeGreaterThan(600);
    for (const { table, rows, differences: wrong, first } of tables) {
      expect({ table, wrong, first, empty: rows === 0 }).toEqual({
        table,
        wrong: 0,
        first: null,
        empty: false,
      });
    }
    expect(tables.map(({ table }) => table)).toEqual([
      'assets',
      'markets',
      'accounts',
      'transfers',
      'callbacks',
      'volumes',
      'orders',
      'trades',
      'reversals',
      'candles',
      'margin_executions',
      'margin_commissions',
      'positions',
      'closings',
      'stop_orders',
      'funding',
      'payments',
    ]);
  });

  test('looks no further into the journal than the views have come', () => {
    const { sequence } = compare();
    writeJournal(dataDir, stream, margin, 200);
    expect(compare()).toMatchObject({ equal: true, sequence });
  });

  test.each([
    ['UPDATE orders SET commission = commission + 1 WHERE id = 7', 'orders', 1],
    ['DELETE FROM orders WHERE id IN (1, 7)', 'orders', 2],
    ['DELETE FROM trades WHERE id = (SELECT max(id) FROM trades)', 'trades', 1],
    ["UPDATE candles SET volume = volume || '0' WHERE timeframe = 9 AND market = 0", 'candles', 1],
    ['INSERT INTO accounts VALUES (99, 1, 1, 1)', 'accounts', 1],
    ["UPDATE transfers SET status = 'Failed' WHERE id = 1", 'transfers', 1],
  ])('notices %s', (sql, table, count) => {
    edit(dataDir, sql);
    const found = differences();
    expect(Object.keys(found)).toEqual([table]);
    expect(found[table]).toBeGreaterThanOrEqual(count);
    expect(compare().tables.find((each) => each.table === table)?.first).toMatch(
      /^expected .*, found .*/,
    );
  });

  test('says so where there is nothing to compare', () => {
    expect(compareViews(temporaryDirectory())).toEqual({
      kind: 'absent',
      reason: 'there are no views',
    });
    edit(dataDir, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    expect(compareViews(dataDir)).toMatchObject({ kind: 'absent' });
  });
});
