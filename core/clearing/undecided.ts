const NOBODY: readonly number[] = [];

/**
 * Post-only orders that their book has neither taken nor refused yet, with the tickets of those who
 * asked for the same order again meanwhile: all get the same answer.
 */
export class Undecided {
  private readonly askers = new Map<number, number[]>();

  submitted(orderId: number): void {
    this.askers.set(orderId, []);
  }

  /** Whether the answer has to wait; `decided` then tells who waits. */
  ask(orderId: number, ticket: number): boolean {
    const askers = this.askers.get(orderId);
    askers?.push(ticket);
    return askers !== undefined;
  }

  decided(orderId: number): readonly number[] {
    if (this.askers.size === 0) return NOBODY;
    const askers = this.askers.get(orderId) ?? NOBODY;
    this.askers.delete(orderId);
    return askers;
  }
}
