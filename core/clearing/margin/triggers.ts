import { Reason, Side } from '../../messages/enums.ts';
import { NO_POSITION, type Positions } from './positions.ts';
import { TrailingStops } from './trailing.ts';
import { ascending, descending, PriceHeap } from './triggers-heap.ts';

/** The lowest and highest best prices that a market has had since it was looked at, ticks; 0 for none. */
export interface PriceRange {
  lowBid: number;
  highBid: number;
  lowAsk: number;
  highAsk: number;
}

/** A position whose trigger was reached. */
export interface Fired {
  readonly positionId: number;
  /** Reason.StopLoss or Reason.TakeProfit. */
  readonly reason: number;
}

/** What waits in one market. A long is closed at the bid, a short at the ask. */
interface Waiting {
  readonly longStops: PriceHeap;
  readonly longTargets: PriceHeap;
  readonly shortStops: PriceHeap;
  readonly shortTargets: PriceHeap;
  readonly longTrails: TrailingStops;
  readonly shortTrails: TrailingStops;
  /** Positions whose trailing stops were reached together and are not handed out yet. */
  readonly trailed: number[];
}

/**
 * The stop-losses and take-profits of the open positions, by price: what a change of price reaches is
 * on top. Nothing here is state: it follows from the positions, and is made anew after a restart.
 */
export class Triggers {
  private readonly positions: Positions;
  private readonly markets: Waiting[] = [];
  /** Positions whose closing is under way: they wait for no price. */
  private readonly firing = new Set<number>();
  /** What is noted of the position in each slot: a trigger that has not changed is not noted twice. */
  private notedIds: number[] = [];
  private notedStops: number[] = [];
  private notedTargets: number[] = [];
  private readonly isStop = (id: number, price: number): boolean => {
    const slot = this.waitingSlot(id);
    if (slot === NO_POSITION || this.positions.trailingOffsets[slot] !== 0) return false;
    return this.positions.stopLosses[slot] === price;
  };
  private readonly isTarget = (id: number, price: number): boolean => {
    const slot = this.waitingSlot(id);
    return slot !== NO_POSITION && this.positions.takeProfits[slot] === price;
  };

  constructor(positions: Positions) {
    this.positions = positions;
  }

  /** Whether any position of the market has had triggers. */
  watches(market: number): boolean {
    return this.markets[market] !== undefined;
  }

  /** The triggers of the position at `slot` are new, or have changed. */
  set(slot: number): void {
    const { positions } = this;
    const id = positions.ids[slot] as number;
    if (this.firing.has(id)) return;
    const stop = positions.stopLosses[slot] as number;
    const target = positions.takeProfits[slot] as number;
    const long = positions.sides[slot] === Side.Buy;
    const trails = positions.trailingOffsets[slot] !== 0;
    const known = this.notedIds[slot] === id;
    const notedStop = trails ? -1 : stop;
    const waiting = this.of(positions.markets[slot] as number);
    if (trails) (long ? waiting.longTrails : waiting.shortTrails).add(slot);
    else if (stop > 0 && !(known && this.notedStops[slot] === stop)) {
      (long ? waiting.longStops : waiting.shortStops).add(id, stop);
    }
    if (target > 0 && !(known && this.notedTargets[slot] === target)) {
      (long ? waiting.longTargets : waiting.shortTargets).add(id, target);
    }
    this.notedIds[slot] = id;
    this.notedStops[slot] = notedStop;
    this.notedTargets[slot] = target;
  }

  /** Whether the trailing stop of any position has to follow these prices, 0 for none. */
  trailingMoves(market: number, bid: number, ask: number): boolean {
    const waiting = this.markets[market];
    if (waiting === undefined) return false;
    return waiting.longTrails.moves(bid) || waiting.shortTrails.moves(ask);
  }

  /** The trailing stops have moved to where these prices take them. */
  trailingMoved(market: number): void {
    const waiting = this.markets[market];
    waiting?.longTrails.refresh();
    waiting?.shortTrails.refresh();
  }

  /** Takes the next position that prices in this range have reached; stop-losses before take-profits. */
  takeFired(market: number, range: PriceRange): Fired | undefined {
    const waiting = this.markets[market];
    if (waiting === undefined) return undefined;
    const { lowBid, highBid, lowAsk, highAsk } = range;
    for (const id of waiting.longTrails.reached(lowBid)) this.trail(waiting, id);
    for (const id of waiting.shortTrails.reached(highAsk)) this.trail(waiting, id);
    const trailed = waiting.trailed.pop();
    if (trailed !== undefined) return { positionId: trailed, reason: Reason.StopLoss };
    const stopped =
      reachedBelow(waiting.longStops, lowBid) || reachedAbove(waiting.shortStops, highAsk);
    if (stopped !== 0) return this.fire(stopped, Reason.StopLoss);
    const taken =
      reachedAbove(waiting.longTargets, highBid) || reachedBelow(waiting.shortTargets, lowAsk);
    return taken === 0 ? undefined : this.fire(taken, Reason.TakeProfit);
  }

  /** The position waits again, if it is still there: what closed it has ended. */
  wait(positionId: number): void {
    if (!this.firing.delete(positionId)) return;
    const slot = this.positions.find(positionId);
    if (slot === NO_POSITION) return;
    this.notedIds[slot] = 0;
    this.set(slot);
  }

  private trail(waiting: Waiting, positionId: number): void {
    this.firing.add(positionId);
    waiting.trailed.push(positionId);
  }

  private fire(positionId: number, reason: number): Fired {
    this.firing.add(positionId);
    return { positionId, reason };
  }

  private waitingSlot(id: number): number {
    return this.firing.has(id) ? NO_POSITION : this.positions.find(id);
  }

  private of(market: number): Waiting {
    const known = this.markets[market];
    if (known !== undefined) return known;
    const { positions, isStop, isTarget } = this;
    const isWaiting = (id: number): boolean => !this.firing.has(id);
    const waiting: Waiting = {
      longStops: new PriceHeap(descending, isStop),
      longTargets: new PriceHeap(ascending, isTarget),
      shortStops: new PriceHeap(ascending, isStop),
      shortTargets: new PriceHeap(descending, isTarget),
      longTrails: new TrailingStops(positions, Side.Buy, isWaiting),
      shortTrails: new TrailingStops(positions, Side.Sell, isWaiting),
      trailed: [],
    };
    this.markets[market] = waiting;
    return waiting;
  }
}

/** The id whose price `low` has come down to; 0 where none. */
export function reachedBelow(heap: PriceHeap, low: number): number {
  const id = heap.top();
  return id !== 0 && low > 0 && low <= heap.topPrice ? id : 0;
}

/** The id whose price `high` has come up to; 0 where none. */
export function reachedAbove(heap: PriceHeap, high: number): number {
  const id = heap.top();
  return id !== 0 && high > 0 && high >= heap.topPrice ? id : 0;
}
