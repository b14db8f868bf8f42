import { parseArgs } from 'node:util';
import { MARGIN } from './margin-scenario.ts';
import { type Scenario, SPOT } from './scenario.ts';
import { type Outcome, Simulation } from './simulation.ts';

/**
 * `npm run simulate -- --seeds N [--seed S] [--margin]`: N simulations, from seed S on (a random one
 * where it is not given), of Spot trading or of margin accounts. Exits with 1 at the first that fails, and says how to repeat it.
 */
const REPORT_EVERY_MS = 10_000;

function numberOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value)) throw new RangeError(`${text} is not a whole number`);
  return value;
}

interface Totals {
  seeds: number;
  steps: number;
  crashes: number;
  events: number;
  answers: number;
}

function add(totals: Totals, outcome: Outcome): void {
  totals.seeds++;
  totals.steps += outcome.steps;
  totals.crashes += outcome.crashes;
  totals.events += outcome.events;
  totals.answers += outcome.answers;
}

function describe({ seeds, steps, crashes, events, answers }: Totals, started: number): string {
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  return `${seeds} seeds, ${steps} steps, ${crashes} crashes, ${events} events, ${answers} answers in ${seconds} s`;
}

function runAll(first: number, count: number, scenario: Scenario): boolean {
  const totals: Totals = { seeds: 0, steps: 0, crashes: 0, events: 0, answers: 0 };
  const started = performance.now();
  let reportDue = started + REPORT_EVERY_MS;
  for (let seed = first; seed < first + count; seed++) {
    try {
      add(totals, new Simulation(seed, scenario).run());
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      const which = scenario === MARGIN ? ' --margin' : '';
      process.stderr.write(`npm run simulate -- --seeds 1 --seed ${seed}${which} repeats this\n`);
      return false;
    }
    if (performance.now() < reportDue) continue;
    reportDue = performance.now() + REPORT_EVERY_MS;
    process.stdout.write(`${describe(totals, started)}\n`);
  }
  process.stdout.write(`passed: ${describe(totals, started)}, from seed ${first}\n`);
  return true;
}

const { values } = parseArgs({
  options: { seeds: { type: 'string' }, seed: { type: 'string' }, margin: { type: 'boolean' } },
});
const first = numberOf(values.seed, Math.floor(Math.random() * 2 ** 30));
const scenario = values.margin === true ? MARGIN : SPOT;
process.exitCode = runAll(first, numberOf(values.seeds, 200), scenario) ? 0 : 1;
