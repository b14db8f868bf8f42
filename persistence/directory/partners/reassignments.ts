import { type Administration, recordAudit } from '../audit.ts';
import type { DirectoryDatabase } from '../database.ts';
import { checkMoves } from './reassignment-plan.ts';
import {
  findReassignment,
  listMoves,
  listReassignments,
  type MovedRelation,
  type Reassignment,
  type ReassignmentQuery,
  type ReassignmentRow,
  type ReassignmentStatus,
  type ReassignmentType,
  toReassignment,
} from './reassignment-reader.ts';
import { advanceReassignments, type StepInput, type StepResult } from './reassignment-work.ts';
import { findRow } from './record-reader.ts';
import { type Attempt, attempt, refuse } from './violations.ts';

interface NewReassignment extends Administration {
  readonly uuid: string;
  readonly type: ReassignmentType;
  readonly sourceUserId: string;
  readonly targetUserId: string;
  readonly subjectUserId: string | null;
  readonly promotionTargetUserId: string | null;
}

type Decision = Administration & { readonly id: string };

/** Moving the children of one user, or a single one of them, to another user. */
export const partnerReassignmentOperations = {
  list: (
    database: DirectoryDatabase,
    query: ReassignmentQuery,
  ): { readonly total: number; readonly reassignments: Reassignment[] } =>
    listReassignments(database, query),

  get(database: DirectoryDatabase, id: string): Reassignment | null {
    const row = findReassignment(database, id);
    return row === undefined ? null : toReassignment(database, row);
  },

  /** All that it moves, page by page; null where there is no such reassignment. */
  moves(
    database: DirectoryDatabase,
    query: { readonly id: string; readonly after?: string | undefined; readonly limit: number },
  ): { readonly items: MovedRelation[]; readonly isExceeded: boolean } | null {
    const row = findReassignment(database, query.id);
    if (row === undefined) return null;
    const { after, limit } = query;
    const moves = listMoves(database, row.id, { after, limit: limit + 1 });
    return { items: moves.slice(0, limit), isExceeded: moves.length > limit };
  },

  /** Written down and checked; nothing moves before it is confirmed. */
  create(database: DirectoryDatabase, input: NewReassignment): Attempt<Reassignment> {
    return attempt(database, () => {
      checkUsers(database, input);
      checkMoves(database, input);
      insert(database, input);
      audit(database, input, input.uuid, 'create', {
        type: input.type,
        sourceUserId: input.sourceUserId,
        targetUserId: input.targetUserId,
        subjectUserId: input.subjectUserId,
        promotionTargetUserId: input.promotionTargetUserId,
      });
      return requireReassignment(database, input.uuid);
    });
  },

  confirm: (database: DirectoryDatabase, decision: Decision): Attempt<Reassignment> =>
    decide(database, decision, 'confirm', ['awaiting_confirmation'], 'pending'),

  cancel: (database: DirectoryDatabase, decision: Decision): Attempt<Reassignment> =>
    decide(database, decision, 'cancel', ['awaiting_confirmation', 'pending'], 'cancelled'),

  /** One bounded step of the work there is; the rest waits for the next. */
  step: (database: DirectoryDatabase, input: StepInput): StepResult =>
    database.transaction(() => advanceReassignments(database, input)),
};

const USER_FIELDS = [
  'sourceUserId',
  'targetUserId',
  'subjectUserId',
  'promotionTargetUserId',
] as const;

function checkUsers(database: DirectoryDatabase, input: NewReassignment): void {
  for (const field of USER_FIELDS) {
    const id = input[field];
    if (id === null) continue;
    if (findRow(database, { resource: 'users', id }) === undefined) {
      refuse({ rule: 'unknown-reference', field, value: id });
    }
  }
  const { type, subjectUserId } = input;
  if (type === 'children' && subjectUserId !== null) {
    refuse({ rule: 'forbidden-field', field: 'subjectUserId', limit: type });
  }
  if (type === 'single_user' && subjectUserId === null) {
    refuse({ rule: 'missing', field: 'subjectUserId' });
  }
}

function insert(database: DirectoryDatabase, input: NewReassignment): void {
  database
    .statement(
      `INSERT INTO partner_reassignments (uuid, type, status, source_user_id, target_user_id,
         subject_user_id, promotion_target_user_id, created_at, updated_at)
       VALUES (?, ?, 'awaiting_confirmation', ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      input.uuid,
      input.type,
      input.sourceUserId,
      input.targetUserId,
      input.subjectUserId,
      input.promotionTargetUserId,
      input.at,
      input.at,
    );
}

function decide(
  database: DirectoryDatabase,
  decision: Decision,
  action: 'confirm' | 'cancel',
  from: readonly ReassignmentStatus[],
  to: ReassignmentStatus,
): Attempt<Reassignment> {
  const { id, at } = decision;
  return attempt(database, () => {
    const row = findReassignment(database, id);
    if (row === undefined) refuse({ rule: 'unknown', field: 'reassignmentId', value: id });
    if (!from.includes(row.status)) {
      refuse({ rule: 'wrong-state', field: 'reassignmentId', value: id, limit: row.status });
    }
    database
      .statement('UPDATE partner_reassignments SET status = ?, updated_at = ? WHERE id = ?')
      .run(to, at, row.id);
    audit(database, decision, row.uuid, action, {});
    return requireReassignment(database, row.uuid);
  });
}

function requireReassignment(database: DirectoryDatabase, uuid: string): Reassignment {
  const row: ReassignmentRow | undefined = findReassignment(database, uuid);
  if (row === undefined) throw new Error(`directory: reassignment ${uuid} vanished`);
  return toReassignment(database, row);
}

function audit(
  database: DirectoryDatabase,
  administration: Administration,
  uuid: string,
  action: string,
  details: Readonly<Record<string, unknown>>,
): void {
  recordAudit(database, administration, {
    action: `partner-reassignment.${action}`,
    entity: 'partner-reassignment',
    entityId: uuid,
    details,
  });
}
