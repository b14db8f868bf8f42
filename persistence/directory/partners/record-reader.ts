import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import type { DirectoryDatabase } from '../database.ts';
import { columnOf, definitionOf, type Field, type ResourceDefinition } from './resources.ts';
import { refuse } from './violations.ts';

/** A row as answers show it: ids are text, times ISO text, lists and neighbours are in place. */
export type PartnerRecord = Readonly<Record<string, unknown>>;

export type StoredValue = string | number | null;
/** `rowid` order is the order of creation, whatever the id looks like. */
export type Row = Readonly<Record<string, StoredValue>> & { readonly id: number };

export interface RecordAddress {
  readonly resource: string;
  readonly id: string;
  /** The id of the row above, for resources that are kept under one. */
  readonly parentId?: string | undefined;
}

export interface RecordQuery {
  readonly resource: string;
  readonly parentId?: string | undefined;
  /** Equal to these, by field. */
  readonly filters?: Readonly<Record<string, string>>;
  /** The id of the last record of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface RecordPage {
  readonly items: readonly PartnerRecord[];
  /** There is more behind the page. */
  readonly isExceeded: boolean;
}

/** An id as the key column holds it; undefined for text that can be no id of this resource. */
function keyOf(definition: ResourceDefinition, id: string): StoredValue | undefined {
  if (definition.key !== 'id') return id;
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}

/** The stored form of a reference; undefined where it names nothing that could exist. */
export function referenceKey(to: string | undefined, id: string): StoredValue | undefined {
  return to === undefined ? undefined : keyOf(definitionOf(to), id);
}

export function findRow(database: DirectoryDatabase, address: RecordAddress): Row | undefined {
  const definition = definitionOf(address.resource);
  const key = keyOf(definition, address.id);
  if (key === undefined) return undefined;
  const sql = `SELECT * FROM ${definition.table} WHERE ${definition.key} = ?`;
  const { parent } = definition;
  if (parent === undefined || address.parentId === undefined) {
    return database.statement<Row>(sql).get(key);
  }
  const parentKey = referenceKey(definition.fields[parent]?.to, address.parentId);
  if (parentKey === undefined) return undefined;
  return database.statement<Row>(`${sql} AND ${columnOf(parent)} = ?`).get(key, parentKey);
}

export function readRecord(
  database: DirectoryDatabase,
  address: RecordAddress,
): PartnerRecord | null {
  const row = findRow(database, address);
  return row === undefined ? null : toRecord(database, definitionOf(address.resource), row);
}

/**
 * Oldest first. A filter that names nothing gives an empty page. A cursor that could name nothing is
 * refused: an empty page would pass for the end of the list.
 */
export function listRecords(database: DirectoryDatabase, query: RecordQuery): RecordPage {
  const definition = definitionOf(query.resource);
  const conditions: string[] = [];
  const values: StoredValue[] = [];
  const filters = { ...query.filters, ...parentFilter(definition, query.parentId) };
  for (const [name, text] of Object.entries(filters)) {
    const value = filterValue(definition.fields[name], text);
    if (value === undefined) return { items: [], isExceeded: false };
    conditions.push(`${columnOf(name)} = ?`);
    values.push(value);
  }
  if (query.after !== undefined) {
    conditions.push('id > ?');
    values.push(cursorOf(database, definition, query.after));
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const rows = database
    .statement<Row>(`SELECT * FROM ${definition.table} ${where} ORDER BY id LIMIT ? + 0`)
    .all(...values, query.limit + 1);
  const items = rows.slice(0, query.limit).map((row) => toRecord(database, definition, row));
  return { items, isExceeded: rows.length > query.limit };
}

/** Ids in the order of creation need no row any more: the one that was last may have been removed. */
function cursorOf(
  database: DirectoryDatabase,
  definition: ResourceDefinition,
  after: string,
): StoredValue {
  const key = keyOf(definition, after);
  if (definition.key === 'id' && key !== undefined) return key;
  const last = database
    .statement<Row>(`SELECT id FROM ${definition.table} WHERE ${definition.key} = ?`)
    .get(key ?? null);
  return last?.id ?? refuse({ rule: 'unknown-reference', field: 'after', value: after });
}

/** All rows of one owner's list, oldest first. */
export function ownedRows(
  database: DirectoryDatabase,
  definition: ResourceDefinition,
  ownerKey: StoredValue,
): Row[] {
  const column = columnOf(definition.parent ?? '');
  return database
    .statement<Row>(`SELECT * FROM ${definition.table} WHERE ${column} = ? ORDER BY id`)
    .all(ownerKey);
}

export function toRecord(
  database: DirectoryDatabase,
  definition: ResourceDefinition,
  row: Row,
): PartnerRecord {
  const { key, idField, times, hasAuthors } = definition;
  const record: Record<string, unknown> = { [idField]: String(row[key]) };
  for (const [name, field] of Object.entries(definition.fields)) {
    record[name] = shown(field, row[columnOf(name)] ?? null);
  }
  for (const [name, owned] of Object.entries(definition.owned)) {
    const part = definitionOf(owned);
    record[name] = ownedRows(database, part, row[key] ?? null).map((each) =>
      toRecord(database, part, each),
    );
  }
  for (const [name, { by, resource, pick }] of Object.entries(definition.embedded)) {
    const id = record[by];
    const neighbour = id === null ? null : readRecord(database, { resource, id: String(id) });
    record[name] = pick === undefined ? neighbour : (neighbour?.[pick] ?? null);
  }
  if (hasAuthors) {
    record['createdBy'] = row['created_by'];
    record['updatedBy'] = row['updated_by'];
  }
  record[times[0]] = formatTimestamp(Number(row['created_at']));
  record[times[1]] = formatTimestamp(Number(row['updated_at']));
  record['uuid'] = row['uuid'];
  return record;
}

function shown({ type }: Field, value: StoredValue): unknown {
  if (value === null) return null;
  switch (type) {
    case 'flag':
      return value === 1;
    case 'json':
      return JSON.parse(String(value));
    case 'reference':
      return String(value);
    default:
      return value;
  }
}

function parentFilter(
  { parent }: ResourceDefinition,
  parentId: string | undefined,
): Record<string, string> {
  return parent === undefined || parentId === undefined ? {} : { [parent]: parentId };
}

function filterValue(field: Field | undefined, text: string): StoredValue | undefined {
  return field?.type === 'reference' ? referenceKey(field.to, text) : text;
}
