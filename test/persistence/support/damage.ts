import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Random } from './random.ts';

/** Damages one file or row and says what it did. */
export type Damage = (path: string, random: Random) => string;

/** What follows the last byte that is not zero was only allocated. */
function usedBytes(bytes: Uint8Array): number {
  let used = bytes.length;
  while (used > 0 && bytes[used - 1] === 0) used--;
  return used;
}

function onBytes(change: (bytes: Buffer, used: number, random: Random) => string): Damage {
  return (path, random) => {
    const bytes = readFileSync(path);
    const done = change(bytes, Math.max(1, usedBytes(bytes)), random);
    writeFileSync(path, bytes);
    return done;
  };
}

const flipBit = onBytes((bytes, used, random) => {
  const at = random.between(0, used - 1);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7));
  return `flipped a bit at ${at}`;
});

const zeroBlock = onBytes((bytes, used, random) => {
  const size = random.pick([16, 512, 4096]);
  const at = Math.floor(random.between(0, used - 1) / size) * size;
  bytes.fill(0, at, Math.min(at + size, bytes.length));
  return `zeroed ${size} bytes at ${at}`;
});

const overwrite = onBytes((bytes, used, random) => {
  const at = random.between(0, used - 1);
  for (let i = at; i < Math.min(at + 24, bytes.length); i++) bytes[i] = random.between(0, 255);
  return `overwrote 24 bytes at ${at}`;
});

const copyBlock = onBytes((bytes, used, random) => {
  const size = random.pick([24, 512, 4096]);
  const from = random.between(0, used - 1);
  const to = random.between(0, used - 1);
  bytes.copyWithin(to, from, from + size);
  return `copied ${size} bytes from ${from} to ${to}`;
});

const cut: Damage = (path, random) => {
  const at = random.between(0, usedBytes(readFileSync(path)));
  truncateSync(path, at);
  return `cut at ${at}`;
};

export const FILE_DAMAGES: readonly Damage[] = [
  flipBit,
  flipBit,
  zeroBlock,
  overwrite,
  copyBlock,
  cut,
];

interface RowId {
  readonly first_sequence: number;
}

function onRows(statement: string): Damage {
  return (path, random) => {
    const database = new Database(path);
    const rows = database.prepare('SELECT first_sequence FROM batches ORDER BY 1').all() as RowId[];
    const a = random.pick(rows).first_sequence;
    let b = a;
    while (b === a) b = random.pick(rows).first_sequence;
    database.exec(statement.replaceAll(':a', String(a)).replaceAll(':b', String(b)));
    database.close();
    return `${statement} with a ${a}, b ${b}`;
  };
}

/** Damage that SQLite itself cannot notice. */
export const ROW_DAMAGES: readonly Damage[] = [
  onRows('DELETE FROM batches WHERE first_sequence = :a'),
  onRows('DELETE FROM batches WHERE first_sequence >= :a'),
  onRows('UPDATE batches SET first_sequence = first_sequence + 100000 WHERE first_sequence = :a'),
  onRows('UPDATE batches SET count = count + 1 WHERE first_sequence = :a'),
  onRows(`UPDATE batches SET payload = (SELECT payload FROM batches WHERE first_sequence = :b)
    WHERE first_sequence = :a`),
  onRows(`UPDATE batches SET (count, hash, payload) =
    (SELECT count, hash, payload FROM batches WHERE first_sequence = :b) WHERE first_sequence = :a`),
  onRows(`UPDATE batches SET payload = substr(payload, 9) WHERE first_sequence = :a`),
  onRows(
    `UPDATE batches SET payload = CAST(payload || zeroblob(8) AS BLOB) WHERE first_sequence = :a`,
  ),
  onRows(`UPDATE batches SET hash = zeroblob(32) WHERE first_sequence = :a`),
  onRows(`CREATE TABLE swap AS SELECT * FROM batches WHERE first_sequence IN (:a, :b);
    UPDATE batches SET (count, hash, payload) =
      (SELECT count, hash, payload FROM swap WHERE swap.first_sequence = :a + :b - batches.first_sequence)
      WHERE first_sequence IN (:a, :b)`),
  onRows(`INSERT OR REPLACE INTO batches
    SELECT (SELECT max(first_sequence + count) FROM batches), count, hash, payload FROM batches
    WHERE first_sequence = :a`),
];
