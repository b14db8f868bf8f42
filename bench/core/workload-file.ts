import { readFileSync } from 'node:fs';

/** Operations of a record. */
export const Operation = { Gtc: 0, Ioc: 1, Market: 2, Cancel: 3, Replace: 4 } as const;

/** Words of a record: operation and side share the first one's low bytes; price and id are u64. */
export const Field = { Operation: 0, Quantity: 1, Price: 2, OrderId: 4, Account: 6 } as const;
export const RECORD_WORDS = 8;

export const WORKLOAD_MAGIC = 0x57424f4c;
export const WORKLOAD_VERSION = 1;
const WORD = 2 ** 32;

/** A file of order commands: 32-byte little-endian records behind a header of the same size. */
export interface Workload {
  /** All records as 32-bit words, without the header. */
  readonly words: Int32Array;
  readonly prefillCount: number;
  readonly commandCount: number;
  /** The largest order id in any record, whatever the header says. */
  readonly maxOrderId: number;
}

export class WorkloadError extends Error {}

/** Reads a whole workload file, or throws `WorkloadError` with what is wrong with it. */
export function readWorkload(path: string): Workload {
  return parseWorkload(readFileSync(path));
}

export function parseWorkload(bytes: Uint8Array): Workload {
  if (bytes.length < 4 * RECORD_WORDS || bytes.length % (4 * RECORD_WORDS) !== 0) {
    throw new WorkloadError(`${bytes.length} bytes are no whole number of 32-byte records`);
  }
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const all = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
  const [magic, version, prefillCount = 0, commandCount = 0] = all;
  if (magic !== WORKLOAD_MAGIC) throw new WorkloadError('the file has no workload header');
  if (version !== WORKLOAD_VERSION) throw new WorkloadError(`version ${version} is not known`);
  const words = all.subarray(RECORD_WORDS);
  const records = words.length / RECORD_WORDS;
  if (prefillCount + commandCount !== records) {
    throw new WorkloadError(
      `the header promises ${prefillCount} + ${commandCount} records, the file has ${records}`,
    );
  }
  return {
    words: new Int32Array(words.buffer, words.byteOffset, words.length),
    prefillCount,
    commandCount,
    maxOrderId: checkRecords(words),
  };
}

/** Checks every record once, so that a replay need not; returns the largest order id. */
function checkRecords(words: Uint32Array): number {
  let maxOrderId = 0;
  for (let at = 0; at < words.length; at += RECORD_WORDS) {
    const problem = checkRecord(words, at);
    if (problem !== undefined) {
      throw new WorkloadError(`record ${at / RECORD_WORDS + 1}: ${problem}`);
    }
    const id = words[at + Field.OrderId]! + words[at + Field.OrderId + 1]! * WORD;
    if (id > maxOrderId) maxOrderId = id;
  }
  return maxOrderId;
}

function checkRecord(words: Uint32Array, at: number): string | undefined {
  const operation = words[at]! & 0xff;
  const side = (words[at]! >>> 8) & 0xff;
  if (operation > Operation.Replace) return `operation ${operation} is not known`;
  if (side > 1) return `side ${side} is not known`;
  const id = words[at + Field.OrderId]! + words[at + Field.OrderId + 1]! * WORD;
  if (id > Number.MAX_SAFE_INTEGER) return 'the order id is beyond 2^53 - 1';
  if (operation === Operation.Cancel) return undefined;
  if (words[at + Field.Quantity] === 0) return 'the quantity is 0';
  if (operation === Operation.Market) return undefined;
  const price = words[at + Field.Price]! + words[at + Field.Price + 1]! * WORD;
  if (price === 0) return 'the price is 0';
  if (price > Number.MAX_SAFE_INTEGER) return 'the price is beyond 2^53 - 1';
  return undefined;
}
