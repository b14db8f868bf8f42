import type { DirectoryDatabase } from '../database.ts';
import { CHAIN_LEVELS_MAX, levelsBelow, parentOf, wayToTop } from './chains.ts';
import type { ReassignmentType } from './reassignment-reader.ts';
import { refuse } from './violations.ts';

interface Wish {
  readonly type: ReassignmentType;
  readonly sourceUserId: string;
  readonly targetUserId: string;
  readonly subjectUserId: string | null;
  readonly promotionTargetUserId: string | null;
}

/** One relation that is to be replaced: this child gets this parent. */
export interface PlannedMove {
  readonly childUserId: string;
  readonly parentUserId: string;
}

/**
 * What a reassignment would move now, in order; refuses one that would close a chain on itself or
 * make it too long. A target that stands below what moves cannot become its parent: it is first put
 * under the promotion target, where one is named.
 */
export function planMoves(database: DirectoryDatabase, wish: Wish): readonly PlannedMove[] {
  const { type, sourceUserId, targetUserId, subjectUserId, promotionTargetUserId } = wish;
  if (sourceUserId === targetUserId) {
    refuse({ rule: 'cycle', field: 'targetUserId', value: targetUserId });
  }
  const moved = type === 'single_user' ? [subjectUserId ?? ''] : childrenOf(database, sourceUserId);
  for (const child of type === 'single_user' ? moved : []) {
    if (parentOf(database, child) !== sourceUserId) {
      refuse({ rule: 'not-a-child', field: 'subjectUserId', value: child });
    }
  }
  const moves = moved
    .filter((child) => child !== targetUserId || promotionTargetUserId === null)
    .map((childUserId) => ({ childUserId, parentUserId: targetUserId }));
  if (promotionTargetUserId !== null) {
    if (parentOf(database, targetUserId) === undefined) {
      refuse({ rule: 'not-a-child', field: 'targetUserId', value: targetUserId });
    }
    moves.unshift({ childUserId: targetUserId, parentUserId: promotionTargetUserId });
  }
  checkResult(database, wish, moves);
  return moves;
}

function childrenOf(database: DirectoryDatabase, userId: string): string[] {
  return database
    .statement<{ child: string }>(
      `SELECT child_user_id AS child FROM partner_relations WHERE parent_user_id = ? ORDER BY id`,
    )
    .all(userId)
    .map(({ child }) => child);
}

/** Only the ways through the new parents can have closed: all others are what they were. */
function checkResult(
  database: DirectoryDatabase,
  { type, sourceUserId, targetUserId, subjectUserId, promotionTargetUserId }: Wish,
  moves: readonly PlannedMove[],
): void {
  const parents = new Map(moves.map((move) => [move.childUserId, move.parentUserId]));
  const way = wayToTop(database, targetUserId, parents);
  if (way === undefined) refuse({ rule: 'cycle', field: 'targetUserId', value: targetUserId });
  const below =
    type === 'single_user'
      ? 1 + levelsBelow(database, subjectUserId ?? '')
      : levelsBelow(database, sourceUserId);
  const promoted = promotionTargetUserId === null ? 0 : levelsBelow(database, targetUserId);
  if (way.length + Math.max(below, promoted) > CHAIN_LEVELS_MAX) {
    refuse({ rule: 'too-deep', field: 'targetUserId', limit: String(CHAIN_LEVELS_MAX) });
  }
}
