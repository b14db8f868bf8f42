import SqliteDatabase from 'better-sqlite3';
import { type Migration, migrations } from './migrations.ts';

/** 'mbDI': marks the file as a directory, so that another SQLite file is never migrated by mistake. */
const APPLICATION_ID = 0x6d_62_44_49;
const BUSY_TIMEOUT_MS = 5_000;

type SqlValue = string | number | bigint | Buffer | null;

interface Statement<Row> {
  run(...values: SqlValue[]): { readonly changes: number };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

/**
 * The open directory file. One connection, used by one thread only. `statement` compiles a text once
 * and keeps it (write limits as `? + 0`: bare, SQLite would plan anew for each value that is bound);
 * `transaction` takes the write lock at its start, so that what it reads stays true.
 */
export interface DirectoryDatabase {
  statement<Row = never>(sql: string): Statement<Row>;
  transaction<Result>(body: () => Result): Result;
  close(): void;
}

/** Opens the file, creating and migrating it as needed. `:memory:` gives a directory for tests. */
export function openDirectoryDatabase(
  file: string,
  steps: readonly Migration[] = migrations,
): DirectoryDatabase {
  const connection = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    configure(connection, file);
    migrate(connection, steps);
  } catch (error) {
    connection.close();
    throw error;
  }
  return wrap(connection);
}

/**
 * A second connection that only reads, for a thread that reads much. It sees what was committed; inside
 * `transaction` it sees one moment.
 */
export function openDirectoryReader(file: string): DirectoryDatabase {
  const connection = new SqliteDatabase(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  return { ...wrap(connection), transaction: (body) => connection.transaction(body)() };
}

/** better-sqlite3 compiles synchronous=NORMAL in for WAL, hence every setting is read back. */
function configure(connection: SqliteDatabase.Database, file: string): void {
  const expectedJournalMode = file === ':memory:' ? 'memory' : 'wal';
  const settings: ReadonlyArray<readonly [setting: string, value: string, readBack: unknown]> = [
    ['journal_mode', 'WAL', expectedJournalMode],
    ['synchronous', 'FULL', 2],
    ['foreign_keys', 'ON', 1],
    ['trusted_schema', 'OFF', 0],
  ];
  for (const [setting, value, readBack] of settings) {
    connection.pragma(`${setting} = ${value}`);
    const actual = connection.pragma(setting, { simple: true });
    if (actual !== readBack) {
      throw new Error(`directory: ${setting} is ${String(actual)} instead of ${String(readBack)}`);
    }
  }
}

function migrate(connection: SqliteDatabase.Database, steps: readonly Migration[]): void {
  const current = readInteger(connection, 'user_version');
  const applicationId = readInteger(connection, 'application_id');
  if (applicationId !== APPLICATION_ID && !(applicationId === 0 && current === 0)) {
    throw new Error('directory: the file belongs to another application');
  }
  const newest = steps.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new Error(
      `directory: the file has schema version ${current}, this program knows only ${newest}`,
    );
  }
  connection.pragma(`application_id = ${APPLICATION_ID}`);
  for (const step of steps) applyStep(connection, step);
}

/** The version is read again under the write lock: two processes may open a new file at once. */
function applyStep(connection: SqliteDatabase.Database, step: Migration): void {
  const apply = connection.transaction(() => {
    if (readInteger(connection, 'user_version') >= step.version) return;
    connection.exec(step.sql);
    connection.pragma(`user_version = ${step.version}`);
  });
  apply.immediate();
}

function readInteger(connection: SqliteDatabase.Database, setting: string): number {
  return Number(connection.pragma(setting, { simple: true }));
}

function wrap(connection: SqliteDatabase.Database): DirectoryDatabase {
  const statements = new Map<string, Statement<unknown>>();
  return {
    statement<Row>(sql: string): Statement<Row> {
      const known = statements.get(sql);
      if (known !== undefined) return known as Statement<Row>;
      const prepared = connection.prepare<SqlValue[], Row>(sql);
      statements.set(sql, prepared);
      return prepared;
    },
    transaction: (body) => connection.transaction(body).immediate(),
    close() {
      statements.clear();
      connection.close();
    },
  };
}
