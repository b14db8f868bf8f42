import { cpus } from 'node:os';
import { type CrashCost, crashCost } from './margin/crash.ts';
import { paymentCost } from './margin/payments.ts';
import { type RevaluationCost, revaluationCost } from './margin/revaluation.ts';

/**
 * `npm run bench:margin`: what a price costs that revalues open positions and finds whom it leaves
 * below stop-out; what a settlement of funding costs; and a crash that stops out everybody at once.
 */
const SIZES = [
  { accounts: 100, positionsEach: 10, untouched: 0 },
  { accounts: 10_000, positionsEach: 10, untouched: 0 },
  { accounts: 10_000, positionsEach: 10, untouched: 50_000 },
  { accounts: 10_000, positionsEach: 1, untouched: 0 },
  { accounts: 100_000, positionsEach: 10, untouched: 0 },
];

const CRASHES = [
  { accounts: 10_000, positionsEach: 1 },
  { accounts: 10_000, positionsEach: 10 },
];

const PAYMENTS = [
  { accounts: 1_000, positionsEach: 10 },
  { accounts: 10_000, positionsEach: 10 },
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

function crashRowOf(crash: CrashCost) {
  return {
    accounts: crash.accounts,
    positions: crash.positions,
    ms: round(crash.milliseconds, 0),
    'longest turn, ms': round(crash.longestTurnMs),
    'its processor time, ms': round(crash.longestTurnCpuMs),
    'longest batch of the book, ms': round(crash.longestBatchMs),
    'orders of others': crash.ordersOfOthers,
    'longest wait of one, ms': round(crash.longestWaitMs),
  };
}

const revaluations = SIZES.map(revaluationCost);
console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}\n`);
console.log('a price: every position of the market revalued');
console.table(revaluations.map(rowOf));

const payments = PAYMENTS.map(({ accounts, positionsEach }) =>
  paymentCost(accounts, positionsEach),
);
console.log('a settlement of funding: every position of the market paid, in one step');
console.table(
  payments.map(({ positions, milliseconds }) => ({ positions, ms: round(milliseconds) })),
);

const crashes = CRASHES.map(({ accounts, positionsEach }) => crashCost(accounts, positionsEach));
console.log('a crash that stops out everybody, while others trade in another market');
console.table(crashes.map(crashRowOf));

const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version };
const units = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
console.log(JSON.stringify({ bench: 'margin', machine, revaluations, payments, crashes }, units));
