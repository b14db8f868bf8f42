/**
 * A batch that cannot be trusted: it does not hash to what the chain says, is missing, overlaps, or
 * cannot be read. `sequence` is the first event that is not known to be good.
 */
export class JournalCorrupt extends Error {
  readonly code = 'JOURNAL_CORRUPT';
  readonly sequence: number;
  readonly reason: string;

  constructor(sequence: number, reason: string, options?: ErrorOptions) {
    super(`the journal is damaged at sequence ${sequence}: ${reason}`, options);
    this.name = 'JournalCorrupt';
    this.sequence = sequence;
    this.reason = reason;
  }
}

/** The journal ends before a sequence that was acknowledged: committed batches are gone. */
export class JournalBehindMark extends Error {
  readonly code = 'JOURNAL_BEHIND_MARK';
  /** The last sequence that the journal still holds. */
  readonly sequence: number;
  /** The last sequence known to have been durable, and who knows it. */
  readonly markSequence: number;
  readonly witness: 'mark' | 'snapshot';

  constructor(sequence: number, markSequence: number, witness: 'mark' | 'snapshot') {
    super(
      `the journal ends at sequence ${sequence}, but the ${witness} proves that ${markSequence} was durable: ` +
        `sequences ${sequence + 1} to ${markSequence} are lost; restore the journal from a copy`,
    );
    this.name = 'JournalBehindMark';
    this.sequence = sequence;
    this.markSequence = markSequence;
    this.witness = witness;
  }
}

/** A journal with batches has no readable high-water mark, so a cut end could not be noticed. */
export class JournalMarkMissing extends Error {
  readonly code = 'JOURNAL_MARK_MISSING';
  /** The last sequence that the journal holds. */
  readonly sequence: number;

  constructor(sequence: number, reason: string) {
    super(
      `the journal ends at sequence ${sequence}, but its high-water mark ${reason}: ` +
        'put journal.mark back, or accept this end of the journal with the accept-end command',
    );
    this.name = 'JournalMarkMissing';
    this.sequence = sequence;
  }
}

/** Not a journal of this program, or of a version of it that this one cannot read. */
export class JournalFormatUnknown extends Error {
  readonly code = 'JOURNAL_FORMAT';
  readonly sequence = 1;

  constructor(reason: string, options?: ErrorOptions) {
    super(`the journal cannot be read: ${reason}`, options);
    this.name = 'JournalFormatUnknown';
  }
}

/** Another process writes this journal. Two writers would each acknowledge what the other undoes. */
export class JournalInUse extends Error {
  readonly code = 'JOURNAL_IN_USE';
  readonly sequence = 0;

  constructor(dataDir: string, options?: ErrorOptions) {
    super(`${dataDir} is in use by another process`, options);
    this.name = 'JournalInUse';
  }
}

/**
 * A commit failed. Nothing from `sequence` on may be acknowledged, and the process must end: after
 * a failed flush nobody knows what the disk holds until it is read again.
 */
export class JournalWriteFailed extends Error {
  readonly code = 'JOURNAL_WRITE_FAILED';
  readonly sequence: number;

  constructor(sequence: number, options?: ErrorOptions) {
    super(`committing sequence ${sequence} failed; nothing after it was acknowledged`, options);
    this.name = 'JournalWriteFailed';
    this.sequence = sequence;
  }
}

export type JournalError =
  | JournalCorrupt
  | JournalBehindMark
  | JournalMarkMissing
  | JournalFormatUnknown
  | JournalInUse
  | JournalWriteFailed;

export function isJournalError(error: unknown): error is JournalError {
  return (
    error instanceof JournalCorrupt ||
    error instanceof JournalBehindMark ||
    error instanceof JournalMarkMissing ||
    error instanceof JournalFormatUnknown ||
    error instanceof JournalInUse ||
    error instanceof JournalWriteFailed
  );
}
