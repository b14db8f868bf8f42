import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type DirectoryDatabase,
  openDirectoryDatabase,
} from '../../persistence/directory/database.ts';
import { writeExport } from '../../persistence/directory/partners/export-file.ts';
import { partnerExportOperations } from '../../persistence/directory/partners/exports.ts';
import {
  CHAIN_NODES_MAX,
  partnerNodeOperations,
} from '../../persistence/directory/partners/nodes.ts';

let database: DirectoryDatabase;
let folder: string;

beforeEach(() => {
  database = openDirectoryDatabase(':memory:');
  folder = mkdtempSync(join(tmpdir(), 'matchbox-partners-'));
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A user with this many others directly below it. */
function seedWideChain(children: number): void {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)`;
  database.transaction(() => {
    database
      .statement(
        `INSERT INTO partner_profiles (uuid, first_name, last_name, enabled, created_at, updated_at)
         VALUES ('p', 'Many', 'Test', 1, 0, 0)`,
      )
      .run();
    database
      .statement(
        `${numbers} INSERT INTO partner_users
           (user_id, uuid, profile_id, enabled, master, created_at, updated_at)
         SELECT 'u' || i, 'u' || i, 1, 1, 0, 0, 0 FROM n`,
      )
      .run(children);
    database
      .statement(
        `${numbers} INSERT INTO partner_nodes (user_id, parent_user_id, level, created_at)
         SELECT 'u' || i, CASE i WHEN 0 THEN NULL ELSE 'u0' END, min(i, 1), 0 FROM n`,
      )
      .run(children);
  });
}

describe('a chain', () => {
  it('is shown whole up to a number of nodes, and refused beyond', () => {
    seedWideChain(CHAIN_NODES_MAX - 1);
    const tree = partnerNodeOperations.tree(database, '1');
    expect(JSON.parse(tree ?? '').children).toHaveLength(CHAIN_NODES_MAX - 1);
    database
      .statement(
        "INSERT INTO partner_nodes (user_id, parent_user_id, level, created_at) VALUES (?, 'u0', 1, 0)",
      )
      .run(addUser());
    expect(partnerNodeOperations.tree(database, '1')).toBe('too-large');
    expect(JSON.parse(partnerNodeOperations.tree(database, '2') ?? '').userId).toBe('u1');
  });

  function addUser(): string {
    database
      .statement(
        `INSERT INTO partner_users (user_id, uuid, profile_id, enabled, master, created_at,
           updated_at) VALUES ('last', 'last', 1, 1, 0, 0, 0)`,
      )
      .run();
    return 'last';
  }
});

describe('an export', () => {
  it('that would be larger than can be sent is given up, and leaves no file', () => {
    seedWideChain(2000);
    const file = join(folder, 'exports', 'a.csv');
    const order = { subject: 'users', format: 'csv', file, bytesMax: 10_000 } as const;
    expect(writeExport(database, order)).toEqual({
      error: 'The file would be larger than 10000 bytes.',
    });
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(join(folder, 'exports'))).toEqual([]);
  });

  it('spans as many pages as it takes, in order and without repeats', () => {
    seedWideChain(1234);
    const file = join(folder, 'a.json');
    const order = { subject: 'users', format: 'json', file, bytesMax: 10_000_000 } as const;
    expect(writeExport(database, order)).toMatchObject({ rows: 1235 });
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('waits with a hundred others at most', () => {
    const ask = () =>
      partnerExportOperations.create(database, {
        uuid: randomUUID(),
        subject: 'users',
        format: 'csv',
        actor: 'client:test',
        at: 1,
      });
    for (let count = 0; count < 100; count++) expect(ask().outcome).toBe('done');
    expect(ask()).toEqual({
      outcome: 'refused',
      violation: { rule: 'too-many', field: 'body', limit: '100' },
    });
    const job = partnerExportOperations.take(database, { at: 2 });
    partnerExportOperations.finish(database, {
      exportId: job?.exportId ?? '',
      at: 3,
      result: { rows: 0, bytes: 0 },
    });
    expect(ask().outcome).toBe('done');
  });
});
