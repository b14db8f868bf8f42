import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDirectoryDatabase } from '../../persistence/directory/database.ts';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';
import {
  AnswerCheck,
  app,
  bodyOf,
  chainOf,
  expectRefused,
  type Fields,
  newUser,
} from './support/partner.ts';
import { Reassignments } from './support/reassignments.ts';

const server = useServer();
let client: ApiClient;
let check: AnswerCheck;
let reassignments: Reassignments;

beforeAll(async () => {
  client = await app(server());
  check = await AnswerCheck.of(client);
  reassignments = new Reassignments(client);
});

async function allMoves(id: string): Promise<readonly Fields[]> {
  const moves: Fields[] = [];
  for (let after = ''; ; after = `&after=${moves.at(-1)?.['childUserId']}`) {
    const answer = await client.get(`/reassignments/${id}/moves?limit=1000${after}`);
    check.expectDeclared('GET', '/reassignments/{reassignmentId}/moves', answer);
    const page = bodyOf<{ movedRelations: Fields[]; isExceeded: boolean }>(answer, 200);
    moves.push(...page.movedRelations);
    if (!page.isExceeded) return moves;
  }
}

/** Restarts take their time where many tests run at once. */
const RESTARTS = { timeout: 120_000 };
/** Enough that the work is caught in the middle. */
const CHILDREN = 4000;

/** Puts a source with many children, each with one of its own, into the directory at rest. */
function seedLargeChain(file: string): { readonly source: string; readonly target: string } {
  const database = openDirectoryDatabase(file);
  const newPartner = (): string => {
    const userId = randomUUID();
    const profile = database
      .statement<{ id: number }>(
        `INSERT INTO partner_profiles (uuid, first_name, last_name, enabled, created_at, updated_at)
         VALUES (?, 'Many', 'Test', 1, 0, 0) RETURNING id`,
      )
      .get(randomUUID());
    database
      .statement(
        `INSERT INTO partner_users (user_id, uuid, profile_id, enabled, master, created_at,
           updated_at) VALUES (?, ?, ?, 1, 0, 0, 0)`,
      )
      .run(userId, randomUUID(), profile?.id ?? 0);
    return userId;
  };
  const place = (userId: string, parent: string | null, level: number): void => {
    database
      .statement(
        `INSERT INTO partner_nodes (user_id, parent_user_id, level, created_at)
         VALUES (?, ?, ?, 0)`,
      )
      .run(userId, parent, level);
    if (parent === null) return;
    database
      .statement(
        `INSERT INTO partner_relations (uuid, child_user_id, parent_user_id, created_at, updated_at)
         VALUES (?, ?, ?, 0, 0)`,
      )
      .run(randomUUID(), userId, parent);
  };
  const users = database.transaction(() => {
    const [top, source, target] = [newPartner(), newPartner(), newPartner()];
    place(top, null, 0);
    place(source, null, 0);
    place(target, top, 1);
    for (let count = 0; count < CHILDREN; count++) {
      const child = newPartner();
      place(child, source, 1);
      const grandchild = newPartner();
      place(grandchild, child, 2);
    }
    return { source, target };
  });
  database.close();
  return users;
}

describe('a kill in the middle of the work', () => {
  it('loses nothing and repeats nothing; meanwhile relations stand still', RESTARTS, async () => {
    await server().kill('SIGTERM');
    const { source, target } = seedLargeChain(join(server().dataDir, 'directory.db'));
    await server().restart();
    const [one, two] = [await newUser(client, 'One'), await newUser(client, 'Two')];
    const id = await reassignments.created({
      type: 'children',
      sourceUserId: source,
      targetUserId: target,
    });
    await reassignments.decide(id, 'confirm');

    const kills: string[] = [];
    for (let round = 0; round < 3; round++) {
      const blocked = await client.post('/relations', { childUserId: one, parentUserId: two });
      const { status } = await reassignments.read(id);
      if (status === 'completed') break;
      if (blocked.status !== 201) expectRefused(blocked, 409, 'TR0706', 'relationId');
      await server().kill('SIGKILL');
      kills.push(status);
      await server().restart();
      await sleep(30 * round);
    }
    expect(kills).toContain('processing');

    const { status, movedRelations: shown } = await reassignments.settled(id);
    expect(status).toBe('completed');
    const movedRelations = await allMoves(id);
    expect(shown).toEqual(movedRelations.slice(0, 1000));
    expect(movedRelations).toHaveLength(CHILDREN);
    const oldIds = new Set(movedRelations.map(({ oldRelationId }) => oldRelationId));
    const newIds = new Set(movedRelations.map(({ newRelationId }) => newRelationId));
    expect([oldIds.size, newIds.size]).toEqual([CHILDREN, CHILDREN]);
    expect(newIds.has(null)).toBe(false);

    expect((await chainOf(client, source)).children).toEqual([]);
    const below = await chainOf(client, target);
    expect([below.level, below.children.length]).toEqual([1, CHILDREN]);
    const levels = below.children.map((child) => [
      child.level,
      ...child.children.map(({ level }) => level),
    ]);
    expect(levels.filter(([child, grandchild]) => child !== 2 || grandchild !== 3)).toEqual([]);
    expect((await client.post('/links', { name: 'l', uri: 'https://a.test' })).status).toBe(201);
  });
});
