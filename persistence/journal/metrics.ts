/** What the journal thread counted since it started; times in microseconds. */
export interface JournalMetrics {
  readonly commits: number;
  readonly events: number;
  readonly bytes: number;
  readonly durableSequence: number;
  /** Commits by number of events: bucket n counts 2^n to 2^(n+1) - 1. */
  readonly batchSizes: readonly number[];
  readonly lastCommitMicroseconds: number;
  readonly longestCommitMicroseconds: number;
  readonly checkpoints: number;
  readonly checkpointMicroseconds: number;
  readonly longestCheckpointMicroseconds: number;
}
