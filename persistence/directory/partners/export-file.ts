import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DirectoryDatabase } from '../database.ts';
import type { ExportFormat, ExportSubject } from './exports.ts';
import { listRecords, type PartnerRecord } from './record-reader.ts';
import { definitionOf } from './resources.ts';

export interface ExportOrder {
  readonly subject: ExportSubject;
  readonly format: ExportFormat;
  readonly file: string;
  /** A larger file is given up: nobody could be sent it. */
  readonly bytesMax: number;
}

export type ExportResult =
  | { readonly rows: number; readonly bytes: number }
  | { readonly error: string };

const PAGE = 500;
const OWNER_ONLY = 0o600;

/**
 * Writes every row of the subject as it is at one moment, to a neighbour of the file that is flushed
 * and renamed at the end: the file is whole or not there.
 */
export function writeExport(database: DirectoryDatabase, order: ExportOrder): ExportResult {
  const neighbour = `${order.file}.new`;
  mkdirSync(dirname(order.file), { recursive: true });
  const descriptor = openSync(neighbour, 'w', OWNER_ONLY);
  let isWhole = false;
  try {
    const result = database.transaction(() => writeRows(database, order, descriptor));
    fsyncSync(descriptor);
    isWhole = 'rows' in result;
    return result;
  } finally {
    closeSync(descriptor);
    if (isWhole) renameSync(neighbour, order.file);
    else rmSync(neighbour, { force: true });
  }
}

function writeRows(
  database: DirectoryDatabase,
  { subject, format, bytesMax }: ExportOrder,
  descriptor: number,
): ExportResult {
  const form = FORMS[format](exportedFields(subject));
  const { idField } = definitionOf(subject);
  let rows = 0;
  let bytes = writeSync(descriptor, form.head);
  for (let after: string | undefined; ; ) {
    const page = listRecords(database, { resource: subject, after, limit: PAGE });
    const text = page.items.map((record, index) => form.line(record, rows + index)).join('');
    rows += page.items.length;
    bytes += writeSync(descriptor, text);
    if (bytes > bytesMax) return { error: `The file would be larger than ${bytesMax} bytes.` };
    if (!page.isExceeded) break;
    after = String(page.items.at(-1)?.[idField]);
  }
  bytes += writeSync(descriptor, form.tail);
  return { rows, bytes };
}

/** The fields of its own: what is embedded is another export. */
function exportedFields(subject: ExportSubject): readonly string[] {
  const { idField, fields, owned, times } = definitionOf(subject);
  return [idField, ...Object.keys(fields), ...Object.keys(owned), ...times, 'uuid'];
}

interface FileForm {
  readonly head: string;
  line(record: PartnerRecord, index: number): string;
  readonly tail: string;
}

const FORMS: Readonly<Record<ExportFormat, (fields: readonly string[]) => FileForm>> = {
  csv: (fields) => ({
    head: `${fields.join(',')}\r\n`,
    line: (record) => `${fields.map((name) => csvCell(record[name])).join(',')}\r\n`,
    tail: '',
  }),
  json: (fields) => ({
    head: '[',
    line: (record, index) =>
      `${index === 0 ? '' : ','}\n${JSON.stringify(
        Object.fromEntries(fields.map((name) => [name, record[name]])),
      )}`,
    tail: '\n]\n',
  }),
};

/** RFC 4180. Text that a spreadsheet would run as a formula is kept from it by an apostrophe. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
