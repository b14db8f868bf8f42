import { cpus } from 'node:os';
import { type RevaluationCost, revaluationCost } from './margin/revaluation.ts';

/**
 * `npm run bench:margin`: what a price costs that revalues open positions and finds whom it leaves
 * below stop-out.
 */
const SIZES = [
  { accounts: 100, positionsEach: 10, untouched: 0 },
  { accounts: 10_000, positionsEach: 10, untouched: 0 },
  { accounts: 10_000, positionsEach: 10, untouched: 50_000 },
  { accounts: 10_000, positionsEach: 1, untouched: 0 },
  { accounts: 100_000, positionsEach: 10, untouched: 0 },
];

const round = (value: number, digits = 1): number =>
  Math.round(value * 10 ** digits) / 10 ** digits;

function rowOf(cost: RevaluationCost) {
  return {
    positions: cost.positions,
    accounts: cost.accounts,
    'untouched accounts': cost.untouched,
    'ns a position': round(cost.nsPerPosition),
    'ns an account': round(cost.nsPerAccount),
    'ns an account found': round(cost.nsPerFound),
    'longest step, ms': round(cost.longestStepMs, 2),
  };
}

const revaluations = SIZES.map(revaluationCost);
console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}\n`);
console.log('a price: every position of the market revalued');
console.table(revaluations.map(rowOf));
const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version };
console.log(JSON.stringify({ bench: 'margin', machine, revaluations }));
