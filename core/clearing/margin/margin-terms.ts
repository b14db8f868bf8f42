import { divide } from '../../fixed-point/index.ts';
import { grown } from '../columns.ts';

export interface MarginTermsSnapshot {
  readonly leverages: Uint16Array;
  readonly stopLosses: Float64Array;
  readonly takeProfits: Float64Array;
  readonly trailings: Uint8Array;
  readonly reasons: Uint8Array;
  readonly positionIds: Float64Array;
  readonly openedPositionIds: Float64Array;
  readonly feesPerLot: BigInt64Array;
  readonly accrued: BigInt64Array;
  readonly margins: BigInt64Array;
}

/** What an order on margin has beyond a Spot order. */
export interface MarginOrderTerms {
  readonly leverage: number;
  readonly stopLoss: number;
  readonly takeProfit: number;
  readonly isTrailing: number;
  readonly reason: number;
  readonly positionId: number;
  readonly feePerLot: bigint;
  readonly margin: bigint;
}

/** What an amend makes of an order. */
export interface AmendedOrder {
  readonly margin: bigint;
  readonly quantity: number;
  readonly remaining: number;
}

/**
 * Columns beside the order table of a market on margin, by the same slots. There the table's `holds`
 * are the margin that the rest of an order would need if all of it opened (quote units), and
 * `commissions` and the minimum of its commission terms are root units.
 */
export class MarginTerms {
  /** 1 to 10000: never 0, the order took the most that there was. */
  leverages = new Uint16Array(64);
  /** For the position that it opens, ticks; 0 for none. */
  stopLosses = new Float64Array(64);
  takeProfits = new Float64Array(64);
  trailings = new Uint8Array(64);
  reasons = new Uint8Array(64);
  /** The position that it closes; 0 for none. */
  positionIds = new Float64Array(64);
  /** The position that its fills have opened or added to; 0 before the first. */
  openedPositionIds = new Float64Array(64);
  /** Root units a lot. */
  feesPerLot = new BigInt64Array(64);
  /** What its fills have come to in commission before any minimum, root units. */
  accrued = new BigInt64Array(64);
  /** What the whole order would need if all of it opened, quote units; what remains has its share. */
  margins = new BigInt64Array(64);

  set(slot: number, terms: MarginOrderTerms): void {
    if (slot >= this.leverages.length) this.grow(slot);
    this.leverages[slot] = terms.leverage;
    this.stopLosses[slot] = terms.stopLoss;
    this.takeProfits[slot] = terms.takeProfit;
    this.trailings[slot] = terms.isTrailing;
    this.reasons[slot] = terms.reason;
    this.positionIds[slot] = terms.positionId;
    this.openedPositionIds[slot] = 0;
    this.feesPerLot[slot] = terms.feePerLot;
    this.accrued[slot] = 0n;
    this.margins[slot] = terms.margin;
  }

  /** `margin` is what remains of the order needs now: the whole is in proportion, rounded up. */
  amended(slot: number, order: AmendedOrder): void {
    const { margin, quantity, remaining } = order;
    this.margins[slot] = divide(margin * BigInt(quantity), BigInt(remaining), 'ceiling');
  }

  /** What `remaining` of `quantity` needs: the whole order's margin in proportion, rounded up. */
  marginOfRest(slot: number, remaining: number, quantity: number): bigint {
    const whole = this.margins[slot] as bigint;
    if (remaining === 0 || whole === 0n) return 0n;
    return divide(whole * BigInt(remaining), BigInt(quantity), 'ceiling');
  }

  /** The first `used` slots. */
  save(used: number): MarginTermsSnapshot {
    return {
      leverages: this.leverages.slice(0, used),
      stopLosses: this.stopLosses.slice(0, used),
      takeProfits: this.takeProfits.slice(0, used),
      trailings: this.trailings.slice(0, used),
      reasons: this.reasons.slice(0, used),
      positionIds: this.positionIds.slice(0, used),
      openedPositionIds: this.openedPositionIds.slice(0, used),
      feesPerLot: this.feesPerLot.slice(0, used),
      accrued: this.accrued.slice(0, used),
      margins: this.margins.slice(0, used),
    };
  }

  load(snapshot: MarginTermsSnapshot): void {
    this.leverages = snapshot.leverages.slice();
    this.stopLosses = snapshot.stopLosses.slice();
    this.takeProfits = snapshot.takeProfits.slice();
    this.trailings = snapshot.trailings.slice();
    this.reasons = snapshot.reasons.slice();
    this.positionIds = snapshot.positionIds.slice();
    this.openedPositionIds = snapshot.openedPositionIds.slice();
    this.feesPerLot = snapshot.feesPerLot.slice();
    this.accrued = snapshot.accrued.slice();
    this.margins = snapshot.margins.slice();
  }

  private grow(slot: number): void {
    this.leverages = grown(this.leverages, slot);
    this.stopLosses = grown(this.stopLosses, slot);
    this.takeProfits = grown(this.takeProfits, slot);
    this.trailings = grown(this.trailings, slot);
    this.reasons = grown(this.reasons, slot);
    this.positionIds = grown(this.positionIds, slot);
    this.openedPositionIds = grown(this.openedPositionIds, slot);
    this.feesPerLot = grown(this.feesPerLot, slot);
    this.accrued = grown(this.accrued, slot);
    this.margins = grown(this.margins, slot);
  }
}
