import type { ClearingState } from '../../core/clearing/index.ts';
import { Valuation } from '../../core/clearing/margin/valuation.ts';
import { median } from '../core/median.ts';
import { ENTRY, filledState, type MarginSize, START } from './venue.ts';

export interface RevaluationCost extends MarginSize {
  readonly positions: number;
  readonly nsPerPosition: number;
  readonly nsPerAccount: number;
  /** The longest step, ms: for so long nothing else happens. */
  readonly longestStepMs: number;
  /** Nanoseconds an account where a price leaves all of them below stop-out. */
  readonly nsPerFound: number;
}

/** How many accounts are looked at in all, at least; and how many rounds, at least. */
const VISITS = 400_000;
const ROUNDS_MIN = 15;
/** Ticks that the price moves by, up and down, without anybody coming near to stop-out. */
const MOVE = 50_000;
const STEPS_MAX = 1_000_000;

/** One price after the other, and last one that leaves every account below stop-out. */
export function revaluationCost(size: MarginSize): RevaluationCost {
  const state = filledState(size);
  let found = 0;
  const valuation = new Valuation(state, () => {
    found++;
  });
  const positions = size.accounts * size.positionsEach;
  const costs: number[] = [];
  let longest = 0;
  const rounds = Math.max(ROUNDS_MIN, Math.ceil(VISITS / size.accounts));
  for (let round = 0; round < rounds; round++) {
    const sweep = revalue(state, valuation, ENTRY + (round % 2 === 0 ? MOVE : -MOVE), round);
    if (found > 0) throw new Error(`${found} accounts are below stop-out at a fair price`);
    if (round < rounds / 4) continue;
    costs.push(sweep.nanoseconds);
    longest = Math.max(longest, sweep.longestStepMs);
  }
  // At two thirds less everybody’s loss is beyond what backs it.
  const crash = revalue(state, valuation, Math.round(ENTRY / 3), rounds);
  if (found < size.accounts)
    throw new Error(`${found} of ${size.accounts} are found below stop-out`);
  const nanoseconds = median(costs);
  return {
    ...size,
    positions,
    nsPerPosition: nanoseconds / positions,
    nsPerAccount: nanoseconds / size.accounts,
    longestStepMs: longest,
    nsPerFound: crash.nanoseconds / found,
  };
}

function revalue(state: ClearingState, valuation: Valuation, price: number, round: number) {
  const market = state.market(0);
  market.bestBid = price;
  market.bestAsk = price + 1;
  let longestStepMs = 0;
  const started = performance.now();
  valuation.changed(0);
  valuation.start(START + 1_000 * round);
  let more = true;
  for (let step = 0; more && step < STEPS_MAX; step++) {
    const before = performance.now();
    more = valuation.work();
    longestStepMs = Math.max(longestStepMs, performance.now() - before);
  }
  return { nanoseconds: (performance.now() - started) * 1e6, longestStepMs };
}
