import type { Refused } from '../http/refused.ts';

/** What clearing answered: the record of its kind, or a refusal. */
export type Resolve<T> = (answer: T | Refused) => void;

/**
 * Requests that wait for clearing, by ticket. Bounded: when every place is taken no further command
 * may be sent, so that no queue behind this one can grow beyond it.
 */
export class PendingRequests {
  private readonly waiting: (Resolve<never> | undefined)[];
  private readonly mask: number;
  private nextTicket = 1;
  count = 0;

  /** `capacity` is a power of two. */
  constructor(capacity: number) {
    this.waiting = new Array(capacity).fill(undefined);
    this.mask = capacity - 1;
  }

  /** A ticket for the request, or 0 where no place is free. */
  add<T>(resolve: Resolve<T>): number {
    const ticket = this.nextTicket;
    const place = ticket & this.mask;
    // A slow request may still hold the place; the ones after it are most likely free.
    if (this.count > this.mask || this.waiting[place] !== undefined)
      return this.addElsewhere(resolve);
    this.nextTicket++;
    this.waiting[place] = resolve as Resolve<never>;
    this.count++;
    return ticket;
  }

  /** Who waits with this ticket; the place is free again. */
  take<T>(ticket: number): Resolve<T> | undefined {
    const place = ticket & this.mask;
    const resolve = this.waiting[place];
    if (resolve === undefined) return undefined;
    this.waiting[place] = undefined;
    this.count--;
    return resolve as Resolve<T>;
  }

  private addElsewhere<T>(resolve: Resolve<T>): number {
    if (this.count > this.mask) return 0;
    while (this.waiting[this.nextTicket & this.mask] !== undefined) this.nextTicket++;
    return this.add(resolve);
  }
}
