/** The seed of this run: SEED from the environment, or a new one. Printed, so that a failure can be repeated. */
export function seedOf(test: string): number {
  const given = process.env['SEED'];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  process.stdout.write(`${test}: SEED=${seed}\n`);
  return seed;
}

/** A repeatable source of numbers (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.between(0, values.length - 1)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }
}
