import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { acceptEnd, JournalReader, silentLogger } from '../../persistence/journal/index.ts';
import { decodeMark, encodeSlot, MARK_BYTES, SLOT_BYTES } from '../../persistence/journal/mark.ts';
import { MarkFile } from '../../persistence/journal/mark-file.ts';
import { temporaryDirectory } from './support/directory.ts';
import { appendBatches, openJournal } from './support/journals.ts';
import { RecordingLogger } from './support/logger.ts';

const hashOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

describe('the high-water mark', () => {
  it('is the later of two slots, written in turn', () => {
    const path = join(temporaryDirectory(), 'mark');
    const mark = new MarkFile(path);
    expect(mark.read().kind).toBe('missing');
    for (let sequence = 1; sequence <= 5; sequence++) {
      mark.write({ sequence, hash: hashOf(sequence) });
      expect(mark.read()).toMatchObject({
        kind: 'good',
        point: { sequence, hash: hashOf(sequence) },
      });
    }
    mark.close();
    const reopened = new MarkFile(path);
    expect(reopened.read()).toMatchObject({ point: { sequence: 5 } });
    reopened.write({ sequence: 6, hash: hashOf(6) });
    expect(reopened.read()).toMatchObject({ point: { sequence: 6 }, otherSlotDamaged: false });
    reopened.close();
  });

  it('falls back to the slot before when any one byte of the newest is torn', () => {
    const bytes = new Uint8Array(MARK_BYTES);
    encodeSlot({ sequence: 7, hash: hashOf(7) }, bytes.subarray(0, SLOT_BYTES));
    encodeSlot({ sequence: 8, hash: hashOf(8) }, bytes.subarray(4096, 4096 + SLOT_BYTES));
    expect(decodeMark(bytes)).toMatchObject({ point: { sequence: 8 } });
    for (let at = 0; at < SLOT_BYTES; at++) {
      const torn = bytes.slice();
      torn[4096 + at] = (torn[4096 + at] ?? 0) ^ 1;
      expect(decodeMark(torn)).toMatchObject({ point: { sequence: 7 }, otherSlotDamaged: true });
    }
    bytes.fill(1);
    expect(decodeMark(bytes).kind).toBe('damaged');
  });
});

describe('a journal and its mark', () => {
  let dataDir: string;
  const inDirectory = (name: string): string => join(dataDir, name);

  beforeEach(() => {
    dataDir = temporaryDirectory();
    const { store, journal } = openJournal(dataDir);
    appendBatches(journal, [3, 4]);
    copyFileSync(inDirectory('journal.mark'), inDirectory('mark-at-7'));
    appendBatches(journal, [2]);
    store.close();
  });

  it('that lost its last commit is refused, with the sequences that are gone', () => {
    const database = new Database(inDirectory('journal.db'));
    database.exec('DELETE FROM batches WHERE first_sequence = 8');
    database.close();
    expect(() => openJournal(dataDir)).toThrow(
      'the journal ends at sequence 7, but the mark proves that 9 was durable: sequences 8 to 9 are lost',
    );
  });

  it('are compared by a reader too, while the journal is written', () => {
    const { store, journal } = openJournal(dataDir);
    const reader = new JournalReader(dataDir);
    appendBatches(journal, [2]);
    expect(reader.verifyMark(silentLogger)).toBe(11);
    reader.close();
    store.close();
    const database = new Database(inDirectory('journal.db'));
    database.exec('DELETE FROM batches WHERE first_sequence = 10');
    database.close();
    const behind = new JournalReader(dataDir);
    expect(() => behind.verifyMark(silentLogger)).toThrow(/sequences 10 to 11 are lost/);
    behind.close();
  });

  it('that is gone altogether, or cut to nothing, is refused', () => {
    truncateSync(inDirectory('journal.db'), 0);
    expect(() => openJournal(dataDir)).toThrow(/ends at sequence 0, but the mark proves that 9/);
    rmSync(inDirectory('journal.db'));
    expect(() => openJournal(dataDir)).toThrow(/ends at sequence 0, but the mark proves that 9/);
  });

  it('whose last batch is another one than the mark saw is refused', () => {
    copyFileSync(inDirectory('mark-at-7'), inDirectory('journal.mark'));
    const { store, journal } = openJournal(dataDir);
    appendBatches(journal, [1]);
    store.close();
    const foreign = temporaryDirectory();
    const other = openJournal(foreign);
    appendBatches(other.journal, [3, 4, 1, 1, 1]);
    other.store.close();
    copyFileSync(join(foreign, 'journal.db'), inDirectory('journal.db'));
    rmSync(inDirectory('journal.db-wal'), { force: true });
    expect(() => openJournal(dataDir)).toThrow(/damaged at sequence 10: .*high-water mark/);
  });

  it('goes on behind a mark that is older, as after a loss of power', () => {
    copyFileSync(inDirectory('mark-at-7'), inDirectory('journal.mark'));
    const { store, journal } = openJournal(dataDir);
    expect(journal.durableSequence).toBe(9);
    store.close();
  });

  it('drops a damaged batch behind the mark, loudly, but refuses one at the mark', () => {
    const damage = new Database(inDirectory('journal.db'));
    damage.exec('UPDATE batches SET payload = zeroblob(length(payload)) WHERE first_sequence = 8');
    damage.close();
    expect(() => openJournal(dataDir)).toThrow(/damaged at sequence 8/);
    copyFileSync(inDirectory('mark-at-7'), inDirectory('journal.mark'));
    const logger = new RecordingLogger();
    const { store, journal } = openJournal(dataDir, logger);
    expect(journal.durableSequence).toBe(7);
    expect(logger.messages().join()).toContain('dropped a damaged batch');
    appendBatches(journal, [5]);
    store.close();
    openJournal(dataDir).store.close();
  });

  it('does not drop the last batch when it is the one before that is damaged', () => {
    copyFileSync(inDirectory('mark-at-7'), inDirectory('journal.mark'));
    const damage = new Database(inDirectory('journal.db'));
    damage.exec('UPDATE batches SET hash = zeroblob(32) WHERE first_sequence = 4');
    damage.close();
    expect(() => openJournal(dataDir)).toThrow(/damaged at sequence/);
    const database = new Database(inDirectory('journal.db'));
    expect(database.prepare('SELECT count(*) FROM batches').pluck().get()).toBe(3);
    database.close();
  });

  it('is refused without a readable mark, until an operator accepts its end', () => {
    writeFileSync(inDirectory('journal.mark'), readFileSync(inDirectory('journal.mark')).fill(9));
    expect(() => openJournal(dataDir)).toThrow(/mark is damaged in both slots.*accept-end/);
    rmSync(inDirectory('journal.mark'));
    expect(() => openJournal(dataDir)).toThrow(/mark is missing.*accept-end/);
    expect(acceptEnd(dataDir)).toBe(9);
    const { store, journal } = openJournal(dataDir);
    expect(journal.durableSequence).toBe(9);
    store.close();
  });

  it('that is damaged is not accepted by an operator either', () => {
    const database = new Database(inDirectory('journal.db'));
    database.exec('DELETE FROM batches WHERE first_sequence = 4');
    database.close();
    expect(() => acceptEnd(dataDir)).toThrow(/damaged at sequence 4/);
  });

  it('that is not there is not accepted either, and none is made', () => {
    rmSync(inDirectory('journal.db'));
    expect(() => acceptEnd(dataDir)).toThrow(/there is no journal/);
    expect(existsSync(inDirectory('journal.db'))).toBe(false);
  });
});
