import { divide } from '../../fixed-point/index.ts';

/** Prices inside this folder that may fall between two ticks count in 10^-6 ticks. */
export const FINE = 1_000_000n;
/** Seconds of the moving average: one sample a second. */
const WINDOW = 30;
const RATE_UNIT = 100_000_000n;

/** How far the middle of the book has stood off the index: the average of the last 30 samples. */
export class BasisAverage {
  private readonly samples: bigint[] = [];
  private next = 0;
  private sum = 0n;

  /** Fine ticks, negative below the index. */
  sample(basis: bigint): void {
    this.sum += basis - (this.samples[this.next] ?? 0n);
    this.samples[this.next] = basis;
    this.next = (this.next + 1) % WINDOW;
  }

  /** Fine ticks, rounded half away from zero; undefined before the first sample. */
  get value(): bigint | undefined {
    const { length } = this.samples;
    return length === 0 ? undefined : divide(this.sum, BigInt(length), 'half-up');
  }
}

/** What a mark price is made of; prices in fine ticks, undefined where there is none. */
export interface MarkInputs {
  readonly index: bigint | undefined;
  /** The rate of the last settlement in 10^-8. */
  readonly lastFundingRate: number;
  /** What is left of the running funding interval, and all of it, in the same unit. */
  readonly timeToFunding: number;
  readonly interval: number;
  readonly basisAverage: bigint | undefined;
  readonly last: bigint | undefined;
}

/**
 * The mark price in ticks, half up: the median of the index with the funding that is still to come, of
 * the index with the average basis, and of the last trade. Of two inputs it is the middle; 0 without
 * any.
 */
export function markPrice(inputs: MarkInputs): number {
  const { index, basisAverage, last } = inputs;
  const prices: bigint[] = [];
  if (index !== undefined) prices.push(withFunding(index, inputs));
  if (index !== undefined && basisAverage !== undefined) prices.push(index + basisAverage);
  if (last !== undefined) prices.push(last);
  const fine = median(prices);
  const ticks = Number(divide(fine, FINE, 'half-up'));
  return Math.max(0, ticks);
}

function withFunding(index: bigint, inputs: MarkInputs): bigint {
  const interval = BigInt(inputs.interval);
  const share = BigInt(inputs.lastFundingRate) * BigInt(inputs.timeToFunding);
  return index + divide(index * share, RATE_UNIT * interval, 'half-up');
}

function median(prices: bigint[]): bigint {
  prices.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [first = 0n, second = first, third] = prices;
  return third === undefined ? divide(first + second, 2n, 'half-up') : second;
}
