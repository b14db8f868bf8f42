import { dayNumber, nextMidnight } from '../market/sessions.ts';
import type { Recorder } from './recorder.ts';
import type { ClearingState } from './state.ts';

/**
 * Ends the days of the platform, for what follows traded volumes: what was traded on a day counts from
 * its end on. Days that ended while the venue was down end when it is taken up; nothing was traded on
 * any but the first of them.
 */
export class CommissionDays {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly timeZoneId: string;
  private endsAt = Number.POSITIVE_INFINITY;

  constructor(state: ClearingState, recorder: Recorder, timeZoneId: string) {
    this.state = state;
    this.recorder = recorder;
    this.timeZoneId = timeZoneId;
  }

  /** Goes on from the day of the last event; call it before any other event is recorded. */
  resume(now: number): void {
    const { sequence, time } = this.state;
    this.endsAt = nextMidnight(sequence === 0 ? now : time, this.timeZoneId);
    this.arrive(now);
  }

  /** The end of the day that the venue's time is in. */
  get lastMoment(): number {
    return this.endsAt - 1;
  }

  arrive(now: number): void {
    if (now < this.endsAt) return;
    const lastMoment = this.endsAt - 1;
    this.endsAt = nextMidnight(now, this.timeZoneId);
    const { volumes } = this.state.commissions;
    if (volumes.isEmpty) return;
    this.recorder.cold(now, {
      type: 'TradingDayEnded',
      day: dayNumber(lastMoment, this.timeZoneId),
      next: dayNumber(now, this.timeZoneId),
      rates: volumes.assetsOfToday.flatMap((asset) => {
        const rate = this.state.rates.fixed(asset)?.rate;
        return rate === undefined ? [] : [{ asset, rate }];
      }),
    });
  }
}
