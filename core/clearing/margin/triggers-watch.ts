import type { Market } from '../market.ts';
import type { Recorder } from '../recorder.ts';
import type { ClearingState } from '../state.ts';
import { NO_POSITION } from './positions.ts';
import type { StopOrders } from './stop-orders.ts';
import { type Fired, type PriceRange, Triggers } from './triggers.ts';

/** How many orders what was reached brings about in one step: about a millisecond. */
const FIRED_PER_STEP = 64;

/** Whether orders trade in the market now: nothing triggers where they do not. */
export function trades(market: Market, now: number): boolean {
  return market.configuration.status === 'Open' && market.derived.sessions.isOpen(now);
}

/** What prices have reached in one market, in more than one step. */
interface Drain extends PriceRange {
  /** Positions whose triggers were set meanwhile: the prices before do not concern them. */
  readonly later: number[];
  /** The same for stop orders that were placed meanwhile. */
  readonly laterStopOrders: number[];
}

/**
 * Watches best prices for stop orders, stop-losses, take-profits and trailing stops. Whatever a price
 * reaches goes, however short it lasted and however many there are: what does not fit into one step is
 * kept with the lowest and highest prices since.
 */
export class TriggerWatch {
  readonly triggers: Triggers;
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly stopOrders: StopOrders;
  private readonly fired: (fired: Fired, now: number) => void;
  private readonly drains = new Map<number, Drain>();
  /** Markets to look at though their prices have not changed. */
  private readonly due = new Set<number>();

  constructor(
    state: ClearingState,
    recorder: Recorder,
    stopOrders: StopOrders,
    fired: (fired: Fired, now: number) => void,
  ) {
    this.state = state;
    this.recorder = recorder;
    this.stopOrders = stopOrders;
    this.fired = fired;
    this.triggers = new Triggers(state.positions);
  }

  get hasWork(): boolean {
    return this.due.size > 0 || this.drains.size > 0;
  }

  /** Takes over what the recovered state has. */
  resume(): void {
    const { positions } = this.state;
    for (let slot = 0; slot < positions.slotCount; slot++) {
      if (positions.ids[slot] !== 0) this.triggers.set(slot);
    }
  }

  /** The triggers of an open position are new, or may have changed. */
  set(slot: number): void {
    const { positions } = this.state;
    const market = positions.markets[slot] as number;
    const none = positions.stopLosses[slot] === 0 && positions.takeProfits[slot] === 0;
    if (none) return;
    const drain = this.drains.get(market);
    if (drain === undefined) this.triggers.set(slot);
    else drain.later.push(positions.ids[slot] as number);
    this.due.add(market);
  }

  /** A stop order is new; one that its price has reached already is activated with the next `work`. */
  placed(orderId: number, market: number): void {
    const drain = this.drains.get(market);
    if (drain === undefined) this.stopOrders.wait(orderId);
    else drain.laterStopOrders.push(orderId);
    this.due.add(market);
  }

  /** Looks at the market with the next `work`. */
  lookLater(market: number): void {
    this.due.add(market);
  }

  /** The market's best prices have changed. */
  look(market: Market, now: number): void {
    const { index, bestBid, bestAsk } = market;
    this.due.delete(index);
    if (!this.triggers.watches(index) && !this.stopOrders.watches(index)) return;
    if (!trades(market, now)) return;
    this.follow(market, now);
    const drain = this.drains.get(index);
    if (drain !== undefined) {
      widen(drain, bestBid, bestAsk);
      return;
    }
    const range = { lowBid: bestBid, highBid: bestBid, lowAsk: bestAsk, highAsk: bestAsk };
    if (!this.step(market, range, now))
      this.drains.set(index, { ...range, later: [], laterStopOrders: [] });
  }

  /** One step; false where nothing is left that was reached. */
  work(now: number): boolean {
    for (const index of this.due) this.look(this.state.market(index), now);
    for (const [index, drain] of this.drains) {
      const market = this.state.market(index);
      if (trades(market, now) && !this.step(market, drain, now)) return true;
      this.drains.delete(index);
      this.setLater(index, drain);
      return this.drains.size > 0 || this.due.size > 0;
    }
    return false;
  }

  private setLater(market: number, { later, laterStopOrders }: Drain): void {
    for (const orderId of laterStopOrders) this.placed(orderId, market);
    for (const positionId of later) {
      const slot = this.state.positions.find(positionId);
      if (slot !== NO_POSITION) this.set(slot);
    }
  }

  /** Trailing stops go along with the price before anything is compared with them. */
  private follow({ index, bestBid, bestAsk }: Market, now: number): void {
    if (!this.triggers.trailingMoves(index, bestBid, bestAsk)) return;
    this.recorder.trailingStopsMoved({ time: now, market: index, bid: bestBid, ask: bestAsk });
    this.triggers.trailingMoved(index);
  }

  /** Lets go what was reached; true where that was all of it. */
  private step({ index }: Market, range: PriceRange, now: number): boolean {
    for (let count = 0; count < FIRED_PER_STEP; count++) {
      const fired = this.triggers.takeFired(index, range);
      if (fired !== undefined) {
        this.fired(fired, now);
        continue;
      }
      const stopOrder = this.stopOrders.reached(index, range);
      if (stopOrder === 0) return true;
      this.stopOrders.activate(stopOrder, now);
    }
    return false;
  }
}

function widen(range: PriceRange, bid: number, ask: number): void {
  if (bid > 0) {
    range.lowBid = range.lowBid === 0 ? bid : Math.min(range.lowBid, bid);
    range.highBid = Math.max(range.highBid, bid);
  }
  if (ask > 0) {
    range.lowAsk = range.lowAsk === 0 ? ask : Math.min(range.lowAsk, ask);
    range.highAsk = Math.max(range.highAsk, ask);
  }
}
