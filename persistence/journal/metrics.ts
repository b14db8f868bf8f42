/** What the journal thread counted since it started; times in microseconds. */
export interface JournalMetrics {
  readonly commits: number;
  readonly events: number;
  readonly bytes: number;
  readonly durableSequence: number;
  /** Commits by number of events: bucket n counts 2^n to 2^(n+1) - 1. */
  readonly batchSizes: readonly number[];
  readonly commitMicroseconds: number;
  readonly longestCommitMicroseconds: number;
  readonly checkpoints: number;
  readonly checkpointMicroseconds: number;
  readonly longestCheckpointMicroseconds: number;
}

const BUCKETS = 24;

/** Counts commits and checkpoints; cheap enough for every commit. */
export class MetricsCounter {
  private commits = 0;
  private events = 0;
  private bytes = 0;
  private durableSequence = 0;
  private readonly batchSizes = new Array<number>(BUCKETS).fill(0);
  private commitMicroseconds = 0;
  private longestCommitMicroseconds = 0;
  private checkpoints = 0;
  private checkpointMicroseconds = 0;
  private longestCheckpointMicroseconds = 0;

  committed(durableSequence: number, bytes: number, microseconds: number): void {
    const events = durableSequence - this.durableSequence;
    this.durableSequence = durableSequence;
    this.commits++;
    this.events += events;
    this.bytes += bytes;
    const bucket = Math.min(BUCKETS - 1, 31 - Math.clz32(events));
    this.batchSizes[bucket] = (this.batchSizes[bucket] ?? 0) + 1;
    this.commitMicroseconds += microseconds;
    this.longestCommitMicroseconds = Math.max(this.longestCommitMicroseconds, microseconds);
  }

  /** The end of what was recovered: where counting starts. */
  recovered(durableSequence: number): void {
    this.durableSequence = durableSequence;
  }

  checkpointed(microseconds: number): void {
    this.checkpoints++;
    this.checkpointMicroseconds += microseconds;
    this.longestCheckpointMicroseconds = Math.max(this.longestCheckpointMicroseconds, microseconds);
  }

  read(): JournalMetrics {
    return {
      commits: this.commits,
      events: this.events,
      bytes: this.bytes,
      durableSequence: this.durableSequence,
      batchSizes: [...this.batchSizes],
      commitMicroseconds: this.commitMicroseconds,
      longestCommitMicroseconds: this.longestCommitMicroseconds,
      checkpoints: this.checkpoints,
      checkpointMicroseconds: this.checkpointMicroseconds,
      longestCheckpointMicroseconds: this.longestCheckpointMicroseconds,
    };
  }
}
