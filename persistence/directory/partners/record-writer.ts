import { formatDecimal, parseDecimal } from '../../../core/fixed-point/index.ts';
import type { DirectoryDatabase } from '../database.ts';
import { findRow, ownedRows, type Row, referenceKey, type StoredValue } from './record-reader.ts';
import { columnOf, definitionOf, type Field, type ResourceDefinition } from './resources.ts';
import { refuse } from './violations.ts';

/** Values by field, as a client gave them; lists of a row's own parts are arrays of the same. */
export type Values = Readonly<Record<string, unknown>>;

/** `amend` keeps what is not named; `replace` gives it its fallback. */
export type WriteMode = 'amend' | 'replace';

export interface Writing {
  readonly database: DirectoryDatabase;
  /** UTC milliseconds. */
  readonly at: number;
  readonly author: string;
  /** A fresh one for each row that may be made. */
  readonly uuids: Iterator<string>;
}

/** Makes a row and the lists that belong to it. */
export function insertRow(
  writing: Writing,
  definition: ResourceDefinition,
  values: Values,
  path = '',
): Row {
  const uuid = nextUuid(writing);
  const columns: Record<string, StoredValue> = {
    uuid,
    ...columnsOf(writing.database, definition, values, undefined, path),
    created_at: writing.at,
    updated_at: writing.at,
  };
  if (definition.key === 'user_id') {
    const chosen = values[definition.idField];
    columns['user_id'] = typeof chosen === 'string' ? chosen.toLowerCase() : uuid;
  }
  if (definition.hasAuthors) {
    columns['created_by'] = writing.author;
    columns['updated_by'] = writing.author;
  }
  const names = Object.keys(columns);
  const marks = names.map(() => '?').join(', ');
  const row = writing.database
    .statement<Row>(
      `INSERT INTO ${definition.table} (${names.join(', ')}) VALUES (${marks}) RETURNING *`,
    )
    .get(...Object.values(columns));
  if (row === undefined) throw new Error(`directory: nothing was inserted: ${definition.table}`);
  writeOwned(writing, definition, row, values, 'replace', path);
  return row;
}

/** Writes a row that exists. Every column goes into one statement, so that there are few to keep. */
export function updateRow(
  writing: Writing,
  definition: ResourceDefinition,
  row: Row,
  values: Values,
  mode: WriteMode,
  path = '',
): Row {
  const { database, at, author } = writing;
  const base = mode === 'amend' ? row : undefined;
  const columns: Record<string, StoredValue> = {
    ...columnsOf(database, definition, values, base, path),
    updated_at: at,
    ...(definition.hasAuthors ? { updated_by: author } : {}),
  };
  const assignments = Object.keys(columns).map((name) => `${name} = ?`);
  const updated = database
    .statement<Row>(
      `UPDATE ${definition.table} SET ${assignments.join(', ')} WHERE id = ? RETURNING *`,
    )
    .get(...Object.values(columns), row.id);
  if (updated === undefined) throw new Error(`directory: ${definition.table} ${row.id} vanished`);
  writeOwned(writing, definition, updated, values, mode, path);
  return updated;
}

export function deleteRow(
  database: DirectoryDatabase,
  definition: ResourceDefinition,
  row: Row,
): void {
  database.statement(`DELETE FROM ${definition.table} WHERE id = ?`).run(row.id);
}

function columnsOf(
  database: DirectoryDatabase,
  definition: ResourceDefinition,
  values: Values,
  base: Row | undefined,
  path: string,
): Record<string, StoredValue> {
  const columns: Record<string, StoredValue> = {};
  for (const [name, field] of Object.entries(definition.fields)) {
    const column = columnOf(name);
    const given = values[name];
    if (given !== undefined) columns[column] = stored(database, field, given, path + name);
    else if (base !== undefined) columns[column] = base[column] ?? null;
    else if (field.fallback === undefined) refuse({ rule: 'missing', field: path + name });
    else columns[column] = stored(database, field, field.fallback, path + name);
  }
  return columns;
}

function stored(
  database: DirectoryDatabase,
  field: Field,
  value: unknown,
  name: string,
): StoredValue {
  if (value === null) return null;
  switch (field.type) {
    case 'flag':
      return value === true ? 1 : 0;
    case 'json':
      return JSON.stringify(value);
    case 'integer':
      return Number(value);
    case 'text':
      return String(value);
    case 'decimal':
      return storedDecimal(String(value), name);
    case 'reference':
      return storedReference(database, field.to ?? '', String(value), name);
  }
}

const DECIMAL_SCALE_MAX = 18;
const DECIMAL_BOUND = 10n ** 36n;

/** Kept as the plain decimal that answers show: `9e-05` as `0.00009`. */
function storedDecimal(text: string, name: string): string {
  const decimal = parseDecimal(text);
  const fits =
    decimal !== undefined &&
    decimal.coefficient >= 0n &&
    decimal.coefficient < DECIMAL_BOUND &&
    decimal.scale <= DECIMAL_SCALE_MAX;
  if (fits) return formatDecimal(decimal);
  const limit = `at least 0, with at most ${DECIMAL_SCALE_MAX} decimals`;
  return refuse({ rule: 'out-of-range', field: name, value: text, limit });
}

function storedReference(
  database: DirectoryDatabase,
  resource: string,
  given: string,
  name: string,
): StoredValue {
  const id = definitionOf(resource).key === 'id' ? given : given.toLowerCase();
  const key = referenceKey(resource, id);
  if (key === undefined || findRow(database, { resource, id }) === undefined) {
    refuse({ rule: 'unknown-reference', field: name, value: given });
  }
  return key;
}

/** A list that is named is the whole list: items with an id stay themselves, others are new. */
function writeOwned(
  writing: Writing,
  definition: ResourceDefinition,
  row: Row,
  values: Values,
  mode: WriteMode,
  path: string,
): void {
  for (const [name, owned] of Object.entries(definition.owned)) {
    const given = values[name];
    if (!Array.isArray(given)) {
      if (mode === 'amend' || given !== undefined) continue;
    }
    const items = (given ?? []) as readonly Values[];
    writeList(writing, definitionOf(owned), row[definition.key] ?? null, items, path + name);
  }
}

function writeList(
  writing: Writing,
  definition: ResourceDefinition,
  ownerKey: StoredValue,
  items: readonly Values[],
  path: string,
): void {
  const { database } = writing;
  const before = ownedRows(database, definition, ownerKey);
  const unclaimed = new Map(before.map((row) => [String(row[definition.key]), row]));
  const claims = items.map((item, index) => {
    const id = item[definition.idField];
    if (id === undefined || id === null) return undefined;
    const row = unclaimed.get(String(id));
    if (row === undefined) {
      const field = `${path}[${index}].${definition.idField}`;
      refuse({ rule: 'unknown-reference', field, value: String(id) });
    }
    unclaimed.delete(String(id));
    return row;
  });
  for (const row of unclaimed.values()) deleteRow(database, definition, row);
  for (const [index, item] of items.entries()) {
    const values = { ...item, [definition.parent ?? '']: String(ownerKey) };
    const claimed = claims[index];
    const place = `${path}[${index}].`;
    if (claimed === undefined) insertRow(writing, definition, values, place);
    else updateRow(writing, definition, claimed, values, 'amend', place);
  }
  checkDistinct(definition, ownedRows(database, definition, ownerKey), path);
}

function checkDistinct({ distinct }: ResourceDefinition, rows: readonly Row[], path: string): void {
  if (distinct === undefined) return;
  const seen = new Set<StoredValue>();
  for (const row of rows) {
    const value = row[columnOf(distinct)] ?? null;
    if (seen.has(value)) refuse({ rule: 'taken', field: path, value: String(value) });
    seen.add(value);
  }
}

function nextUuid({ uuids }: Writing): string {
  const next = uuids.next();
  if (next.done === true) throw new Error('directory: too few fresh ids came with the request');
  return next.value;
}
