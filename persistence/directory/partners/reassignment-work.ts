import { type Administration, recordAudit } from '../audit.ts';
import type { DirectoryDatabase } from '../database.ts';
import { settleNodes } from './chains.ts';
import { checkMoves, nextMoves, type PlannedMove } from './reassignment-plan.ts';
import {
  REASSIGNMENT_COLUMNS,
  type ReassignmentRow,
  type ReassignmentStatus,
  USER_EMAIL,
  USER_NAME,
} from './reassignment-reader.ts';
import { describeViolation, violationIn } from './violations.ts';

/** Relations that one step replaces; it is as many fresh ids as a step must be given. */
export const RELATIONS_A_STEP = 50;
const NODES_A_STEP = 500;

export interface StepInput extends Administration {
  /** `RELATIONS_A_STEP` fresh ids. */
  readonly uuids: readonly string[];
}

/** Null where there is nothing to do, else what the reassignment at work has become. */
export type StepResult = { readonly uuid: string; readonly status: ReassignmentStatus } | null;

/**
 * Takes the oldest unfinished reassignment one step further. All that a step needs to know is in the
 * tables, so that work goes on after a crash where the last committed step ended. One reassignment is
 * at work at a time, and relations stand still meanwhile: what was planned stays true.
 */
export function advanceReassignments(database: DirectoryDatabase, input: StepInput): StepResult {
  const row = nextAtWork(database);
  if (row === undefined) return null;
  const status = advance(database, row, input);
  return { uuid: row.uuid, status };
}

function nextAtWork(database: DirectoryDatabase): ReassignmentRow | undefined {
  const oldestOf = (...statuses: readonly [ReassignmentStatus, ReassignmentStatus]) =>
    database
      .statement<ReassignmentRow>(
        `SELECT ${REASSIGNMENT_COLUMNS} FROM partner_reassignments
          WHERE status IN (?, ?) ORDER BY id LIMIT 1`,
      )
      .get(...statuses);
  return oldestOf('processing', 'chains_rebuilding') ?? oldestOf('pending', 'pending');
}

function advance(
  database: DirectoryDatabase,
  row: ReassignmentRow,
  input: StepInput,
): ReassignmentStatus {
  switch (row.status) {
    case 'pending':
      return begin(database, row, input);
    case 'processing':
      return replaceRelations(database, row, input);
    default:
      return rebuildChains(database, row, input);
  }
}

/** From here on relations stand still, so that what is found sound now stays so to the end. */
function begin(
  database: DirectoryDatabase,
  row: ReassignmentRow,
  input: StepInput,
): ReassignmentStatus {
  try {
    checkMoves(database, row);
  } catch (error) {
    const violation = violationIn(error);
    if (violation === undefined) throw error;
    return enter(database, row, 'failed', input, describeViolation(violation));
  }
  return enter(database, row, 'processing', input);
}

function replaceRelations(
  database: DirectoryDatabase,
  row: ReassignmentRow,
  input: StepInput,
): ReassignmentStatus {
  const moves = nextMoves(database, row, RELATIONS_A_STEP);
  if (moves.length === 0) return enter(database, row, 'chains_rebuilding', input);
  for (const [index, move] of moves.entries()) {
    const uuid = input.uuids[index];
    if (uuid === undefined) throw new Error('directory: too few fresh ids for a step');
    replaceRelation(database, row, move, { uuid, at: input.at });
  }
  return 'processing';
}

/** The new relation, its note in the history, and the node, whose level is worked out later. */
function replaceRelation(
  database: DirectoryDatabase,
  row: ReassignmentRow,
  { childUserId, parentUserId }: PlannedMove,
  { uuid, at }: { readonly uuid: string; readonly at: number },
): void {
  const removed = database
    .statement<{ id: number }>('DELETE FROM partner_relations WHERE child_user_id = ? RETURNING id')
    .get(childUserId);
  const made = database
    .statement<{ id: number }>(
      `INSERT INTO partner_relations (uuid, child_user_id, parent_user_id, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?) RETURNING id`,
    )
    .get(uuid, childUserId, parentUserId, at, at);
  if (removed === undefined || made === undefined) {
    throw new Error(`directory: ${childUserId} has no relation to move`);
  }
  database
    .statement(
      `INSERT INTO partner_reassignment_moves
         (reassignment_id, position, child_user_id, name, email, is_sub_ib, profile_uuid,
          direct_clients, old_relation_id, new_relation_id)
       SELECT ?, (SELECT coalesce(max(position) + 1, 0) FROM partner_reassignment_moves
                   WHERE reassignment_id = ?),
              u.user_id, ${USER_NAME}, ${USER_EMAIL},
              EXISTS (SELECT 1 FROM partner_relations WHERE parent_user_id = u.user_id), p.uuid,
              (SELECT count(*) FROM partner_relations WHERE parent_user_id = u.user_id), ?, ?
         FROM partner_users u JOIN partner_profiles p ON p.id = u.profile_id
        WHERE u.user_id = ?`,
    )
    .run(row.id, row.id, removed.id, made.id, childUserId);
  database
    .statement('UPDATE partner_nodes SET parent_user_id = ?, is_stale = 1 WHERE user_id = ?')
    .run(parentUserId, childUserId);
}

function rebuildChains(
  database: DirectoryDatabase,
  row: ReassignmentRow,
  input: StepInput,
): ReassignmentStatus {
  if (settleNodes(database, NODES_A_STEP) > 0) return 'chains_rebuilding';
  return enter(database, row, 'completed', input);
}

function enter(
  database: DirectoryDatabase,
  row: ReassignmentRow,
  status: ReassignmentStatus,
  input: StepInput,
  errorMessage: string | null = null,
): ReassignmentStatus {
  database
    .statement(
      `UPDATE partner_reassignments SET status = ?, error_message = ?, updated_at = ?
        WHERE id = ?`,
    )
    .run(status, errorMessage, input.at, row.id);
  recordAudit(database, input, {
    action: `partner-reassignment.${status.replace('_', '-')}`,
    entity: 'partner-reassignment',
    entityId: row.uuid,
    details: errorMessage === null ? {} : { errorMessage },
  });
  return status;
}
