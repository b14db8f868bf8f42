import { MarginTerms, type MarginTermsSnapshot } from './margin-terms.ts';

export interface MarketMarginSnapshot {
  readonly terms: MarginTermsSnapshot;
  readonly settlement: bigint;
  readonly lastRate: bigint;
  readonly indexPrice: number;
  readonly fundingRate: number;
  readonly fundingDueAt: number;
  readonly premiumSum: number;
  readonly premiumCount: number;
  readonly swapsDueAt: number;
}

/** What a Cfd or Perp market has beyond a Spot market; changed by events alone, but for `markPrice`. */
export class MarketMargin {
  readonly terms = new MarginTerms();
  /**
   * The other side of every profit, loss and funding payment of this market, root units: part of what
   * the root asset's ledgers sum to.
   */
  settlement = 0n;
  /** The rate of the last execution, root for quote in 10^-12; 0 before the first. */
  lastRate = 0n;
  /** An index price from outside, ticks; 0 for none. */
  indexPrice = 0;
  /** The last funding rate that was applied, in 10^-8, and when it was due; 0 before the first. */
  fundingRate = 0;
  fundingDueAt = 0;
  /** Premiums since then: Σ in 10^-8, and how many. */
  premiumSum = 0;
  premiumCount = 0;
  /** When the last end of day was due whose swaps were charged; 0 before the first. */
  swapsDueAt = 0;
  /** What positions of a Perp market are valued at, ticks; 0 for none. Follows from prices. */
  markPrice = 0;

  /** `slotCount`: slots ever used in the order table. */
  save(slotCount: number): MarketMarginSnapshot {
    return {
      terms: this.terms.save(slotCount),
      settlement: this.settlement,
      lastRate: this.lastRate,
      indexPrice: this.indexPrice,
      fundingRate: this.fundingRate,
      fundingDueAt: this.fundingDueAt,
      premiumSum: this.premiumSum,
      premiumCount: this.premiumCount,
      swapsDueAt: this.swapsDueAt,
    };
  }

  load(snapshot: MarketMarginSnapshot): void {
    this.terms.load(snapshot.terms);
    this.settlement = snapshot.settlement;
    this.lastRate = snapshot.lastRate;
    this.indexPrice = snapshot.indexPrice;
    this.fundingRate = snapshot.fundingRate;
    this.fundingDueAt = snapshot.fundingDueAt;
    this.premiumSum = snapshot.premiumSum;
    this.premiumCount = snapshot.premiumCount;
    this.swapsDueAt = snapshot.swapsDueAt;
  }
}
