import { describe, expect, it } from 'vitest';
import { Exposures } from '../../core/clearing/margin/exposures.ts';
import { FundingSchedule } from '../../core/clearing/margin/funding-schedule.ts';
import { Positions } from '../../core/clearing/margin/positions.ts';
import { StopOrderTable } from '../../core/clearing/margin/stop-order-table.ts';
import { StopOut } from '../../core/clearing/margin/stop-out.ts';
import { Valuation } from '../../core/clearing/margin/valuation.ts';
import { Rates } from '../../core/clearing/rates.ts';
import { MARGIN } from './margin-scenario.ts';
import { everyNth, type Method, nothing, replace, type Undo } from './sabotage.ts';
import { Simulation } from './simulation.ts';

/** What could be wrong with margin: each of these must be noticed within a few seeds. */
const SABOTAGE: readonly (readonly [string, () => Undo])[] = [
  [
    'forgets what an order reserves',
    () => replace(Exposures.prototype, 'pendingChanged', everyNth(40, nothing)),
  ],
  [
    'forgets what a position came to',
    () => replace(Exposures.prototype, 'changed', everyNth(40, nothing)),
  ],
  [
    'leaves an ended position among the rest',
    () => replace(Exposures.prototype, 'unlink', nothing),
  ],
  [
    'saves positions without the newest free slot',
    () =>
      replace(
        Positions.prototype,
        'save',
        (save) =>
          function (this: object) {
            const saved = save.call(this) as { freeSlots: Uint32Array };
            return { ...saved, freeSlots: saved.freeSlots.slice(1) };
          },
      ),
  ],
  ['loses a stop order', () => replace(StopOrderTable.prototype, 'add', everyNth(9, nothing))],
  ['looks at nobody when prices fall', () => replace(Valuation.prototype, 'changed', nothing)],
  ['stops nobody out', () => replace(StopOut.prototype, 'found', nothing)],
  [
    'settles at a rate of its own now and then',
    () =>
      replace(
        Rates.prototype,
        'ofQuote',
        everyNth(
          200,
          (ofQuote) =>
            function (this: object, ...parameters: unknown[]) {
              const rate = ofQuote.apply(this, parameters) as { numerator: bigint };
              return { ...rate, numerator: rate.numerator + 1n };
            },
        ),
      ),
  ],
  [
    'pays funding to one side only',
    () =>
      replace(
        FundingSchedule.prototype,
        'payments',
        (payments: Method) =>
          function (this: object, ...parameters: unknown[]) {
            const paid = payments.apply(this, parameters) as {
              positions: Uint8Array;
              amounts: Uint8Array;
            };
            if (paid.positions.length < 16) return paid;
            return { ...paid, positions: paid.positions.slice(8), amounts: paid.amounts.slice(8) };
          },
      ),
  ],
];

const SEEDS_MAX = 60;
/** The work is bounded by the seeds; a busy machine takes its time for them. */
const TIMEOUT_MS = 180_000;

/** The first complaint within so many seeds. */
function complaint(): string | undefined {
  for (let seed = 1; seed <= SEEDS_MAX; seed++) {
    try {
      new Simulation(seed, MARGIN).run();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return undefined;
}

describe('a simulation of margin accounts notices a venue that', { timeout: TIMEOUT_MS }, () => {
  it.each(SABOTAGE)('%s', (_, sabotage) => {
    const undo = sabotage();
    try {
      expect(complaint()).toBeDefined();
    } finally {
      undo();
    }
  });
});
