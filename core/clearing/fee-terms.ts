import type { FeeTerms } from './charges.ts';
import { grown } from './columns.ts';

/** The terms as they were interned; `counts` is 0 in a free place. */
export interface FeeTermsSnapshot {
  readonly rates: Float64Array;
  readonly makerRates: Float64Array;
  readonly minimums: BigInt64Array;
  readonly counts: Uint32Array;
  readonly freePlaces: Uint32Array;
}

/**
 * The distinct commission terms of the open orders of one market. Thousands of orders share the same
 * ones, so an order keeps only their place: four bytes, and no bigint is made again when it trades.
 * Which place new terms get follows from the events alone.
 */
export class FeeTermsTable {
  private terms: FeeTerms[] = [];
  /** How many orders are under each. */
  private counts = new Uint32Array(16);
  private freePlaces: number[] = [];
  private readonly places = new Map<string, number>();
  /** Orders come in runs under the same terms: those of the last one are nearly always the right ones. */
  private lastPlace = -1;

  /** The place of these terms, for one more order. Rates in 10^-8, the minimum in units. */
  take(rate: number, makerRate: number, minimum: bigint): number {
    const place = this.isLast(rate, makerRate, minimum)
      ? this.lastPlace
      : this.find(rate, makerRate, minimum);
    this.counts[place] = (this.counts[place] as number) + 1;
    return place;
  }

  at(place: number): FeeTerms {
    return this.terms[place] as FeeTerms;
  }

  /** One order fewer is under these terms; without any they are forgotten. */
  release(place: number): void {
    const left = (this.counts[place] as number) - 1;
    this.counts[place] = left;
    if (left > 0) return;
    this.places.delete(keyOf(this.at(place)));
    this.freePlaces.push(place);
    if (place === this.lastPlace) this.lastPlace = -1;
  }

  save(): FeeTermsSnapshot {
    return {
      rates: Float64Array.from(this.terms, ({ rate }) => Number(rate)),
      makerRates: Float64Array.from(this.terms, ({ makerRate }) => Number(makerRate)),
      minimums: BigInt64Array.from(this.terms, ({ minimum }) => minimum),
      counts: this.counts.slice(0, this.terms.length),
      freePlaces: Uint32Array.from(this.freePlaces),
    };
  }

  load(snapshot: FeeTermsSnapshot): void {
    this.terms = Array.from(snapshot.minimums, (minimum, place) => ({
      rate: BigInt(snapshot.rates[place] as number),
      makerRate: BigInt(snapshot.makerRates[place] as number),
      minimum,
    }));
    this.counts = snapshot.counts.slice();
    this.freePlaces = [...snapshot.freePlaces];
    this.lastPlace = -1;
    this.places.clear();
    this.terms.forEach((terms, place) => {
      if ((this.counts[place] as number) > 0) this.places.set(keyOf(terms), place);
    });
  }

  private isLast(rate: number, makerRate: number, minimum: bigint): boolean {
    const last = this.terms[this.lastPlace];
    return (
      last !== undefined &&
      Number(last.rate) === rate &&
      Number(last.makerRate) === makerRate &&
      last.minimum === minimum
    );
  }

  private find(rate: number, makerRate: number, minimum: bigint): number {
    const terms = { rate: BigInt(rate), makerRate: BigInt(makerRate), minimum };
    const key = keyOf(terms);
    const place = this.places.get(key) ?? this.add(key, terms);
    this.lastPlace = place;
    return place;
  }

  private add(key: string, terms: FeeTerms): number {
    const place = this.freePlaces.pop() ?? this.terms.length;
    this.counts = grown(this.counts, place);
    this.terms[place] = terms;
    this.places.set(key, place);
    return place;
  }
}

function keyOf({ rate, makerRate, minimum }: FeeTerms): string {
  return `${rate} ${makerRate} ${minimum}`;
}
