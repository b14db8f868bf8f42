import { powerOfTen } from '../../core/fixed-point/index.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Prices of assets are in 10^-8 of the root asset. */
const WALK_SCALE = 8;
const MILLION = 1_000_000n;
/** The largest step, in 10^-6 of the price. */
const STEP_MAX_PPM = 250;
/** Each step gives back this share of the way from the anchor: the walk stays in sight of it. */
const PULL_DIVISOR = 2000n;
/** However long it walks: two prices of one asset are never 10 % apart, which a collar may forbid. */
const RANGE_DIVISOR = 25n;

/** What an asset is worth when the walk begins, in 10^-8 of the root asset. */
const ANCHORS: Readonly<Record<string, bigint>> = {
  btc: 60_000n * 100_000_000n,
  eth: 3_000n * 100_000_000n,
  eur: 108_000_000n,
  xau: 4_000n * 100_000_000n,
};

/**
 * One random walk an asset, measured in the root asset. Every market's price follows from its two
 * assets, so that no round through three markets earns anything.
 */
export class PriceWalk {
  readonly #random: SeededRandom;
  readonly #anchors: ReadonlyMap<string, bigint>;
  readonly #prices: Map<string, bigint>;

  constructor(random: SeededRandom, rootAssetId: string) {
    this.#random = random;
    this.#anchors = new Map(Object.entries(ANCHORS));
    this.#prices = new Map([...this.#anchors, [rootAssetId, powerOfTen(WALK_SCALE)]]);
  }

  /** One step of every asset; the root asset stands still. */
  advance(): void {
    for (const [asset, anchor] of this.#anchors) {
      const price = this.#prices.get(asset) ?? anchor;
      const stepPpm = BigInt(this.#random.below(2 * STEP_MAX_PPM + 1) - STEP_MAX_PPM);
      const moved = price + (price * stepPpm) / MILLION - (price - anchor) / PULL_DIVISOR;
      const range = anchor / RANGE_DIVISOR;
      this.#prices.set(asset, clamp(moved, anchor - range, anchor + range));
    }
  }

  /** In 10^-8 of the root asset; undefined where the walk does not know the asset. */
  priceOf(assetId: string): bigint | undefined {
    return this.#prices.get(assetId);
  }

  /** The amount of an asset, in 10^-scale, that is worth so many whole units of the root asset. */
  amountWorth(assetId: string, rootUnits: bigint, scale: number): bigint | undefined {
    const price = this.priceOf(assetId);
    if (price === undefined) return undefined;
    return (rootUnits * powerOfTen(WALK_SCALE) * powerOfTen(scale)) / price;
  }

  /** A market's price in ticks of 10^-priceScale; undefined where it does not know both assets. */
  midTicks(baseAssetId: string, quoteAssetId: string, priceScale: number): bigint | undefined {
    const base = this.priceOf(baseAssetId);
    const quote = this.priceOf(quoteAssetId);
    if (base === undefined || quote === undefined) return undefined;
    return (base * powerOfTen(priceScale)) / quote;
  }
}

function clamp(value: bigint, low: bigint, high: bigint): bigint {
  if (value < low) return low;
  return value > high ? high : value;
}
