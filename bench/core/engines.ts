import { OrderBook as HftOrderBook } from 'hft-limit-order-book';
import { OrderBook as NodeOrderBook } from 'nodejs-order-book';
import { median } from './median.ts';
import { ReplayVenue } from './replay-venue.ts';
import { Operation, RECORD, type Workload } from './workload-file.ts';

/** The part of the npm engines that a workload needs; both have it. */
interface Engine {
  limit(order: unknown): { readonly quantityLeft: number };
  market(order: unknown): { readonly quantityLeft: number };
  cancel(id: string): unknown;
}

export interface EngineSpeed {
  readonly engine: string;
  readonly opsPerSecond: number;
  readonly fillQuantity: number;
}

const ROUNDS = 3;

/** Ours and the npm engines on the same workload, in turn; what they traded must be the same. */
export function engineSpeeds(workload: Workload): EngineSpeed[] {
  const contestants: readonly [string, (workload: Workload) => Run][] = [
    ['matchbox', runOurs],
    ['hft-limit-order-book', (flow) => runEngine(new HftOrderBook() as unknown as Engine, flow)],
    ['nodejs-order-book', (flow) => runEngine(new NodeOrderBook() as unknown as Engine, flow)],
  ];
  const runs = contestants.map(() => [] as Run[]);
  for (let round = 0; round < ROUNDS; round++) {
    contestants.forEach(([, run], index) => {
      runs[index]?.push(run(workload));
    });
  }
  return contestants.map(([engine], index) => {
    const own = runs[index] ?? [];
    const seconds = median(own.map((run) => run.seconds));
    return {
      engine,
      opsPerSecond: Math.round(workload.commandCount / seconds),
      fillQuantity: own[0]?.fillQuantity ?? 0,
    };
  });
}

interface Run {
  readonly seconds: number;
  readonly fillQuantity: number;
}

function runOurs(workload: Workload): Run {
  const venue = new ReplayVenue(workload);
  venue.run(workload.words, 0, workload.prefillCount);
  const started = performance.now();
  venue.run(workload.words, workload.prefillCount, workload.prefillCount + workload.commandCount);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, fillQuantity: venue.checksums.fillQuantity };
}

function runEngine(engine: Engine, workload: Workload): Run {
  let fillQuantity = applyTo(engine, workload.words, 0, workload.prefillCount);
  const started = performance.now();
  const end = workload.prefillCount + workload.commandCount;
  fillQuantity += applyTo(engine, workload.words, workload.prefillCount, end);
  return { seconds: (performance.now() - started) / 1000, fillQuantity };
}

/** Returns what traded. */
function applyTo(engine: Engine, words: Int32Array, from: number, to: number): number {
  let traded = 0;
  for (let record = from; record < to; record++) {
    const at = record * RECORD.WORDS;
    const head = words[at] ?? 0;
    const operation = head & 0xff;
    const side = ((head >>> 8) & 1) === 0 ? 'buy' : 'sell';
    const size = words[at + RECORD.QUANTITY] ?? 0;
    const price = words[at + RECORD.PRICE] ?? 0;
    const id = String(words[at + RECORD.ORDER_ID]);
    if (operation === Operation.Cancel) engine.cancel(id);
    else if (operation === Operation.Market) {
      traded += size - engine.market({ side, size }).quantityLeft;
    } else {
      const timeInForce = operation === Operation.Ioc ? 'IOC' : 'GTC';
      traded += size - engine.limit({ id, side, size, price, timeInForce }).quantityLeft;
    }
  }
  return traded;
}
