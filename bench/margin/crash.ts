import { audit, Clearing, type ClearingState } from '../../core/clearing/index.ts';
import { MarketWorker } from '../../core/market/index.ts';
import { CancelAllOrders, Tick } from '../../core/messages/commands.ts';
import { OrderType, Side, TimeInForce } from '../../core/messages/enums.ts';
import { PlaceMarginOrder } from '../../core/messages/margin-commands.ts';
import { BatchWriter, RecordCursor } from '../../core/messages/record.ts';
import type { BookHost } from '../../core/runtime/book-host.ts';
import { ClearingHost } from '../../core/runtime/clearing-host.ts';
import { DEALER, ENTRY, FIRST_TRADER, filledState, START } from './venue.ts';

export interface CrashCost {
  readonly accounts: number;
  readonly positions: number;
  /** From the new price until the last position was closed, ms. */
  readonly milliseconds: number;
  /** The longest that clearing was at it without taking new requests, ms; books left out. */
  readonly longestTurnMs: number;
  /** The most processor time that such a turn took, its book and all threads of the process included, ms. */
  readonly longestTurnCpuMs: number;
  /** The longest that the book was at one batch, ms. */
  readonly longestBatchMs: number;
  /** Orders of others in another market meanwhile, and the longest that one waited, ms. */
  readonly ordersOfOthers: number;
  readonly longestWaitMs: number;
  /** What the house paid of what accounts could not, root units. */
  readonly compensated: bigint;
}

const OTHERS = 100;
/** To half of the price: everybody loses twice what backs them. */
const CRASHED = ENTRY / 2;
const TIME_LIMIT_MS = 60_000;

/** Everybody is stopped out by one price, while others go on trading. Throws where money was made. */
export function crashCost(accounts: number, positionsEach: number): CrashCost {
  return new Crash(accounts, positionsEach).run();
}

class Crash {
  private readonly accounts: number;
  private readonly positionsEach: number;
  private readonly state: ClearingState;
  private readonly clearing: Clearing;
  private readonly worker = new MarketWorker();
  private readonly host: ClearingHost;
  private readonly writer = new BatchWriter();
  private readonly order = PlaceMarginOrder.blank();
  private readonly started: number;
  private bookMs = 0;
  private longestBatchMs = 0;
  private answers = 0;
  private ticket = 1;

  constructor(accounts: number, positionsEach: number) {
    this.accounts = accounts;
    this.positionsEach = positionsEach;
    this.state = filledState({ accounts, positionsEach, untouched: OTHERS });
    this.clearing = new Clearing(this.state, { workers: 1, openOrdersMax: 1e9 });
    const output = {
      journal: (_first: number, _count: number, _events: ArrayBuffer, answers: ArrayBuffer) => {
        const cursor = new RecordCursor(answers);
        while (cursor.next()) this.answers++;
      },
      snapshot: () => {},
      paused: () => {},
    };
    this.host = new ClearingHost(this.clearing, [this.books()], output, Number.MAX_SAFE_INTEGER);
    this.started = performance.now();
    this.clearing.resume(START);
    this.settle();
  }

  run(): CrashCost {
    const { accounts, positionsEach } = this;
    const untouched = OTHERS * positionsEach;
    this.quote(ENTRY - 100);
    this.settle();
    const before = this.house();
    const started = performance.now();
    this.quote(CRASHED);
    let longestTurnMs = 0;
    let longestTurnCpuMs = 0;
    let longestWaitMs = 0;
    let orders = 0;
    // The dealer's two positions stay, and those of the others.
    while (this.openTraders() > 0) {
      const at = performance.now();
      if (at - started > TIME_LIMIT_MS) throw new Error(`${this.openTraders()} are still open`);
      this.placeOther(orders++);
      const answered = this.answers;
      const cpu = process.cpuUsage();
      this.bookMs = 0;
      this.host.turn(true);
      const turn = performance.now() - at;
      const { user, system } = process.cpuUsage(cpu);
      longestTurnCpuMs = Math.max(longestTurnCpuMs, (user + system) / 1_000);
      longestTurnMs = Math.max(longestTurnMs, turn - this.bookMs);
      longestWaitMs = Math.max(longestWaitMs, turn);
      if (this.answers === answered)
        throw new Error('an order of others was not answered in its turn');
    }
    const milliseconds = performance.now() - started;
    this.settle();
    this.check(untouched);
    return {
      accounts,
      positions: accounts * positionsEach,
      milliseconds,
      longestTurnMs,
      longestTurnCpuMs,
      longestBatchMs: this.longestBatchMs,
      ordersOfOthers: orders,
      longestWaitMs,
      compensated: before - this.house(),
    };
  }

  private check(untouched: number): void {
    const { state } = this;
    for (const { assetId, ledgers, netTransfers } of audit(state).assets) {
      if (ledgers !== netTransfers) throw new Error(`${assetId}: ${ledgers}, not ${netTransfers}`);
    }
    const { positions, ledger, rootAsset } = state;
    if (positions.openCount < untouched) throw new Error('positions of others were closed');
    for (let account = FIRST_TRADER; account < FIRST_TRADER + this.accounts; account++) {
      const total = ledger.total(ledger.find(account, rootAsset));
      if (total < 0n) throw new Error(`account ${account} still owes ${-total}`);
    }
  }

  private house(): bigint {
    const { ledger, rootAsset } = this.state;
    return ledger.total(ledger.find(0, rootAsset));
  }

  /** How many of those who are stopped out still have a position. */
  private openTraders(): number {
    const { exposures } = this.state;
    const dealer = exposures.find(DEALER, 0);
    const active = exposures.activeCount(0);
    return exposures.shortQuantities[dealer] === 0 ? active : active - 1;
  }

  private settle(): void {
    for (let more = true; more; ) more = this.host.turn(true);
  }

  /** The dealer bids at one price for all that anybody has. */
  private quote(price: number): void {
    CancelAllOrders.write(this.writer, { ticket: 0, time: this.now(), account: DEALER, market: 0 });
    this.place(0, DEALER, Side.Buy, price, 10 * this.accounts * this.positionsEach);
    this.send();
  }

  private placeOther(n: number): void {
    const account = FIRST_TRADER + this.accounts + (n % OTHERS);
    this.place(
      1,
      account,
      n % 2 === 0 ? Side.Buy : Side.Sell,
      ENTRY + (n % 2 === 0 ? -500 : 500),
      1,
    );
    Tick.write(this.writer, { time: this.now() });
    this.send();
  }

  private place(
    market: number,
    account: number,
    side: number,
    price: number,
    quantity: number,
  ): void {
    const { order } = this;
    order.ticket = this.ticket++;
    order.time = this.now();
    order.account = account;
    order.market = market;
    order.side = side;
    order.type = OrderType.Limit;
    order.timeInForce = TimeInForce.Gtc;
    order.priceScale = 2;
    order.amountScale = 3;
    order.price = price;
    order.quantity = quantity;
    PlaceMarginOrder.write(this.writer, order);
  }

  private send(): void {
    this.host.commands(this.writer.take());
  }

  private now(): number {
    return START + Math.floor(performance.now() - this.started);
  }

  /** The book answers at once; what it takes is not clearing’s time. */
  private books(): BookHost {
    const results: ArrayBuffer[] = [];
    return {
      send: (commands) => {
        const started = performance.now();
        const { count } = commands;
        const cursor = new RecordCursor(commands.take());
        while (cursor.next()) this.worker.command(cursor);
        if (!this.worker.results.empty) results.push(this.worker.results.take());
        const took = performance.now() - started;
        this.bookMs += took;
        this.longestBatchMs = Math.max(this.longestBatchMs, took);
        return count;
      },
      receive: () => results.shift(),
      close: () => {},
    };
  }
}
