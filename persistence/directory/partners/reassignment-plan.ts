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
 * Refuses a reassignment that would close a chain on itself or make it too long, as relations are
 * now. A target that stands below what moves cannot become its parent: it is first put under the
 * promotion target, where one is named.
 */
export function checkMoves(database: DirectoryDatabase, wish: Wish): void {
  const { sourceUserId, targetUserId, subjectUserId, promotionTargetUserId } = wish;
  if (sourceUserId === targetUserId) {
    refuse({ rule: 'cycle', field: 'targetUserId', value: targetUserId });
  }
  if (subjectUserId !== null && parentOf(database, subjectUserId) !== sourceUserId) {
    refuse({ rule: 'not-a-child', field: 'subjectUserId', value: subjectUserId });
  }
  if (promotionTargetUserId !== null && parentOf(database, targetUserId) === undefined) {
    refuse({ rule: 'not-a-child', field: 'targetUserId', value: targetUserId });
  }
  checkWay(database, wish);
}

function checkWay(database: DirectoryDatabase, wish: Wish): void {
  const { type, sourceUserId, targetUserId, subjectUserId, promotionTargetUserId } = wish;
  const promotion = new Map<string, string>();
  if (promotionTargetUserId !== null) promotion.set(targetUserId, promotionTargetUserId);
  const way = wayToTop(database, targetUserId, promotion);
  if (way === undefined || leadsThroughWhatMoves(way, wish)) {
    refuse({ rule: 'cycle', field: 'targetUserId', value: targetUserId });
  }
  const moved =
    type === 'single_user'
      ? 1 + levelsBelow(database, subjectUserId ?? '')
      : levelsBelow(database, sourceUserId);
  const promoted = promotionTargetUserId === null ? 0 : levelsBelow(database, targetUserId);
  if (way.length + Math.max(moved, promoted) > CHAIN_LEVELS_MAX) {
    refuse({ rule: 'too-deep', field: 'targetUserId', limit: String(CHAIN_LEVELS_MAX) });
  }
}

/**
 * Only the way from the target to its top can close: all others stay, or lead to the target. Of the
 * children of a source it can meet the one just below the source, which moves unless it is the
 * target that was promoted.
 */
function leadsThroughWhatMoves(
  way: readonly string[],
  { sourceUserId, subjectUserId, promotionTargetUserId }: Wish,
): boolean {
  if (subjectUserId !== null) return way.includes(subjectUserId);
  const source = way.indexOf(sourceUserId);
  return source > (promotionTargetUserId === null ? 0 : 1);
}

/** What has not been moved yet, in order. It follows from the relations as they are by now. */
export function nextMoves(
  database: DirectoryDatabase,
  wish: Wish,
  limit: number,
): readonly PlannedMove[] {
  const { sourceUserId, targetUserId, subjectUserId, promotionTargetUserId } = wish;
  if (
    promotionTargetUserId !== null &&
    parentOf(database, targetUserId) !== promotionTargetUserId
  ) {
    return [{ childUserId: targetUserId, parentUserId: promotionTargetUserId }];
  }
  if (subjectUserId !== null) {
    const isMoved = parentOf(database, subjectUserId) !== sourceUserId;
    return isMoved ? [] : [{ childUserId: subjectUserId, parentUserId: targetUserId }];
  }
  return database
    .statement<PlannedMove>(
      `SELECT child_user_id AS childUserId, ? AS parentUserId FROM partner_relations
        WHERE parent_user_id = ? AND child_user_id <> ? ORDER BY id LIMIT ? + 0`,
    )
    .all(targetUserId, sourceUserId, targetUserId, limit);
}
