import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import type { DirectoryDatabase } from '../database.ts';
import type { StoredValue } from './record-reader.ts';

export const REASSIGNMENT_TYPES = ['children', 'single_user'] as const;
export type ReassignmentType = (typeof REASSIGNMENT_TYPES)[number];

export const REASSIGNMENT_STATUSES = [
  'awaiting_confirmation',
  'pending',
  'processing',
  'chains_rebuilding',
  'completed',
  'cancelled',
  'failed',
] as const;
export type ReassignmentStatus = (typeof REASSIGNMENT_STATUSES)[number];

/** Moves that a reassignment shows of itself; all of them are listed page by page. */
const MOVES_SHOWN = 1000;

interface UserSummary {
  readonly userId: string;
  readonly email: string | null;
  readonly name: string;
}

export interface MovedRelation {
  readonly childUserId: string;
  readonly name: string;
  readonly email: string | null;
  /** The child has children of its own. */
  readonly isSubIb: boolean;
  readonly profileUuid: string;
  readonly directClients: number;
  readonly oldRelationId: string;
  readonly newRelationId: string;
}

export interface Reassignment {
  readonly reassignmentId: string;
  readonly type: ReassignmentType;
  readonly status: ReassignmentStatus;
  readonly sourceUserId: string;
  readonly targetUserId: string;
  readonly subjectUserId: string | null;
  readonly sourceUser: UserSummary;
  readonly targetUser: UserSummary;
  readonly subjectUser: UserSummary | null;
  /** The first `MOVES_SHOWN`. */
  readonly movedRelations: MovedRelation[];
  readonly promotionTargetUserId: string | null;
  readonly errorMessage: string | null;
  readonly createTime: string;
  readonly updateTime: string;
}

export interface ReassignmentRow {
  readonly id: number;
  readonly uuid: string;
  readonly type: ReassignmentType;
  readonly status: ReassignmentStatus;
  readonly sourceUserId: string;
  readonly targetUserId: string;
  readonly subjectUserId: string | null;
  readonly promotionTargetUserId: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const REASSIGNMENT_COLUMNS = `id, uuid, type, status, source_user_id AS sourceUserId,
  target_user_id AS targetUserId, subject_user_id AS subjectUserId,
  promotion_target_user_id AS promotionTargetUserId, error_message AS errorMessage,
  created_at AS createdAt, updated_at AS updatedAt`;

export interface ReassignmentQuery {
  readonly limit: number;
  readonly offset: number;
  readonly type?: ReassignmentType | undefined;
  readonly status?: ReassignmentStatus | undefined;
  /** The source or the target. */
  readonly user?: string | undefined;
  readonly order: 'asc' | 'desc';
}

export function listReassignments(
  database: DirectoryDatabase,
  query: ReassignmentQuery,
): { readonly total: number; readonly reassignments: Reassignment[] } {
  const conditions: string[] = [];
  const values: StoredValue[] = [];
  const filter = (condition: string, ...parts: readonly (string | undefined)[]) => {
    const given = parts.filter((part) => part !== undefined);
    if (given.length === 0) return;
    conditions.push(condition);
    values.push(...given);
  };
  const user = query.user?.toLowerCase();
  filter('type = ?', query.type);
  filter('status = ?', query.status);
  filter('(source_user_id = ? OR target_user_id = ?)', user, user);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const counted = database
    .statement<{ total: number }>(`SELECT count(*) AS total FROM partner_reassignments ${where}`)
    .get(...values);
  const rows = database
    .statement<ReassignmentRow>(
      `SELECT ${REASSIGNMENT_COLUMNS} FROM partner_reassignments ${where}
        ORDER BY created_at ${query.order}, id ${query.order} LIMIT ? + 0 OFFSET ? + 0`,
    )
    .all(...values, query.limit, query.offset);
  const reassignments = rows.map((row) => toReassignment(database, row));
  return { total: counted?.total ?? 0, reassignments };
}

export function findReassignment(
  database: DirectoryDatabase,
  uuid: string,
): ReassignmentRow | undefined {
  return database
    .statement<ReassignmentRow>(
      `SELECT ${REASSIGNMENT_COLUMNS} FROM partner_reassignments WHERE uuid = ?`,
    )
    .get(uuid.toLowerCase());
}

export function toReassignment(database: DirectoryDatabase, row: ReassignmentRow): Reassignment {
  const { sourceUserId, targetUserId, subjectUserId } = row;
  return {
    reassignmentId: row.uuid,
    type: row.type,
    status: row.status,
    sourceUserId,
    targetUserId,
    subjectUserId,
    sourceUser: summaryOf(database, sourceUserId),
    targetUser: summaryOf(database, targetUserId),
    subjectUser: subjectUserId === null ? null : summaryOf(database, subjectUserId),
    movedRelations: listMoves(database, row.id, { limit: MOVES_SHOWN }),
    promotionTargetUserId: row.promotionTargetUserId,
    errorMessage: row.errorMessage,
    createTime: formatTimestamp(row.createdAt),
    updateTime: formatTimestamp(row.updatedAt),
  };
}

/**
 * The name and the address of the partner user `u` and its profile `p`: the profile's contact `email`
 * comes before the address that the same user signs in with.
 */
export const USER_NAME = "p.first_name || ' ' || p.last_name";
export const USER_EMAIL = `coalesce(
  (SELECT c.value FROM partner_contacts c
    WHERE c.profile_id = p.id AND c.key = 'email' ORDER BY c.id LIMIT 1),
  (SELECT person.email FROM users person WHERE person.id = u.user_id))`;

function summaryOf(database: DirectoryDatabase, userId: string): UserSummary {
  const found = database
    .statement<{ name: string; email: string | null }>(
      `SELECT ${USER_NAME} AS name, ${USER_EMAIL} AS email
         FROM partner_users u JOIN partner_profiles p ON p.id = u.profile_id
        WHERE u.user_id = ?`,
    )
    .get(userId);
  return { userId, email: found?.email ?? null, name: found?.name ?? '' };
}

interface MoveRow {
  readonly childUserId: string;
  readonly name: string;
  readonly email: string | null;
  readonly isSubIb: number;
  readonly profileUuid: string;
  readonly directClients: number;
  readonly oldRelationId: number;
  readonly newRelationId: number;
}

/** A page of what a reassignment moves, behind the move of the child `after`. */
export function listMoves(
  database: DirectoryDatabase,
  reassignmentId: number,
  page: { readonly after?: string | undefined; readonly limit: number },
): MovedRelation[] {
  return database
    .statement<MoveRow>(
      `SELECT child_user_id AS childUserId, name, email, is_sub_ib AS isSubIb,
              profile_uuid AS profileUuid, direct_clients AS directClients,
              old_relation_id AS oldRelationId, new_relation_id AS newRelationId
         FROM partner_reassignment_moves
        WHERE reassignment_id = ? AND position > ? ORDER BY position LIMIT ? + 0`,
    )
    .all(reassignmentId, positionOf(database, reassignmentId, page.after), page.limit)
    .map((move) => ({
      ...move,
      isSubIb: move.isSubIb === 1,
      oldRelationId: String(move.oldRelationId),
      newRelationId: String(move.newRelationId),
    }));
}

/** Behind every position for a child that does not move. */
function positionOf(
  database: DirectoryDatabase,
  reassignmentId: number,
  child: string | undefined,
): number {
  if (child === undefined) return -1;
  const found = database
    .statement<{ position: number }>(
      `SELECT position FROM partner_reassignment_moves
        WHERE reassignment_id = ? AND child_user_id = ?`,
    )
    .get(reassignmentId, child.toLowerCase());
  return found?.position ?? Number.MAX_SAFE_INTEGER;
}
