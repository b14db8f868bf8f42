/**
 * Funds promised to amends that are on their way to the book and back. They are not part of the
 * state: no event has happened yet, and after a crash the amend has not either.
 */
export class Reservations {
  private readonly byOrder = new Map<number, { entry: number; amount: bigint }>();
  private readonly byEntry = new Map<number, bigint>();

  reserve(orderId: number, entry: number, amount: bigint): void {
    this.byOrder.set(orderId, { entry, amount });
    this.byEntry.set(entry, this.on(entry) + amount);
  }

  release(orderId: number): void {
    const reserved = this.byOrder.get(orderId);
    if (reserved === undefined) return;
    this.byOrder.delete(orderId);
    const left = this.on(reserved.entry) - reserved.amount;
    if (left === 0n) this.byEntry.delete(reserved.entry);
    else this.byEntry.set(reserved.entry, left);
  }

  /** What is reserved on a ledger entry. */
  on(entry: number): bigint {
    if (this.byEntry.size === 0) return 0n;
    return this.byEntry.get(entry) ?? 0n;
  }
}
