import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDirectoryDatabase } from '../../persistence/directory/database.ts';
import { migrations } from '../../persistence/directory/migrations.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'matchbox-directory-'));
  file = join(folder, 'directory.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('opening the directory file', () => {
  test('a new file gets every migration, in WAL mode, and can be opened again', () => {
    openDirectoryDatabase(file).close();
    openDirectoryDatabase(file).close();
    const raw = new SqliteDatabase(file, { readonly: true });
    expect(raw.pragma('user_version', { simple: true })).toBe(migrations.length);
    expect(raw.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    raw.close();
  });

  test('migrations are numbered from 1 without gaps', () => {
    expect(migrations.map(({ version }) => version)).toEqual(
      migrations.map((_, index) => index + 1),
    );
  });

  test('a later migration keeps what an earlier version wrote', () => {
    const older = openDirectoryDatabase(file);
    older.statement("INSERT INTO meta (key, value) VALUES ('kept', 'yes')").run();
    older.close();
    const next = {
      version: migrations.length + 1,
      name: 'next',
      sql: 'ALTER TABLE meta ADD COLUMN note TEXT',
    };
    const newer = openDirectoryDatabase(file, [...migrations, next]);
    expect(newer.statement('SELECT * FROM meta').all()).toEqual([
      { key: 'kept', value: 'yes', note: null },
    ]);
    newer.close();
  });

  test('a migration that fails leaves the version before it', () => {
    openDirectoryDatabase(file).close();
    const broken = {
      version: migrations.length + 1,
      name: 'broken',
      sql: 'CREATE TABLE half (id INTEGER) STRICT; CREATE TABLE half (id INTEGER) STRICT;',
    };
    expect(() => openDirectoryDatabase(file, [...migrations, broken])).toThrow(/already exists/);
    const after = openDirectoryDatabase(file);
    expect(() => after.statement('SELECT * FROM half')).toThrow(/no such table/);
    after.close();
  });

  test('a file of a newer program is refused', () => {
    openDirectoryDatabase(file).close();
    const raw = new SqliteDatabase(file);
    raw.pragma('user_version = 999');
    raw.close();
    expect(() => openDirectoryDatabase(file)).toThrow(/schema version 999/);
  });

  test('a database of another application is refused and left alone', () => {
    const raw = new SqliteDatabase(file);
    raw.exec('CREATE TABLE theirs (id INTEGER)');
    raw.pragma('application_id = 7');
    raw.close();
    expect(() => openDirectoryDatabase(file)).toThrow(/another application/);
  });

  test('a statement fails that breaks a foreign key', () => {
    const database = openDirectoryDatabase(file);
    const insert = database.statement("INSERT INTO user_roles VALUES ('nobody', 'nothing')");
    expect(() => insert.run()).toThrow(/FOREIGN KEY/);
    database.close();
  });

  test('the audit table can be added to, but neither changed nor emptied', () => {
    const database = openDirectoryDatabase(file);
    database.statement("INSERT INTO audit VALUES (1, 0, 'system:test', 'a', 'b', 'c', '{}')").run();
    expect(() => database.statement("UPDATE audit SET actor = 'x'").run()).toThrow(/only grows/);
    expect(() => database.statement('DELETE FROM audit').run()).toThrow(/only grows/);
    database.close();
  });
});
