import { endOfDay } from '../../../core/market/index.ts';
import type { TimeInForceName } from '../../../core/messages/enums.ts';

const DAY = 86_400_000;

/** When orders end by themselves. */
export class OrderExpiry {
  private readonly timeZone: string;
  /** The end of the platform's day, as long as it lasts. */
  private dayEnd = 0;

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  /** UTC milliseconds; 0 for never, and for a Gtd order without the date that it needs. */
  of(
    order: { readonly timeInForce: TimeInForceName; readonly cancellationDate?: number | null },
    now: number,
  ): number {
    if (order.timeInForce === 'Gtd') return order.cancellationDate ?? 0;
    if (order.timeInForce !== 'Day') return 0;
    if (now > this.dayEnd || now < this.dayEnd - DAY) this.dayEnd = endOfDay(now, this.timeZone);
    return this.dayEnd;
  }
}
