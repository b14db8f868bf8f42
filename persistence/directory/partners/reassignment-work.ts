import { type Administration, recordAudit } from '../audit.ts';
import type { DirectoryDatabase } from '../database.ts';
import { settleNodes } from './chains.ts';
import { type PlannedMove, planMoves } from './reassignment-plan.ts';
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

function begin(
  database: DirectoryDatabase,
  row: ReassignmentRow,
  input: StepInput,
): ReassignmentStatus {
  const moves = plan(database, row);
  if (typeof moves === 'string') return enter(database, row, 'failed', input, moves);
  const insert = database.statement(
    `INSERT INTO partner_reassignment_moves
       (reassignment_id, position, child_user_id, new_parent_user_id, name, email, is_sub_ib,
        profile_uuid, direct_clients, old_relation_id)
     SELECT ?, ?, u.user_id, ?, ${USER_NAME}, ${USER_EMAIL},
            EXISTS (SELECT 1 FROM partner_relations WHERE parent_user_id = u.user_id), p.uuid,
            (SELECT count(*) FROM partner_relations WHERE parent_user_id = u.user_id), r.id
       FROM partner_users u JOIN partner_profiles p ON p.id = u.profile_id
                            JOIN partner_relations r ON r.child_user_id = u.user_id
      WHERE u.user_id = ?`,
  );
  for (const [position, { childUserId, parentUserId }] of moves.entries()) {
    insert.run(row.id, position, parentUserId, childUserId);
  }
  return enter(database, row, 'processing', input);
}

/** The moves, or why there are none: relations may have changed since the confirmation. */
function plan(database: DirectoryDatabase, row: ReassignmentRow): readonly PlannedMove[] | string {
  try {
    return planMoves(database, row);
  } catch (error) {
    const violation = violationIn(error);
    if (violation === undefined) throw error;
    return describeViolation(violation);
  }
}

function replaceRelations(
  database: DirectoryDatabase,
  row: ReassignmentRow,
  input: StepInput,
): ReassignmentStatus {
  const waiting = database
    .statement<{ position: number; child: string; parent: string; old: number }>(
      `SELECT position, child_user_id AS child, new_parent_user_id AS parent,
              old_relation_id AS old
         FROM partner_reassignment_moves
        WHERE reassignment_id = ? AND new_relation_id IS NULL ORDER BY position LIMIT ?`,
    )
    .all(row.id, RELATIONS_A_STEP);
  if (waiting.length === 0) return startRebuilding(database, row, input);
  const remove = database.statement('DELETE FROM partner_relations WHERE id = ?');
  const insert = database.statement<{ id: number }>(
    `INSERT INTO partner_relations (uuid, child_user_id, parent_user_id, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?) RETURNING id`,
  );
  const note = database.statement(
    `UPDATE partner_reassignment_moves SET new_relation_id = ?
      WHERE reassignment_id = ? AND position = ?`,
  );
  for (const [index, { position, child, parent, old }] of waiting.entries()) {
    const uuid = input.uuids[index];
    if (uuid === undefined) throw new Error('directory: too few fresh ids for a step');
    remove.run(old);
    const made = insert.get(uuid, child, parent, input.at, input.at);
    note.run(made?.id ?? null, row.id, position);
  }
  return 'processing';
}

/** From here on the chains follow: the nodes that moved hang under their new parents. */
function startRebuilding(
  database: DirectoryDatabase,
  row: ReassignmentRow,
  input: StepInput,
): ReassignmentStatus {
  database
    .statement(
      `UPDATE partner_nodes AS n SET is_stale = 1, parent_user_id = move.new_parent_user_id
         FROM partner_reassignment_moves AS move
        WHERE move.reassignment_id = ? AND move.child_user_id = n.user_id`,
    )
    .run(row.id);
  return enter(database, row, 'chains_rebuilding', input);
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
