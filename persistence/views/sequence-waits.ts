/** What waits for one sequence, and when it gives up. */
interface Group<T> {
  readonly waiting: T[];
  readonly timer: NodeJS.Timeout;
}

/** Waits until the views have reached a sequence; those that wait for the same one share a timer. */
export class SequenceWaits<T> {
  private readonly groups = new Map<number, Group<T>>();
  private readonly waitMax: number;
  private readonly giveUp: (waiting: T) => void;

  /** `waitMax` in ms; whatever waits for longer goes to `giveUp`. */
  constructor(waitMax: number, giveUp: (waiting: T) => void) {
    this.waitMax = waitMax;
    this.giveUp = giveUp;
  }

  add(sequence: number, waiting: T): void {
    const group = this.groups.get(sequence);
    if (group !== undefined) {
      group.waiting.push(waiting);
      return;
    }
    const timer = setTimeout(() => this.abandon(sequence), this.waitMax);
    this.groups.set(sequence, { waiting: [waiting], timer });
  }

  /** Everything that waited for `sequence` or one before it. */
  takeUpTo(sequence: number): T[] {
    const ready: T[] = [];
    for (const [wanted, group] of this.groups) {
      if (wanted > sequence) continue;
      clearTimeout(group.timer);
      this.groups.delete(wanted);
      ready.push(...group.waiting);
    }
    return ready;
  }

  abandonAll(): void {
    for (const sequence of [...this.groups.keys()]) this.abandon(sequence);
  }

  private abandon(sequence: number): void {
    const group = this.groups.get(sequence);
    if (group === undefined) return;
    clearTimeout(group.timer);
    this.groups.delete(sequence);
    for (const waiting of group.waiting) this.giveUp(waiting);
  }
}
