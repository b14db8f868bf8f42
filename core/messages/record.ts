/**
 * Binary records: how every hot message and every journaled event is laid out.
 *
 * A batch is a run of records, little-endian, each padded to 8 bytes:
 *
 *     0        4        6        8                      8 + fixed
 *     +--------+--------+--------+----------------------+-------------------+---------+
 *     | size   | kind   | 0      | fixed fields, packed | tails: n + n bytes | padding |
 *     +--------+--------+--------+----------------------+-------------------+---------+
 *
 * A tail's length `n` is a u16 before a text and a u32 before bytes.
 * `size` counts the whole record, so a reader can skip a kind that it does not know.
 * A layout is a table of field names and widths. Reader and writer are compiled from it once, at
 * module load, because walking the table for each record would cost more than the record itself.
 */

type Width = 'u8' | 'u16' | 'u32' | 'f64' | 'i64' | 'text' | 'bytes';
type Fields = Readonly<Record<string, Width>>;
type ValueOf<W extends Width> = W extends 'i64'
  ? bigint
  : W extends 'text'
    ? string
    : W extends 'bytes'
      ? Uint8Array
      : number;
type RecordFields<F extends Fields> = { -readonly [K in keyof F]: ValueOf<F[K]> };

/** The plain object that a layout reads into and writes from. */
export type RecordOf<L> = L extends Layout<infer F> ? RecordFields<F> : never;

const HEADER_BYTES = 8;
const WIDTH_BYTES = { u8: 1, u16: 2, u32: 4, f64: 8, i64: 8 } as const;
const GETTER = {
  u8: 'getUint8',
  u16: 'getUint16',
  u32: 'getUint32',
  f64: 'getFloat64',
};
const SETTER = {
  u8: 'setUint8',
  u16: 'setUint16',
  u32: 'setUint32',
  f64: 'setFloat64',
};

/** The longest text of one field, in bytes. */
const TEXT_BYTES_MAX = 0xffff;

export interface Layout<F extends Fields> {
  readonly name: string;
  readonly kind: number;
  readonly fields: F;
  /** Appends one record to `batch`. */
  write(batch: BatchWriter, record: Readonly<RecordFields<F>>): void;
  /** Reads the record at the cursor into `target` and returns it; nothing is allocated but text. */
  read(cursor: RecordCursor, target: RecordFields<F>): RecordFields<F>;
  /** A record with every field zero or empty: the reusable target of `read`. */
  blank(): RecordFields<F>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Collects records; `take` hands out what was collected as one exact-size, transferable buffer. */
export class BatchWriter {
  view: DataView;
  bytes: Uint8Array;
  length = 0;
  count = 0;

  constructor(capacityBytes = 1 << 16) {
    this.bytes = new Uint8Array(capacityBytes);
    this.view = new DataView(this.bytes.buffer);
  }

  get empty(): boolean {
    return this.length === 0;
  }

  /** Makes room for `size` more bytes; every view on the old buffer is stale afterwards. */
  reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    let capacity = this.bytes.length * 2;
    while (capacity < this.length + size) capacity *= 2;
    const grown = new Uint8Array(capacity);
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  /** Copies whole records, as they are, behind those already collected. */
  append(records: Uint8Array, count: number): void {
    this.reserve(records.length);
    this.bytes.set(records, this.length);
    this.length += records.length;
    this.count += count;
  }

  /** The collected records in a buffer of their own; the writer starts over. */
  take(): ArrayBuffer {
    const batch = this.bytes.slice(0, this.length).buffer;
    this.clear();
    return batch;
  }

  clear(): void {
    this.length = 0;
    this.count = 0;
  }
}

/** Walks the records of a batch: `while (cursor.next()) switch (cursor.kind) …`. */
export class RecordCursor {
  readonly view: DataView;
  readonly bytes: Uint8Array;
  kind = 0;
  /** Where the current record starts, and its whole size. */
  at = 0;
  size = 0;
  private end: number;

  constructor(batch: ArrayBuffer | Uint8Array) {
    this.bytes = batch instanceof Uint8Array ? batch : new Uint8Array(batch);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    this.end = this.bytes.byteLength;
  }

  /** Steps to the next record. Throws a RangeError where the batch is cut inside a record. */
  next(): boolean {
    this.at += this.size;
    if (this.at >= this.end) return false;
    if (this.at + HEADER_BYTES > this.end) throw new RangeError(`record header cut at ${this.at}`);
    this.size = this.view.getUint32(this.at, true);
    if (this.size < HEADER_BYTES || this.at + this.size > this.end) {
      throw new RangeError(`record at ${this.at} claims ${this.size} bytes`);
    }
    this.kind = this.view.getUint16(this.at + 4, true);
    return true;
  }

  /** The current record's bytes, header and all, without a copy. */
  slice(): Uint8Array {
    return this.bytes.subarray(this.at, this.at + this.size);
  }
}

/** Writes a tail at `at`, which must have room, and returns where the next one starts. */
function writeText(batch: BatchWriter, at: number, text: string): number {
  let length = 0;
  if (text.length > 0) {
    const room = Math.min(TEXT_BYTES_MAX, text.length * 3);
    const { read, written } = encoder.encodeInto(text, batch.bytes.subarray(at + 2, at + 2 + room));
    if (read !== text.length) throw new RangeError(`text of ${text.length} characters is too long`);
    length = written;
  }
  batch.view.setUint16(at, length, true);
  return at + 2 + length;
}

function writeBytes(batch: BatchWriter, at: number, bytes: Uint8Array): number {
  batch.view.setUint32(at, bytes.length, true);
  batch.bytes.set(bytes, at + 4);
  return at + 4 + bytes.length;
}

function readText(cursor: RecordCursor, at: number): string {
  const length = cursor.view.getUint16(at, true);
  if (length === 0) return '';
  return decoder.decode(cursor.bytes.subarray(at + 2, at + 2 + length));
}

function readBytes(cursor: RecordCursor, at: number): Uint8Array {
  return cursor.bytes.slice(at + 4, at + 4 + cursor.view.getUint32(at, true));
}

/** One 64-bit integer and its halves: a view's own methods for those cost several times as much. */
const long = new BigInt64Array(1);
const halves = new Uint32Array(long.buffer);
const [LOW, HIGH] = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0];

function writeLong(view: DataView, at: number, value: bigint): void {
  long[0] = value;
  view.setUint32(at, halves[LOW] as number, true);
  view.setUint32(at + 4, halves[HIGH] as number, true);
}

function readLong(view: DataView, at: number): bigint {
  const low = view.getUint32(at, true);
  const high = view.getUint32(at + 4, true);
  // Many are zero, and that one is at hand.
  if (low === 0 && high === 0) return 0n;
  halves[LOW] = low;
  halves[HIGH] = high;
  return long[0] as bigint;
}

const parts = { writeText, writeBytes, readText, readBytes, writeLong, readLong };

/** Declares a record. Kinds are part of the journal's format: a kind is never given a second meaning. */
export function layout<const F extends Fields>(name: string, kind: number, fields: F): Layout<F> {
  const fixed: string[] = [];
  const sets: string[] = [];
  const gets: string[] = [];
  const tailWrites: string[] = [];
  const tailReads: string[] = [];
  const tailRooms: string[] = [];
  const blanks: string[] = [];
  let offset = HEADER_BYTES;
  for (const [field, width] of Object.entries(fields)) {
    if (width === 'text' || width === 'bytes') {
      const kindName = width === 'text' ? 'Text' : 'Bytes';
      tailRooms.push(width === 'text' ? `2 + r.${field}.length * 3` : `4 + r.${field}.length`);
      tailWrites.push(`end = parts.write${kindName}(b, end, r.${field});`);
      const skip = width === 'text' ? '2 + v.getUint16(end, true)' : '4 + v.getUint32(end, true)';
      tailReads.push(`t.${field} = parts.read${kindName}(c, end); end += ${skip};`);
      blanks.push(`${field}: ${width === 'text' ? "''" : 'new Uint8Array(0)'}`);
    } else {
      const isLong = width === 'i64';
      sets.push(
        isLong
          ? `parts.writeLong(v, at + ${offset}, r.${field});`
          : `v.${SETTER[width]}(at + ${offset}, r.${field}, true);`,
      );
      gets.push(
        isLong
          ? `t.${field} = parts.readLong(v, at + ${offset});`
          : `t.${field} = v.${GETTER[width]}(at + ${offset}, true);`,
      );
      blanks.push(`${field}: ${width === 'i64' ? '0n' : '0'}`);
      fixed.push(field);
      offset += WIDTH_BYTES[width];
    }
  }
  const room = [`${offset + 8}`, ...tailRooms].join(' + ');
  const compile = new Function(
    'parts',
    `return {
      write(b, r) {
        b.reserve(${room});
        const v = b.view, at = b.length;
        ${sets.join('\n        ')}
        let end = at + ${offset};
        ${tailWrites.join('\n        ')}
        const size = (end - at + 7) & ~7;
        for (let pad = end; pad < at + size; pad++) b.bytes[pad] = 0;
        v.setUint32(at, size, true);
        v.setUint32(at + 4, ${kind}, true);
        b.length = at + size;
        b.count++;
      },
      read(c, t) {
        const v = c.view, at = c.at;
        ${gets.join('\n        ')}
        ${tailReads.length > 0 ? `let end = at + ${offset};` : ''}
        ${tailReads.join('\n        ')}
        return t;
      },
      blank() { return { ${blanks.join(', ')} }; },
    };`,
  );
  const compiled = compile(parts) as Pick<Layout<F>, 'write' | 'read' | 'blank'>;
  return { name, kind, fields, ...compiled };
}
