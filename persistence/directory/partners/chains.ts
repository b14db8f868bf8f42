import type { DirectoryDatabase } from '../database.ts';
import { refuse } from './violations.ts';

/**
 * Chains: who stands under whom, and on which level. `partner_relations` says it; `partner_nodes` has
 * one node a user and follows. A node whose level may be wrong is stale until it is settled, from the
 * top down, so that a large subtree can be rebuilt in bounded steps.
 */

/** The longest way from the top of a chain to its end, in users. */
export const CHAIN_LEVELS_MAX = 64;

/** The user that this one stands under, if any. */
export function parentOf(database: DirectoryDatabase, userId: string): string | undefined {
  return database
    .statement<{ parent: string }>(
      'SELECT parent_user_id AS parent FROM partner_relations WHERE child_user_id = ?',
    )
    .get(userId)?.parent;
}

/**
 * The users from this one to the top of its chain. `moves` are relations as they are going to be, by
 * child; undefined where the way would close on itself.
 */
export function wayToTop(
  database: DirectoryDatabase,
  userId: string,
  moves: ReadonlyMap<string, string>,
): readonly string[] | undefined {
  const way = [userId];
  const seen = new Set(way);
  for (let at = userId; ; ) {
    const next = moves.get(at) ?? parentOf(database, at);
    if (next === undefined) return way;
    if (seen.has(next)) return undefined;
    seen.add(next);
    way.push(next);
    at = next;
  }
}

/** How many levels there are below this user: 0 where nobody stands under it. */
export function levelsBelow(database: DirectoryDatabase, userId: string): number {
  const row = database
    .statement<{ depth: number }>(
      `WITH RECURSIVE below (user_id, depth) AS (
         SELECT ?, 0
         UNION ALL
         SELECT r.child_user_id, below.depth + 1
           FROM below JOIN partner_relations r ON r.parent_user_id = below.user_id
          WHERE below.depth <= ?
       )
       SELECT max(depth) AS depth FROM below`,
    )
    .get(userId, CHAIN_LEVELS_MAX);
  return row?.depth ?? 0;
}

/** Relations stand still while a reassignment works on them. */
export function refuseWhileMoving(database: DirectoryDatabase, field: string): void {
  const moving = database
    .statement<{ uuid: string }>(
      `SELECT uuid FROM partner_reassignments
        WHERE status IN ('processing', 'chains_rebuilding') LIMIT 1`,
    )
    .get();
  if (moving !== undefined) refuse({ rule: 'chains-moving', field, value: moving.uuid });
}

/** Refuses the chain that this user stands in: it must end, and within bounds. */
export function checkChain(
  database: DirectoryDatabase,
  userId: string,
  moves: ReadonlyMap<string, string> = new Map(),
): void {
  const way = wayToTop(database, userId, moves);
  const above = moves.get(userId) ?? parentOf(database, userId) ?? '';
  if (way === undefined) refuse({ rule: 'cycle', field: 'parentUserId', value: above });
  if (way.length + levelsBelow(database, userId) > CHAIN_LEVELS_MAX) {
    refuse({ rule: 'too-deep', field: 'parentUserId', limit: String(CHAIN_LEVELS_MAX) });
  }
}

export function addNode(database: DirectoryDatabase, userId: string, at: number): void {
  database
    .statement('INSERT INTO partner_nodes (user_id, level, created_at) VALUES (?, 0, ?)')
    .run(userId, at);
}

/** Puts the user's node where its relation says, with everybody below it. */
export function placeNode(database: DirectoryDatabase, userId: string): void {
  database
    .statement('UPDATE partner_nodes SET parent_user_id = ?, is_stale = 1 WHERE user_id = ?')
    .run(parentOf(database, userId) ?? null, userId);
  while (settleNodes(database, SETTLED_AT_ONCE) > 0);
}

const SETTLED_AT_ONCE = 500;

interface StaleNode {
  readonly id: number;
  readonly userId: string;
  readonly level: number;
  readonly wanted: number;
}

/** Gives up to `limit` stale nodes their level; answers how many. 0: every chain is right. */
export function settleNodes(database: DirectoryDatabase, limit: number): number {
  const nodes = database
    .statement<StaleNode>(
      `SELECT n.id, n.user_id AS userId, n.level, coalesce(above.level + 1, 0) AS wanted
         FROM partner_nodes n LEFT JOIN partner_nodes above ON above.user_id = n.parent_user_id
        WHERE n.is_stale = 1 AND coalesce(above.is_stale, 0) = 0
        LIMIT ? + 0`,
    )
    .all(limit);
  const settle = database.statement(
    'UPDATE partner_nodes SET level = ?, is_stale = 0 WHERE id = ?',
  );
  const disturb = database.statement(
    'UPDATE partner_nodes SET is_stale = 1 WHERE parent_user_id = ?',
  );
  for (const { id, userId, level, wanted } of nodes) {
    settle.run(wanted, id);
    if (level !== wanted) disturb.run(userId);
  }
  return nodes.length;
}
