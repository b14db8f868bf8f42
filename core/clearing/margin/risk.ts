import type { ColdEvent } from '../../messages/cold-events.ts';
import { Reason } from '../../messages/enums.ts';
import type { PlaceMarginOrder } from '../../messages/margin-commands.ts';
import type { MarginExecution } from '../../messages/margin-events.ts';
import type { MarketPricesAnswer } from '../../messages/queries.ts';
import type { Books } from '../books.ts';
import type { Market } from '../market.ts';
import type { Recorder } from '../recorder.ts';
import type { ClearingState } from '../state.ts';
import { compensate, needsCompensation } from './compensation.ts';
import { Coverage } from './coverage.ts';
import { FundingSchedule } from './funding-schedule.ts';
import { MarkPriceFeed } from './mark-price-feed.ts';
import { type StopOrderDesk, StopOrders } from './stop-orders.ts';
import { StopOut } from './stop-out.ts';
import { OrderRemoval } from './stop-out-orders.ts';
import { SwapsSchedule } from './swaps-schedule.ts';
import { type ClosingDesk, TriggerClosings } from './triggers-closing.ts';
import { TriggerWatch, trades } from './triggers-watch.ts';
import { Valuation } from './valuation.ts';

/** How often what follows the clock and not a price is looked at, ms of venue time. */
const SECOND_MS = 1_000;

/** Who places the orders of the venue. */
export interface RiskDesk extends StopOrderDesk, ClosingDesk {}

/**
 * Everything that prices and time bring about in markets on margin, and stop orders in all markets. It
 * watches what is recorded, decides, and records in turn; long work waits for `work`.
 */
export class Risk {
  readonly stopOrders: StopOrders;
  private readonly state: ClearingState;
  private readonly books: Books;
  private readonly marks: MarkPriceFeed;
  private readonly funding: FundingSchedule;
  private readonly swaps: SwapsSchedule;
  private readonly watch: TriggerWatch;
  private readonly closings: TriggerClosings;
  private readonly valuation: Valuation;
  private readonly stopOut: StopOut;
  private readonly removal: OrderRemoval;
  private readonly coverage: Coverage;
  /** Whether the books hold every open order: before, their prices mean nothing. */
  private ready = false;
  private now = 0;
  /** When funding or swaps are due next. */
  private dueAt = 0;
  private second = 0;
  /** Accounts whose orders have ended and that something may wait for. */
  private readonly ended = new Set<number>();
  /** The rate of each market's quote asset when its positions were last valued at it. */
  private readonly rates: bigint[] = [];
  private readonly wereOpen: boolean[] = [];
  private perps: readonly Market[] = [];

  constructor(
    state: ClearingState,
    recorder: Recorder,
    books: Books,
    desk: RiskDesk,
    timeZone: string,
  ) {
    this.state = state;
    this.books = books;
    this.stopOrders = new StopOrders(state, recorder, desk);
    this.marks = new MarkPriceFeed(state, recorder);
    this.funding = new FundingSchedule(state, recorder, this.marks);
    this.swaps = new SwapsSchedule(state, recorder, timeZone);
    this.removal = new OrderRemoval(state, books);
    this.watch = new TriggerWatch(state, recorder, this.stopOrders, (fired, now) =>
      this.closings.close(fired, now),
    );
    this.closings = new TriggerClosings(state, this.watch.triggers, this.removal, desk);
    this.coverage = new Coverage(state, this.removal);
    this.valuation = new Valuation(state, (account) => this.stopOut.found(account));
    this.stopOut = new StopOut(state, this.removal, {
      close: (slot, now) => desk.closePosition(slot, Reason.StopOut, now),
      cancelStopOrders: (account, now) => this.cancelMarginStopOrders(account, now),
      compensate: (account, now) => compensate(state, recorder, account, now),
      trades: (market, now) => trades(market, now),
    });
  }

  /**
   * Takes up work after the state was recovered, before the books have anything; `since` is the time of
   * the last event in the journal.
   */
  resume(since: number, now: number): void {
    this.now = now;
    // What was due at that very time may have come behind the last event.
    this.funding.resume(since - 1);
    this.swaps.resume(since - 1);
    this.watch.resume();
    this.stopOrders.resume();
    for (const stopOrder of this.state.stopOrders.all()) {
      const status = this.state.accounts.status(stopOrder.account);
      if (status === 'Halted') this.haltedAccount(stopOrder.account);
    }
    for (const market of this.state.markets) this.marketConfigured(market.index);
  }

  /** A stop order of a client; one that its price has reached already is activated at once. */
  placeStopOrder(command: PlaceMarginOrder, now: number): void {
    const orderId = this.stopOrders.place(command, now);
    if (orderId !== 0) this.watch.placed(orderId, command.market);
  }

  /** Every command begins with this: what is due goes first. */
  arrive(now: number): void {
    this.now = now;
    if (now < this.dueAt || !this.isReady()) return;
    const paid = (market: Market): void => this.valuation.changed(market.index);
    this.dueAt = Math.min(this.funding.settle(now, paid), this.swaps.settle(now, paid));
  }

  /** The best prices of a market have changed. */
  pricesChanged(market: Market, now: number): void {
    this.now = now;
    if (!this.isReady()) return;
    if (market.margin === undefined) this.spotMoved(market, now);
    else if (this.marks.update(market, now) || market.configuration.type === 'Cfd') {
      this.valuation.changed(market.index);
    }
    this.closings.retry(market.index);
    this.watch.look(market, now);
  }

  /** A Tick command: time has passed. */
  tick(now: number): void {
    this.now = now;
    if (!this.isReady()) return;
    this.ratesMoved();
    const second = Math.floor(now / SECOND_MS);
    if (second === this.second) return;
    this.second = second;
    for (const market of this.state.markets) this.secondPassed(market, now);
    for (const market of this.closings.leftIn) {
      this.closings.retry(market);
      this.watch.lookLater(market);
    }
    this.stopOut.tick(now);
  }

  /** Whether `work` has something to do. */
  get hasWork(): boolean {
    const { ended, watch, coverage, valuation, stopOut } = this;
    const looks = watch.hasWork || coverage.hasWork || valuation.hasSuspects;
    return ended.size > 0 || looks || stopOut.hasWork;
  }

  /** Goes on with long work in a step of some milliseconds; false where none is left. */
  work(): boolean {
    if (!this.isReady()) return false;
    const { now } = this;
    this.ordersEnded(now);
    let more = this.watch.work(now);
    more = this.coverage.work() || more;
    more = this.removal.work() || more;
    this.valuation.start(now);
    more = this.valuation.work() || more;
    more = this.stopOut.work(now) || more;
    return more;
  }

  prices(market: Market, now: number): MarketPricesAnswer {
    return this.marks.prices(market, now);
  }

  /** An execution on margin was recorded. */
  executed(event: MarginExecution): void {
    const { account, remaining } = event;
    if (remaining === 0) this.orderEnded(account);
    if (event.openedQuantity > 0) {
      this.watch.set(this.state.positions.find(event.openedPositionId));
    }
    this.coverage.executed(event);
    this.valuation.touched(account);
    if (event.closedQuantity > 0 && needsCompensation(this.state, account)) {
      this.stopOut.found(account);
    }
  }

  /** An order of the account has left the books. */
  orderEnded(account: number): void {
    if (this.closings.concerns(account) || this.stopOut.concerns(account)) this.ended.add(account);
  }

  /** Something rare was recorded. */
  changed(event: ColdEvent): void {
    switch (event.type) {
      case 'MarketConfigured':
        this.funding.configured(event.market, this.now);
        return this.marketConfigured(event.market);
      case 'AccountStatusChanged':
        if (event.status === 'Halted') this.haltedAccount(event.account);
        return;
      case 'PositionTriggersSet':
        return this.watch.set(this.state.positions.find(event.positionId));
      case 'IndexPriceSet': {
        const market = this.state.market(event.market);
        if (this.marks.update(market, this.now)) this.valuation.changed(event.market);
        return;
      }
      case 'MarginSettingsChanged':
        for (const { index } of this.state.markets) this.valuation.changed(index);
        return this.touchAll();
      case 'AssetConfigured':
        return this.valuation.ratesMoved();
    }
  }

  /** From the first time that the books have answered everything, all is looked at. */
  private isReady(): boolean {
    if (this.ready) return true;
    if (this.books.underWay > 0) return false;
    this.ready = true;
    const { state, now } = this;
    for (const market of state.markets) {
      this.marks.update(market, now);
      this.valuation.changed(market.index);
      this.watch.lookLater(market.index);
    }
    this.touchAll();
    const { exposures } = state;
    for (let row = 0; row < exposures.size; row++) {
      const account = exposures.accounts[row] as number;
      if (needsCompensation(state, account)) this.stopOut.found(account);
    }
    return true;
  }

  private marketConfigured(index: number): void {
    const { configuration } = this.state.market(index);
    const { status } = configuration;
    if (status === 'Halted') this.stopOrders.cancelIn(index, 'MarketHalted', this.now);
    if (status === 'Disabled') this.stopOrders.cancelIn(index, 'MarketDisabled', this.now);
    this.dueAt = 0;
    this.perps = this.state.markets.filter((market) => market.configuration.type === 'Perp');
    this.valuation.changed(index);
    this.touchAll();
    this.watch.lookLater(index);
  }

  /** Accounts without a position are in no market's sweep; those with open orders use margin as well. */
  private touchAll(): void {
    const { exposures } = this.state;
    for (let row = 0; row < exposures.size; row++) {
      const hasOrders = exposures.pendingBuys[row] !== 0 || exposures.pendingSells[row] !== 0;
      if (hasOrders) this.valuation.touched(exposures.accounts[row] as number);
    }
  }

  private haltedAccount(account: number): void {
    this.stopOrders.cancelOf(account, () => true, 'Admin', this.now);
  }

  private cancelMarginStopOrders(account: number, now: number): void {
    const onMargin = (market: number): boolean => this.state.market(market).margin !== undefined;
    this.stopOrders.cancelOf(account, onMargin, 'StopOut', now);
  }

  private ordersEnded(now: number): void {
    for (const account of this.ended) {
      this.closings.orderEnded(account, now);
      this.stopOut.orderEnded(account);
    }
    this.ended.clear();
  }

  /** The index of the Perp markets of the same pair follows a Spot market. */
  private spotMoved({ base, quote }: Market, now: number): void {
    this.valuation.ratesMoved();
    for (const market of this.perps) {
      if (market.base !== base || market.quote !== quote) continue;
      if (this.marks.update(market, now)) this.valuation.changed(market.index);
    }
  }

  /** Positions are worth something else where the rate of their quote asset has changed. */
  private ratesMoved(): void {
    const { rootAsset, rates, markets } = this.state;
    for (const market of markets) {
      if (market.margin === undefined || market.quote.index === rootAsset) continue;
      const { rate } = rates.ofQuote(market);
      if (this.rates[market.index] === rate) continue;
      this.rates[market.index] = rate;
      this.valuation.changed(market.index);
    }
  }

  private secondPassed(market: Market, now: number): void {
    const { index } = market;
    const isOpen = trades(market, now);
    if (isOpen && this.wereOpen[index] === false) {
      this.watch.lookLater(index);
      this.valuation.changed(index);
    }
    this.wereOpen[index] = isOpen;
    if (market.margin === undefined) return;
    if (isOpen) this.marks.sample(market, now);
    if (this.marks.update(market, now)) this.valuation.changed(index);
  }
}
