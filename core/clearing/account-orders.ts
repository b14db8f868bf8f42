import { grown } from './columns.ts';

/**
 * Which open orders of one market are of which account: a list for each account, linked through the
 * slots, so that what concerns one account costs what that account has. Follows from the orders; no
 * snapshot holds it.
 */
export class AccountOrders {
  /** The first slot of each account's list, of each slot the next and the one before; plus 1, 0 for none. */
  private firsts = new Uint32Array(64);
  private nexts = new Uint32Array(64);
  private befores = new Uint32Array(64);

  add(account: number, slot: number): void {
    this.firsts = grown(this.firsts, account);
    this.nexts = grown(this.nexts, slot);
    this.befores = grown(this.befores, slot);
    const next = this.firsts[account] as number;
    this.firsts[account] = slot + 1;
    this.nexts[slot] = next;
    this.befores[slot] = 0;
    if (next !== 0) this.befores[next - 1] = slot + 1;
  }

  remove(account: number, slot: number): void {
    const next = this.nexts[slot] as number;
    const before = this.befores[slot] as number;
    if (before === 0) this.firsts[account] = next;
    else this.nexts[before - 1] = next;
    if (next !== 0) this.befores[next - 1] = before;
  }

  /** The slots of the account's orders, in no order that means anything. */
  slotsOf(account: number): number[] {
    const slots: number[] = [];
    if (account >= this.firsts.length) return slots;
    for (
      let slot = this.firsts[account] as number;
      slot !== 0;
      slot = this.nexts[slot - 1] as number
    ) {
      slots.push(slot - 1);
    }
    return slots;
  }
}
