/**
 * Reads that are the same for everyone: those who ask for the same while it is under way share one
 * answer. A key must name all that the answer depends on.
 */
export class SharedReads<T> {
  private readonly underWay = new Map<string, Promise<T>>();

  read(key: string, start: () => Promise<T>): Promise<T> {
    const shared = this.underWay.get(key);
    if (shared !== undefined) return shared;
    const reading = start().finally(() => this.underWay.delete(key));
    this.underWay.set(key, reading);
    return reading;
  }
}
