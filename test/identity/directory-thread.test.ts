import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** Compiled: threads load only JavaScript. */
const compiled = pathToFileURL(resolve('dist/persistence/directory/index.js')).href;
const { openDirectory, DirectoryBusyError } = (await import(
  compiled
)) as typeof import('../../persistence/directory/index.ts');

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'matchbox-thread-'));
  file = join(folder, 'directory.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Overwrites the page that the table begins with. */
function damageTable(table: string): void {
  const raw = new SqliteDatabase(file);
  const page = raw.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table);
  const size = Number(raw.pragma('page_size', { simple: true }));
  raw.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (Number(page) - 1) * size);
  closeSync(descriptor);
}

describe('the directory in its thread', () => {
  test('answers calls in the order in which they were made', async () => {
    const directory = await openDirectory({ file });
    const reads = Array.from({ length: 100 }, (_, index) => {
      directory.meta.set({ key: 'count', value: String(index) });
      return directory.meta.get('count');
    });
    expect(await Promise.all(reads)).toEqual(Array.from({ length: 100 }, (_, i) => String(i)));
    await directory.close();
  });

  test('what was asked before closing is done, and is there after opening again', async () => {
    const first = await openDirectory({ file });
    const writes = Array.from({ length: 50 }, (_, index) =>
      first.meta.set({ key: `key ${index}`, value: 'kept' }),
    );
    await first.close();
    await Promise.all(writes);
    const second = await openDirectory({ file });
    expect(await second.meta.get('key 49')).toBe('kept');
    await second.close();
    const raw = new SqliteDatabase(file, { readonly: true });
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    raw.close();
  });

  test('refuses calls after it was closed, and closing twice is fine', async () => {
    const directory = await openDirectory({ file });
    await Promise.all([directory.close(), directory.close()]);
    await expect(directory.meta.get('x')).rejects.toThrow(DirectoryBusyError);
  });

  test('refuses calls beyond those that may wait, and serves again afterwards', async () => {
    const directory = await openDirectory({ file, pendingMax: 3 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => directory.meta.get('x')),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(await directory.meta.get('x')).toBeNull();
    await directory.close();
  });

  test("a fault comes back with SQLite's code and is not fatal by itself", async () => {
    const fatal: Error[] = [];
    const directory = await openDirectory({ file, onFatal: (error) => fatal.push(error) });
    const broken = directory.favorites.add({ userId: 'nobody', marketId: 'm', at: 0 });
    await expect(broken).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
    expect(fatal).toEqual([]);
    expect(await directory.meta.get('x')).toBeNull();
    await directory.close();
  });

  test('damage found on the way is reported as fatal', async () => {
    await (await openDirectory({ file })).close();
    damageTable('meta');
    const fatal: Error[] = [];
    const directory = await openDirectory({ file, onFatal: (error) => fatal.push(error) });
    const read = directory.meta.get('x');
    await expect(read).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' });
    expect(fatal).toHaveLength(1);
    await directory.close();
  });

  test('a file that is no database is reported and left as it is', async () => {
    writeFileSync(file, 'this is not a database, whatever its name says');
    await expect(openDirectory({ file })).rejects.toMatchObject({ code: 'SQLITE_NOTADB' });
  });

  test('two processes may have it open at once', async () => {
    const server = await openDirectory({ file });
    const command = await openDirectory({ file });
    await command.meta.set({ key: 'from', value: 'command' });
    expect(await server.meta.get('from')).toBe('command');
    await command.close();
    await server.meta.set({ key: 'from', value: 'server' });
    await server.close();
  });
});
