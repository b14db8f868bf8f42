import { expect, it } from 'vitest';
import type { Calendar, SwapSettings } from '../../core/messages/configuration.ts';
import { over, plus } from '../model/margin/rational.ts';
import { nights, swapAmount, swapCost } from '../model/margin/swaps.ts';
import { CFD, HEDGER, MarginRig } from './support.ts';

const HOURS = [{ start: '00:00', end: '24:00' }];
const WEEKDAYS: Calendar = {
  timeZoneId: 'Europe/Berlin',
  tradingSessions: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map((dayOfWeek) => ({
    dayOfWeek,
    timeIntervals: HOURS,
  })),
  // Good Friday and Easter Monday
  sessionOverrides: ['2026-04-03', '2026-04-06'].map((date) => ({ date, timeIntervals: null })),
};
const SETTINGS: SwapSettings = {
  type: 'Percent',
  long: { size: 13_000, assetId: null },
  short: { size: -7_000, assetId: null },
};
const HOUR = 3_600_000;
const PAR = 10n ** 12n;

/**
 * From Wednesday, 25 March, over the night that loses an hour and over Easter. In Berlin a day ends at
 * 23:00 UTC until 28 March, and at 22:00 UTC from 29 March on. Of these dates those that charge:
 */
const CHARGED: readonly (readonly [date: string, endsAt: string, nights: number])[] = [
  ['2026-03-25', '2026-03-25T23:00:00Z', 1],
  ['2026-03-26', '2026-03-26T23:00:00Z', 1],
  ['2026-03-27', '2026-03-27T23:00:00Z', 3],
  ['2026-03-30', '2026-03-30T22:00:00Z', 1],
  ['2026-03-31', '2026-03-31T22:00:00Z', 1],
  ['2026-04-01', '2026-04-01T22:00:00Z', 1],
  // Until Tuesday, 7 April
  ['2026-04-02', '2026-04-02T22:00:00Z', 5],
  ['2026-04-07', '2026-04-07T22:00:00Z', 1],
];

it('swaps are charged at each end of the platform’s day, for every night that follows', () => {
  const rig = new MarginRig({
    now: Date.parse('2026-03-25T10:00:00Z'),
    timeZoneId: 'Europe/Berlin',
  });
  const { margin } = rig.rig.state.market(CFD).configuration;
  if (margin === undefined) throw new Error('no margin');
  rig.configure(CFD, { calendar: WEEKDAYS, margin: { ...margin, swaps: SETTINGS } });
  rig.deposit(HEDGER, 'usdt', '100000');
  rig.trade(HEDGER, CFD, 'Buy', 777, 6_000_000);
  rig.trade(HEDGER, CFD, 'Sell', 333, 6_010_000);
  rig.quote(CFD, 6_000_001, 6_000_100);
  const { terms } = rig.follower.venue.market(CFD);
  const until = Date.parse('2026-04-08T10:00:00Z');
  while (rig.rig.now < until) rig.tick(HOUR / 2);

  const charges = rig.rig.events.filter((event) => event.record === 'SwapsCharged');
  const told = charges.map(({ dueAt, nights: count }) => [dueAt, count]);
  expect(told).toEqual(CHARGED.map(([, endsAt, count]) => [Date.parse(endsAt), count]));
  const close = over(plus(6_000_001, 6_000_100), 2);
  CHARGED.forEach(([date, , count], at) => {
    expect(nights(WEEKDAYS, date)).toBe(count);
    const charge = charges[at];
    const ids = new Float64Array(charge?.positions.slice().buffer ?? new ArrayBuffer(0));
    const amounts = new BigInt64Array(charge?.amounts.slice().buffer ?? new ArrayBuffer(0));
    const due = [...ids].map((id) => {
      const position = rig.follower.positions.open.get(id);
      if (position === undefined) throw new Error(`no position ${id}`);
      const prices = { close, rate: PAR, sizeRate: PAR };
      return swapAmount(swapCost(terms, SETTINGS, position, count, prices));
    });
    expect([...amounts]).toEqual(due);
  });
  // A night costs the long 0.777 × 60000.505 × 0.00013 = 6.06065101…, six times 6.060652, then 18.181954
  // for three and 30.303256 for five; it brings the short 0.333 × 60000.505 × 0.00007 = 1.39861177…,
  // six times 1.398611, then 4.195835 and 6.993058.
  expect(rig.rig.balance(HEDGER, 'usdt')).toBe('99934.731437/0');
});
