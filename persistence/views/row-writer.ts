import type Database from 'better-sqlite3';

type Value = number | bigint | string | null;

/** Rows in one statement: past eight nothing more is gained. */
const ROWS = 8;

/**
 * Appends rows to one table, eight in a statement, inside the caller's transaction. For each row
 * call `next`, put the values into `values` from there on in the order of the columns, and at the
 * end call `finish`.
 *
 * `OR FAIL` spares the statement journal that SQLite keeps for a statement that could fail half-way;
 * the whole transaction is given up anyway. Values go as arguments because the binding reads those
 * at half the price of an array's elements.
 */
export class RowWriter {
  readonly values: Value[];
  private readonly many: Database.Statement;
  private readonly one: Database.Statement;
  private readonly columns: number;
  private filled = 0;

  constructor(database: Database.Database, table: string, columns: readonly string[]) {
    const row = `(${columns.map(() => '?').join(', ')})`;
    const into = `INSERT OR FAIL INTO ${table} (${columns.join(', ')}) VALUES`;
    this.many = database.prepare(`${into} ${Array(ROWS).fill(row).join(', ')}`);
    this.one = database.prepare(`${into} ${row}`);
    this.columns = columns.length;
    this.values = Array<Value>(ROWS * columns.length).fill(null);
  }

  /** Where the next row's values go. */
  next(): number {
    if (this.filled === this.values.length) {
      this.many.run(...this.values);
      this.filled = 0;
    }
    const at = this.filled;
    this.filled += this.columns;
    return at;
  }

  finish(): void {
    if (this.filled === this.values.length) this.many.run(...this.values);
    else {
      for (let at = 0; at < this.filled; at += this.columns) {
        this.one.run(...this.values.slice(at, at + this.columns));
      }
    }
    this.filled = 0;
  }
}

/**
 * Rows of one table that are collected first and written together later. For each row call `next`, and
 * put the values into `values` from there on in the order of the columns. The list is kept and written
 * over.
 */
export class RowCollector {
  readonly values: Value[] = [];
  private filled = 0;
  private readonly width: number;
  private readonly rows: RowWriter;

  constructor(database: Database.Database, table: string, columns: readonly string[]) {
    this.rows = new RowWriter(database, table, columns);
    this.width = columns.length;
  }

  /** Where the next row's values go. */
  next(): number {
    const at = this.filled;
    this.filled += this.width;
    return at;
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    const { values, rows, width } = this;
    for (let at = 0; at < this.filled; at += width) {
      const to = rows.next();
      for (let column = 0; column < width; column++) {
        rows.values[to + column] = values[at + column] ?? null;
      }
    }
    rows.finish();
    this.filled = 0;
  }
}
