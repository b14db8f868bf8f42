import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OrderView } from '../../core/messages/order-view.ts';
import { SCHEMA_VERSION, viewsPath } from '../../persistence/views/schema.ts';
import { closeCleanly, openViewsForWriting } from '../../persistence/views/store.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { Random } from '../persistence/support/random.ts';
import { EventStream } from './support/event-stream.ts';
import { MemorySource } from './support/memory-source.ts';
import { ask, projectAll, projectOn, withReader } from './support/projecting.ts';

function sourceOf(seed: number, steps: number): MemorySource {
  const source = new MemorySource();
  const stream = new EventStream(new Random(seed));
  stream.openVenue();
  for (let step = 0; step < steps; step++) {
    stream.step();
    if (step % 10 === 9) source.take(stream.writer);
  }
  source.take(stream.writer);
  return source;
}

function contents(dataDir: string): OrderView[][] {
  const page = { createdAtFrom: null, createdAtTo: null, limit: 1_000, lastOrderId: null };
  return withReader(dataDir, (reader) =>
    [0, 1, 2].map((account) => ask(reader, { kind: 'orders', account, statuses: null, ...page })),
  );
}

/** Opens the views once more, brings them up to date and says why they were made anew. */
function reopen(dataDir: string, source: MemorySource): string | null {
  const { database, rebuilt } = openViewsForWriting(dataDir, source);
  projectOn(database, source);
  database.close();
  return rebuilt;
}

function edit(dataDir: string, sql: string): void {
  const database = new Database(viewsPath(dataDir));
  database.exec(sql);
  database.close();
}

describe('views that are opened again', () => {
  let dataDir: string;
  let source: MemorySource;
  let before: OrderView[][];

  beforeEach(() => {
    dataDir = temporaryDirectory();
    source = sourceOf(5, 200);
    projectAll(dataDir, source);
    before = contents(dataDir);
    expect(before.flat().length).toBeGreaterThan(50);
  });

  test('go on from where they were', () => {
    expect(reopen(dataDir, source)).toBeNull();
    expect(contents(dataDir)).toEqual(before);
  });

  test('are built anew where they were of another version', () => {
    edit(dataDir, `PRAGMA user_version = ${SCHEMA_VERSION + 1}; DELETE FROM orders`);
    expect(reopen(dataDir, source)).toContain('schema version');
    expect(contents(dataDir)).toEqual(before);
  });

  test('are built anew where the machine went down before they were flushed', () => {
    edit(dataDir, "UPDATE progress SET boot_id = 'another start'");
    expect(reopen(dataDir, source)).toContain('machine went down');
    expect(contents(dataDir)).toEqual(before);
  });

  test('go on after another start of the machine if they were flushed', () => {
    closeCleanly(openViewsForWriting(dataDir, source).database);
    edit(dataDir, "UPDATE progress SET boot_id = 'another start'");
    expect(reopen(dataDir, source)).toBeNull();
    edit(dataDir, "UPDATE progress SET boot_id = 'another start'");
    expect(reopen(dataDir, source)).toContain('machine went down');
  });

  test('are built anew where the journal was restored to an earlier sequence', () => {
    const shorter = sourceOf(5, 100);
    expect(reopen(dataDir, shorter)).toContain(`the journal ends at ${shorter.lastSequence()}`);
    expect(contents(dataDir)).not.toEqual(before);
    expect(reopen(dataDir, shorter)).toBeNull();
  });

  test('are built anew where the journal has another history, however much longer', () => {
    const other = sourceOf(6, 400);
    expect(other.lastSequence()).toBeGreaterThan(source.lastSequence());
    expect(reopen(dataDir, other)).toContain('another history');
    expect(contents(dataDir)).not.toEqual(before);
  });

  test.each([
    ['a header of noise', (bytes: Buffer) => bytes.fill(7, 0, 100)],
    ['a page of noise', (bytes: Buffer) => bytes.fill(7, 8_192, 16_384)],
    ['no bytes at all', (bytes: Buffer) => bytes.subarray(0, 0)],
  ])('are built anew where the file has %s', (_, damage) => {
    const path = viewsPath(dataDir);
    const bytes = readFileSync(path);
    writeFileSync(path, damage(bytes));
    expect(reopen(dataDir, source)).not.toBeNull();
    expect(contents(dataDir)).toEqual(before);
  });

  test('are built anew where the file was cut', () => {
    truncateSync(viewsPath(dataDir), 10_000);
    expect(reopen(dataDir, source)).not.toBeNull();
    expect(contents(dataDir)).toEqual(before);
  });

  test('are built anew where the progress is missing', () => {
    edit(dataDir, 'DELETE FROM progress');
    expect(reopen(dataDir, source)).toContain('progress is not readable');
    expect(contents(dataDir)).toEqual(before);
  });
});
