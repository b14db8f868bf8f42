import { powerOfTen } from '../../fixed-point/index.ts';
import { nextMidnight } from '../../market/sessions.ts';
import type { SwapSettings, SwapSide } from '../../messages/configuration.ts';
import { Side } from '../../messages/enums.ts';
import type { Market } from '../market.ts';
import type { Rate } from '../rates.ts';
import type { Recorder } from '../recorder.ts';
import type { ClearingState } from '../state.ts';
import { paymentsOf, positionsIn } from './funding-payments.ts';
import { swapAmount } from './swaps.ts';

/** Charges the swaps of the Cfd markets at each end of the platform's day. */
export class SwapsSchedule {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly timeZone: string;
  /** The next end of a day that has not been charged; 0 before the first time that is known. */
  private nextAt = 0;

  /** `timeZone`: the platform's, an IANA name. */
  constructor(state: ClearingState, recorder: Recorder, timeZone: string) {
    this.state = state;
    this.recorder = recorder;
    this.timeZone = timeZone;
  }

  /** Every end of a day after `since`, the last time that the journal knows, is still to be charged. */
  resume(since: number): void {
    if (since > 0) this.nextAt = nextMidnight(since, this.timeZone);
  }

  /** Charges every day that has ended; returns when the next one ends. Tells which markets have paid. */
  settle(now: number, paid: (market: Market) => void): number {
    if (this.nextAt === 0) this.nextAt = nextMidnight(now, this.timeZone);
    while (this.nextAt <= now) {
      for (const market of this.state.markets) {
        if (this.charge(market, this.nextAt, now)) paid(market);
      }
      this.nextAt = nextMidnight(this.nextAt, this.timeZone);
    }
    return this.nextAt;
  }

  private charge(market: Market, dueAt: number, now: number): boolean {
    const { margin, index } = market;
    const swaps = market.configuration.margin?.swaps;
    const { exposures, positions, rates } = this.state;
    if (margin === undefined || swaps == null || exposures.activeCount(index) === 0) return false;
    if (dueAt <= margin.swapsDueAt) return false;
    const nights = market.derived.sessions.nights(dueAt, this.timeZone);
    if (nights === 0) return false;
    const slots = positionsIn(exposures, positions, index);
    const [long, short] = [Side.Buy, Side.Sell].map((side) =>
      this.pricing(market, swaps, side, nights),
    );
    const amounts = BigInt64Array.from(slots, (slot) => {
      const amountOf = positions.sides[slot] === Side.Buy ? long : short;
      return amountOf?.(positions.quantities[slot] as number) ?? 0n;
    });
    if (amounts.every((amount) => amount === 0n)) return false;
    const payments = paymentsOf(positions, slots, amounts);
    const { rate } = rates.ofQuote(market);
    this.recorder.swapsCharged({ time: now, market: index, dueAt, rate, ...payments, nights });
    return true;
  }

  /** What a position of a side gets, by its quantity; undefined where there is no rate to compute it. */
  private pricing(
    market: Market,
    { type, long, short }: SwapSettings,
    side: number,
    nights: number,
  ): ((quantity: number) => bigint) | undefined {
    const settings = side === Side.Buy ? long : short;
    const rate = type === 'FixPerLot' ? this.rateOf(settings) : this.state.rates.ofQuote(market);
    if (rate === undefined || rate.numerator === 0n || settings.size === 0) return undefined;
    const terms = {
      type,
      size: settings.size,
      nights,
      doubledPrice: doubledPrice(market),
      scale: market.scale,
      lotScale: market.configuration.amountScale,
      rate,
    };
    return (quantity) => swapAmount(quantity, terms);
  }

  /** Root units for one whole asset that a size counts. */
  private rateOf({ assetId }: SwapSide): Rate | undefined {
    const { state } = this;
    const asset = assetId === null ? state.assets[state.rootAsset] : state.assetOf(assetId);
    if (asset === undefined) return undefined;
    const rate = state.rates.fixed(asset.index);
    if (rate === undefined) return undefined;
    const unit = powerOfTen(asset.configuration.scale);
    return { numerator: rate.numerator * unit, denominator: rate.denominator };
  }
}

/** Twice the price at the end of the day in ticks: the middle of the book, else the last trade. */
function doubledPrice({ bestBid, bestAsk, lastPrice }: Market): number {
  return bestBid > 0 && bestAsk > 0 ? bestBid + bestAsk : 2 * lastPrice;
}
