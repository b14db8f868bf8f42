import { readFileSync } from 'node:fs';

/** Operations of a record. */
export const Operation = { Gtc: 0, Ioc: 1, Market: 2, Cancel: 3, Replace: 4 } as const;

/**
 * A record is eight little-endian 32-bit words: operation and side in the lowest bytes of the first,
 * then quantity, price (two words), order id (two words), account, sequence number.
 */
export const RECORD = { WORDS: 8, QUANTITY: 1, PRICE: 2, ORDER_ID: 4, ACCOUNT: 6, SEQUENCE: 7 };

/** The header is a record of its own: magic, version, prefill count, command count, and hints. */
const WORKLOAD_MAGIC = 0x57424f4c;
const WORKLOAD_VERSION = 1;

const RECORD_BYTES = 4 * RECORD.WORDS;
const WORD = 2 ** 32;

/** Order commands: first those that fill the book, untimed, then the timed ones. */
export interface Workload {
  readonly words: Int32Array;
  readonly prefillCount: number;
  readonly commandCount: number;
  /** Order ids in `words` are below this and fit one word. */
  readonly orderIdLimit: number;
  /** Where the file's ids are too sparse for a table: the lowest word of each, by the id in `words`. */
  readonly fileIds: Uint32Array | undefined;
}

/** What is wrong with a file, in a sentence. */
export class WorkloadError extends Error {}

export function readWorkload(path: string): Workload {
  return parseWorkload(readFileSync(path));
}

/** Checks the whole file, so that a replay need not. Throws `WorkloadError`. */
export function parseWorkload(bytes: Uint8Array): Workload {
  if (bytes.length < RECORD_BYTES || bytes.length % RECORD_BYTES !== 0) {
    throw new WorkloadError(`${bytes.length} bytes are no whole number of 32-byte records`);
  }
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const all = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
  const [magic = 0, version = 0, prefill = 0, commands = 0] = all;
  if (magic !== WORKLOAD_MAGIC) throw new WorkloadError('the file does not start with a header');
  if (version !== WORKLOAD_VERSION) throw new WorkloadError(`version ${version} is not known`);
  const words = all.subarray(RECORD.WORDS);
  const records = words.length / RECORD.WORDS;
  const prefillCount = prefill >>> 0;
  const commandCount = commands >>> 0;
  if (prefillCount + commandCount !== records) {
    throw new WorkloadError(
      `the header promises ${prefillCount} + ${commandCount} records, the file holds ${records}`,
    );
  }
  return { words, prefillCount, commandCount, ...indexOrderIds(words) };
}

/** The bytes of a workload file, for a flow whose ids are those in `words`. */
export function encodeWorkload({ words, prefillCount, commandCount }: Workload): Uint8Array {
  const all = new Int32Array(RECORD.WORDS + words.length);
  all.set([WORKLOAD_MAGIC, WORKLOAD_VERSION, prefillCount, commandCount]);
  all.set(words, RECORD.WORDS);
  return new Uint8Array(all.buffer);
}

/** The two words from `index` as one number. */
export function wideAt(words: Int32Array, index: number): number {
  return (words[index]! >>> 0) + (words[index + 1]! >>> 0) * WORD;
}

function indexOrderIds(words: Int32Array): Pick<Workload, 'orderIdLimit' | 'fileIds'> {
  let maxId = 0;
  for (let at = 0; at < words.length; at += RECORD.WORDS) {
    const problem = problemOf(words, at);
    if (problem !== undefined) {
      throw new WorkloadError(`record ${at / RECORD.WORDS + 1}: ${problem}`);
    }
    maxId = Math.max(maxId, wideAt(words, at + RECORD.ORDER_ID));
  }
  const records = words.length / RECORD.WORDS;
  if (maxId < 4 * records + 1024) return { orderIdLimit: maxId + 1, fileIds: undefined };
  const fileIds = renumber(words);
  return { orderIdLimit: fileIds.length, fileIds };
}

/** A venue numbers its orders itself: gives sparse ids dense numbers in the order of appearance. */
function renumber(words: Int32Array): Uint32Array {
  const numbers = new Map<number, number>();
  for (let at = RECORD.ORDER_ID; at < words.length; at += RECORD.WORDS) {
    const id = wideAt(words, at);
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    words[at] = number;
    words[at + 1] = 0;
  }
  return Uint32Array.from(numbers.keys(), (id) => id % WORD);
}

function problemOf(words: Int32Array, at: number): string | undefined {
  const operation = words[at]! & 0xff;
  const side = (words[at]! >>> 8) & 0xff;
  if (operation > Operation.Replace) return `operation ${operation} is not known`;
  if (side > 1) return `side ${side} is not known`;
  if (!Number.isSafeInteger(wideAt(words, at + RECORD.ORDER_ID))) {
    return 'the order id is beyond 2^53 - 1';
  }
  if (operation === Operation.Cancel) return undefined;
  if (words[at + RECORD.QUANTITY] === 0) return 'the quantity is 0';
  if (operation === Operation.Market) return undefined;
  const price = wideAt(words, at + RECORD.PRICE);
  if (price === 0) return 'the price is 0';
  return Number.isSafeInteger(price) ? undefined : 'the price is beyond 2^53 - 1';
}
