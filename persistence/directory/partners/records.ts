import { type Administration, recordAudit } from '../audit.ts';
import type { DirectoryDatabase } from '../database.ts';
import { addNode, checkChain, placeNode, refuseWhileMoving } from './chains.ts';
import {
  findRow,
  listRecords,
  type PartnerRecord,
  type RecordAddress,
  type RecordPage,
  type RecordQuery,
  type Row,
  readRecord,
  toRecord,
} from './record-reader.ts';
import {
  deleteRow,
  insertRow,
  updateRow,
  type Values,
  type WriteMode,
  type Writing,
} from './record-writer.ts';
import { definitionOf, type PartnerResourceName, type ResourceDefinition } from './resources.ts';
import { type Attempt, attempt, refuse } from './violations.ts';

interface Change extends Administration {
  readonly resource: PartnerResourceName;
  readonly parentId?: string | undefined;
  readonly values: Values;
  /** Fresh ids: one for the row, and one for each part of it that may be new. */
  readonly uuids: readonly string[];
}

interface ChangeOfOne extends Change {
  readonly id: string;
  readonly mode: WriteMode;
}

type Address = RecordAddress & { readonly resource: PartnerResourceName };

/** What some resources ask beyond what their tables say. */
interface Rules {
  /** Refuses a change before it is made. */
  check?(database: DirectoryDatabase): void;
  /** Follows a change; `after` is undefined where the row is gone. */
  changed?(
    database: DirectoryDatabase,
    before: Row | undefined,
    after: Row | undefined,
    at: number,
  ): void;
}

const RULES: Partial<Readonly<Record<PartnerResourceName, Rules>>> = {
  users: {
    changed(database, before, after, at) {
      if (before === undefined && after !== undefined) {
        addNode(database, String(after['user_id']), at);
      }
    },
  },
  relations: {
    check: (database) => refuseWhileMoving(database, 'relationId'),
    changed(database, before, after) {
      if (after !== undefined) checkChain(database, String(after['child_user_id']));
      const children = [before, after].map((row) => row?.['child_user_id']);
      for (const userId of new Set(children)) {
        if (typeof userId === 'string') placeNode(database, userId);
      }
    },
  },
};

/** One set of operations for every resource of the table in resources.ts. */
export const partnerRecordOperations = {
  /** `unknown-parent` is told apart from an empty list. */
  list(database: DirectoryDatabase, query: RecordQuery): Attempt<RecordPage> {
    return attempt(database, () => {
      requireParent(database, definitionOf(query.resource), query.parentId);
      return listRecords(database, query);
    });
  },

  get: (database: DirectoryDatabase, address: Address): PartnerRecord | null =>
    readRecord(database, address),

  create(database: DirectoryDatabase, change: Change): Attempt<PartnerRecord> {
    const definition = definitionOf(change.resource);
    const rules = RULES[change.resource];
    return attempt(database, () => {
      requireParent(database, definition, change.parentId);
      const values = withParent(definition, change);
      rules?.check?.(database);
      const row = insertRow(writingOf(database, change), definition, values);
      rules?.changed?.(database, undefined, row, change.at);
      audit(database, change, 'create', definition, row);
      return toRecord(database, definition, row);
    });
  },

  update(database: DirectoryDatabase, change: ChangeOfOne): Attempt<PartnerRecord> {
    const definition = definitionOf(change.resource);
    const rules = RULES[change.resource];
    return attempt(database, () => {
      const before = requireRow(database, definition, change);
      const values = withParent(definition, change);
      rules?.check?.(database);
      const writing = writingOf(database, change);
      const after = updateRow(writing, definition, before, values, change.mode);
      rules?.changed?.(database, before, after, change.at);
      audit(database, change, change.mode, definition, after);
      return toRecord(database, definition, after);
    });
  },

  remove(database: DirectoryDatabase, input: Address & Administration): Attempt<null> {
    const definition = definitionOf(input.resource);
    const rules = RULES[input.resource];
    return attempt(database, () => {
      const before = requireRow(database, definition, input);
      rules?.check?.(database);
      deleteRow(database, definition, before);
      rules?.changed?.(database, before, undefined, input.at);
      audit(database, { ...input, values: {} }, 'delete', definition, before);
      return null;
    });
  },
};

function writingOf(database: DirectoryDatabase, { at, actor, uuids }: Change): Writing {
  const author = actor.slice(actor.indexOf(':') + 1);
  return { database, at, author, uuids: uuids.values() };
}

/** What the path names is part of the row. */
function withParent(definition: ResourceDefinition, { values, parentId }: Change): Values {
  const { parent } = definition;
  return parent === undefined || parentId === undefined
    ? values
    : { ...values, [parent]: parentId };
}

function requireParent(
  database: DirectoryDatabase,
  { parent, fields }: ResourceDefinition,
  parentId: string | undefined,
): void {
  if (parent === undefined || parentId === undefined) return;
  const resource = fields[parent]?.to ?? '';
  if (findRow(database, { resource, id: parentId }) === undefined) {
    refuse({ rule: 'unknown', field: parent, value: parentId });
  }
}

function requireRow(
  database: DirectoryDatabase,
  definition: ResourceDefinition,
  address: RecordAddress,
): Row {
  requireParent(database, definition, address.parentId);
  const row = findRow(database, address);
  if (row !== undefined) return row;
  return refuse({ rule: 'unknown', field: definition.idField, value: address.id });
}

function audit(
  database: DirectoryDatabase,
  change: Administration & { readonly resource: string; readonly values: Values },
  action: 'create' | WriteMode | 'delete',
  definition: ResourceDefinition,
  row: Row,
): void {
  const told = Object.entries(change.values).map(([name, value]) => [
    name,
    definition.fields[name]?.isSecret ? 'changed' : value,
  ]);
  recordAudit(database, change, {
    action: `partner-${change.resource}.${action}`,
    entity: `partner-${change.resource}`,
    entityId: String(row[definition.key]),
    details: Object.fromEntries(told),
  });
}
