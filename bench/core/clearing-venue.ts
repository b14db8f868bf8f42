import { applyCold, Clearing, ClearingState } from '../../core/clearing/index.ts';
import { MarketWorker } from '../../core/market/index.ts';
import type { ColdEvent } from '../../core/messages/cold-events.ts';
import { CancelOrder, PlaceOrder } from '../../core/messages/commands.ts';
import type { MarketConfiguration } from '../../core/messages/configuration.ts';
import {
  OrderSource,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../core/messages/enums.ts';
import { BatchWriter, RecordCursor } from '../../core/messages/record.ts';

const MIDDLE = 5_000_000;
const LEVELS = 2_000;
const FUNDS = 10n ** 16n;
const START = Date.UTC(2026, 0, 5);
/** Commands that travel together, as they do from a busy gateway. */
const BATCH = 64;

export interface VenueSize {
  readonly accounts: number;
  readonly resting: number;
}

/** A part of the events that a venue recorded. */
export interface RecordedEvents {
  readonly firstSequence: number;
  readonly count: number;
  readonly events: Uint8Array;
}

/**
 * Clearing and the book of one market in this thread, filled to a size and then kept at it: of four
 * commands two rest, one cancels a random resting order and one takes the best. Commands are written
 * before the clock starts; events and answers are written and dropped, or kept if asked for.
 */
export class ClearingVenue {
  readonly clearing: Clearing;
  readonly worker = new MarketWorker();
  readonly recorded: RecordedEvents[] = [];
  private readonly size: VenueSize;
  private readonly keepEvents: boolean;
  private readonly command = PlaceOrder.blank();
  private readonly cancellation = CancelOrder.blank();
  private readonly resting: { id: number; account: number }[] = [];
  private nextOrderId = 1;
  private random = 0x2545_f491;

  constructor(size: VenueSize, keepEvents = false) {
    this.size = size;
    this.keepEvents = keepEvents;
    this.clearing = new Clearing(new ClearingState(), { workers: 1, openOrdersMax: 1e9 });
    this.clearing.resume(START);
    this.open();
    this.clearing.resume(START);
    this.finish();
    this.run(this.passives(size.resting));
  }

  /** Batches of commands that leave about as many orders resting as there are now. */
  steadyFlow(commands: number): ArrayBuffer[] {
    return this.batches(commands, (n, writer) => {
      if (n % 4 === 1) this.writeCancel(writer);
      else if (n % 4 === 3) this.writeTaker(writer);
      else this.writePassive(writer);
    });
  }

  /** Runs prepared batches; returns how many nanoseconds a command took. */
  run(batches: readonly ArrayBuffer[]): number {
    const { clearing } = this;
    let commands = 0;
    const started = process.hrtime.bigint();
    for (const batch of batches) {
      const cursor = new RecordCursor(batch);
      while (cursor.next()) {
        clearing.command(cursor);
        commands++;
      }
      this.finish();
    }
    return Number(process.hrtime.bigint() - started) / commands;
  }

  get openOrders(): number {
    return this.clearing.state.orderIndex.count;
  }

  /** Gives up what only `steadyFlow` needs, so that memory shows the venue alone. */
  forgetResting(): void {
    this.resting.length = 0;
  }

  private passives(count: number): ArrayBuffer[] {
    return this.batches(count, (_, writer) => this.writePassive(writer));
  }

  private batches(count: number, write: (n: number, writer: BatchWriter) => void): ArrayBuffer[] {
    const writer = new BatchWriter();
    const batches: ArrayBuffer[] = [];
    for (let n = 0; n < count; n++) {
      write(n, writer);
      if (writer.count === BATCH) batches.push(writer.take());
    }
    if (!writer.empty) batches.push(writer.take());
    return batches;
  }

  /** Lets the book answer and clearing settle what it answers. */
  private finish(): void {
    const { clearing, worker } = this;
    const [commands] = clearing.workers;
    if (commands !== undefined && !commands.empty) {
      const cursor = new RecordCursor(commands.take());
      while (cursor.next()) worker.command(cursor);
      const results = new RecordCursor(worker.results.take());
      while (results.next()) clearing.result(results);
    }
    this.drop();
  }

  private drop(): void {
    const { events, answers, state } = this.clearing;
    if (this.keepEvents && !events.empty) {
      const { count } = events;
      const firstSequence = state.sequence - count + 1;
      this.recorded.push({ firstSequence, count, events: new Uint8Array(events.take()) });
    }
    events.clear();
    answers.clear();
  }

  private open(): void {
    const { state } = this.clearing;
    const record = (event: ColdEvent) => applyCold(state, START, event);
    ['usdt', 'btc'].forEach((assetId, asset) => {
      const root = asset === 0;
      record({
        type: 'AssetConfigured',
        asset,
        configuration: {
          assetId,
          name: assetId,
          scale: root ? 6 : 8,
          isRoot: root,
          marginRatio: root ? 10_000 : 0,
          type: 'Crypto',
          source: 'Internal',
        },
      });
    });
    record({ type: 'MarketConfigured', market: 0, configuration: MARKET });
    for (let account = 1; account <= this.size.accounts; account++) this.openAccount(account);
  }

  private openAccount(account: number): void {
    const { state } = this.clearing;
    applyCold(state, START, {
      type: 'AccountOpened',
      account,
      configuration: {
        accountId: String(100_000 + account),
        publicAccountId: 100_000 + account,
        accountName: 'Main',
        accountType: 'Netting',
        accountStatus: 'Active',
        ownerUserId: String(account),
        isCopyTradingAccount: false,
      },
    });
    for (const asset of [0, 1])
      state.ledger.credit(state.ledger.open(account, asset), FUNDS / 10n ** 4n);
  }

  private writePassive(writer: BatchWriter): void {
    const buys = this.below(2) === 0;
    const away = 1 + this.below(LEVELS);
    const account = this.writePlace(
      writer,
      buys ? Side.Buy : Side.Sell,
      buys ? MIDDLE - away : MIDDLE + away,
      TimeInForce.Gtc,
    );
    this.resting.push({ id: this.nextOrderId - 1, account });
  }

  private writeTaker(writer: BatchWriter): void {
    const buys = this.below(2) === 0;
    const limit = buys ? MIDDLE + LEVELS : MIDDLE - LEVELS;
    this.writePlace(writer, buys ? Side.Buy : Side.Sell, limit, TimeInForce.Ioc);
  }

  private writePlace(
    writer: BatchWriter,
    side: number,
    price: number,
    timeInForce: number,
  ): number {
    const { command } = this;
    const account = 1 + this.below(this.size.accounts);
    command.ticket = this.nextOrderId;
    command.time = START + this.nextOrderId / 100;
    command.account = account;
    command.side = side;
    command.type = OrderType.Limit;
    command.timeInForce = timeInForce;
    command.source = OrderSource.Manual;
    command.selfTradePrevention = SelfTradePrevention.NONE;
    command.priceScale = MARKET.priceScale;
    command.amountScale = MARKET.amountScale;
    command.price = price;
    command.quantity = 100;
    PlaceOrder.write(writer, command);
    this.nextOrderId++;
    return account;
  }

  private writeCancel(writer: BatchWriter): void {
    const { cancellation, resting } = this;
    const at = this.below(resting.length);
    const order = resting[at];
    const last = resting.pop();
    if (order === undefined || last === undefined) return;
    if (at < resting.length) resting[at] = last;
    cancellation.ticket = this.nextOrderId;
    cancellation.time = START + this.nextOrderId / 100;
    cancellation.account = order.account;
    cancellation.orderId = order.id;
    CancelOrder.write(writer, cancellation);
  }

  private below(bound: number): number {
    let x = this.random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.random = x;
    return (x >>> 0) % bound;
  }
}

const MARKET: MarketConfiguration = {
  marketId: 'spot.btc_usdt',
  displayName: 'BTC/USDT',
  fullName: null,
  type: 'Spot',
  subtype: null,
  baseAssetId: 'btc',
  quoteAssetId: 'usdt',
  priceScale: 2,
  amountScale: 6,
  minAmount: 1,
  maxAmount: null,
  maxPrice: null,
  priceDeviation: 0,
  slippageRate: 11_000,
  feeRate: 100_000,
  feeMinimum: 0n,
  internalTtl: 5_000,
  externalTtl: 5_000,
  status: 'Open',
  calendar: null,
};
