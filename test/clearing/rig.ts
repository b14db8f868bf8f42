import {
  audit,
  Clearing,
  type ClearingSnapshot,
  ClearingState,
  hashState,
  Replay,
  restoreState,
  takeSnapshot,
} from '../../core/clearing/index.ts';
import { formatUnits } from '../../core/fixed-point/index.ts';
import { MarketWorker } from '../../core/market/index.ts';
import { unpackBalances } from '../../core/messages/balances.ts';
import { decodeCold } from '../../core/messages/codec.ts';
import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { MarketConfiguration } from '../../core/messages/configuration.ts';
import type { Query } from '../../core/messages/queries.ts';
import { BatchWriter, RecordCursor } from '../../core/messages/record.ts';
import { refusalByCode, refusalCode } from '../../core/messages/refusals.ts';
import { type Command, type OrderRequest, type Scales, writeCommand } from './commands.ts';
import {
  type Answer,
  type AnswerOf,
  decodeAnswers,
  decodeEvents,
  type VenueEvent,
} from './records.ts';
import { accountIdOf, asset, openAccount, START, spotMarket } from './venue.ts';

export interface RigOptions {
  readonly workers?: number;
  readonly clientOrderIdWindow?: number;
  readonly openOrdersMax?: number;
  readonly timeZoneId?: string;
  readonly now?: number;
  /** A recovered state to go on from. */
  readonly state?: ClearingState;
}

/** A run of events as the journal would get it. */
export interface RecordedBatch {
  readonly firstSequence: number;
  readonly count: number;
  readonly events: Uint8Array;
}

/**
 * Clearing and its market workers in one thread, driven by plain commands. `run` takes one command
 * to its end; `send`, `matchAll` and `settleAll` do the same in steps, so that a test can let
 * messages cross.
 */
export class Rig {
  readonly clearing: Clearing;
  readonly workers: readonly MarketWorker[];
  readonly journal: RecordedBatch[] = [];
  readonly events: VenueEvent[] = [];
  readonly answers = new Map<number, Answer>();
  now: number;
  private readonly results: ArrayBuffer[][];
  private readonly window: number | undefined;
  private readonly inbox = new BatchWriter();
  private nextTicket = 1;

  constructor(options: RigOptions = {}) {
    const { workers = 1, clientOrderIdWindow, openOrdersMax, now = START } = options;
    this.window = clientOrderIdWindow;
    this.now = now;
    this.clearing = new Clearing(options.state ?? new ClearingState(clientOrderIdWindow), {
      workers,
      ...(openOrdersMax === undefined ? {} : { openOrdersMax }),
      ...(options.timeZoneId === undefined ? {} : { timeZoneId: options.timeZoneId }),
    });
    this.workers = this.clearing.workers.map(() => new MarketWorker());
    this.results = this.workers.map(() => []);
    this.clearing.resume(now);
    this.finish();
  }

  get state(): ClearingState {
    return this.clearing.state;
  }

  /** Hands one command to clearing and returns its ticket; nothing goes to the books yet. */
  send(command: Command): number {
    const ticket = this.nextTicket++;
    writeCommand(this.inbox, command, ticket, this.now, (asked) => this.scalesOf(asked));
    const cursor = new RecordCursor(this.inbox.take());
    while (cursor.next()) this.clearing.command(cursor);
    this.collect();
    return ticket;
  }

  /** Lets the books work on everything that was sent to them; their results wait. */
  matchAll(): boolean {
    let matched = false;
    this.workers.forEach((worker, index) => {
      const commands = this.clearing.workers[index];
      if (commands === undefined || commands.empty) return;
      const cursor = new RecordCursor(commands.take());
      while (cursor.next()) worker.command(cursor);
      if (!worker.results.empty) this.results[index]?.push(worker.results.take());
      matched = true;
    });
    return matched;
  }

  /** Gives clearing all results that wait. */
  settleAll(): void {
    for (const waiting of this.results) {
      for (const batch of waiting.splice(0)) {
        const cursor = new RecordCursor(batch);
        while (cursor.next()) this.clearing.result(cursor);
      }
    }
    this.collect();
  }

  /** Goes on until nothing is under way. */
  finish(): void {
    let busy = true;
    while (busy) {
      busy = this.clearing.work();
      busy = this.matchAll() || busy;
      this.settleAll();
    }
  }

  /** One command to its end; undefined where it has no answer. */
  run(command: Command): Answer | undefined {
    const ticket = this.send(command);
    this.finish();
    return this.answers.get(ticket);
  }

  place(account: number, request: OrderRequest): Answer {
    return this.expectAnswer({ kind: 'place', account, ...request });
  }

  /** Places an order that must be created; returns its id. */
  order(account: number, request: OrderRequest): number {
    return this.expect('OrderPlaced', { kind: 'place', account, ...request }).orderId;
  }

  cancel(account: number, orderId: number): Answer {
    return this.expectAnswer({ kind: 'cancel', account, orderId });
  }

  amend(account: number, orderId: number, change: { price?: number; amount?: number }): Answer {
    return this.expectAnswer({ kind: 'amend', account, orderId, ...change });
  }

  /** The answer, which must be of this record. */
  expect<K extends Answer['record']>(record: K, command: Command): AnswerOf<K> {
    const answer = this.expectAnswer(command);
    if (answer.record !== record) {
      throw new Error(`${describe(answer)} answers ${JSON.stringify(command)}, not ${record}`);
    }
    return answer as AnswerOf<K>;
  }

  /** A cold command or query that must be answered; its answer decoded. */
  cold<T>(command: AdminCommand | Query): T {
    return decodeCold<T>(this.expect('ColdAnswer', { kind: 'cold', command }).payload);
  }

  deposit(account: number, assetId: string, amount: string): void {
    const deduplicationId = `rig-${this.nextTicket}`;
    this.cold({
      type: 'Deposit',
      deduplicationId,
      accountId: accountIdOf(account),
      assetId,
      amount,
    });
  }

  tick(advanceMs: number): void {
    this.now += advanceMs;
    this.run({ kind: 'tick' });
  }

  configureMarket(market: number, change: Partial<MarketConfiguration>): Answer {
    const configuration = { ...this.state.market(market).configuration, ...change };
    return this.expectAnswer({ kind: 'cold', command: { type: 'ConfigureMarket', configuration } });
  }

  /** `total/held` of an account in an asset, as decimals. */
  balance(account: number, assetId: string): string {
    const { balances } = this.expect('BalancesAnswer', { kind: 'balances', account });
    const { index, configuration } = this.state.assetOf(assetId)!;
    const view = unpackBalances(balances)[index];
    const text = (units: bigint) => formatUnits(units, configuration.scale);
    return `${text(view?.total ?? 0n)}/${text(view?.held ?? 0n)}`;
  }

  /** `amount@price` of the trades since the last call, in ticks and steps. */
  trades(): string[] {
    return this.take('OrdersTraded').map((trade) => `${trade.quantity}@${trade.price}`);
  }

  /** The events of one record since the last call of any of the takers. */
  take<K extends VenueEvent['record']>(record: K): Extract<VenueEvent, { record: K }>[] {
    const matching = this.events.filter((event) => event.record === record);
    this.events.length = 0;
    return matching as Extract<VenueEvent, { record: K }>[];
  }

  /** What is open in a market, first in priority first. */
  openOrders(market: number): string[] {
    const { orders } = this.state.market(market);
    return [...orders.slotsByPriority()].map((slot) => {
      const side = (orders.traits[slot]! & 1) === 0 ? 'Buy' : 'Sell';
      return `${orders.orderIds[slot]} ${side} ${orders.remainings[slot]}@${orders.prices[slot]}`;
    });
  }

  snapshot(): ClearingSnapshot {
    return takeSnapshot(this.state);
  }

  hash(): string {
    return hashState(this.snapshot());
  }

  /** A state built from what was recorded after `from`, which must be a state of this venue. */
  replay(from = new ClearingState(this.window)): ClearingState {
    const replay = new Replay(from);
    for (const batch of this.journal) {
      if (batch.firstSequence > from.sequence) replay.apply(batch.firstSequence, batch.events);
    }
    return from;
  }

  /** The venue after a crash that lost nothing, restored from a snapshot of now. */
  restarted(now = this.now): Rig {
    const state = restoreState(this.snapshot(), this.window);
    return new Rig({ workers: this.workers.length, state, now });
  }

  /** Throws where money was made or lost, or anything holds what it does not need. */
  check(): void {
    const { assets, heldMismatches, marginMismatches } = audit(this.state);
    for (const { assetId, ledgers, netTransfers } of assets) {
      if (ledgers !== netTransfers)
        throw new Error(`${assetId}: ${ledgers} is not ${netTransfers}`);
    }
    if (heldMismatches > 0) throw new Error(`${heldMismatches} entries hold the wrong amount`);
    if (marginMismatches > 0) throw new Error(`${marginMismatches} mismatches on margin`);
  }

  private expectAnswer(command: Command): Answer {
    const answer = this.run(command);
    if (answer === undefined) throw new Error(`no answer to ${JSON.stringify(command)}`);
    return answer;
  }

  private collect(): void {
    const { events, answers, state } = this.clearing;
    if (!events.empty) {
      const { count } = events;
      const bytes = new Uint8Array(events.take());
      this.journal.push({ firstSequence: state.sequence - count + 1, count, events: bytes });
      this.events.push(...decodeEvents(bytes));
    }
    if (answers.empty) return;
    for (const answer of decodeAnswers(answers.take())) {
      if (this.answers.has(answer.ticket)) throw new Error(`two answers to ${answer.ticket}`);
      this.answers.set(answer.ticket, answer);
    }
  }

  private scalesOf(command: Command): Scales {
    const known =
      'market' in command && command.market !== undefined
        ? this.state.markets[command.market]
        : command.kind === 'amend'
          ? this.state.openOrder(command.orderId)
          : undefined;
    return known?.configuration ?? { priceScale: 0, amountScale: 0 };
  }
}

/** `OrderPlaced`, or the code of a refusal. */
export function describe(answer: Answer | undefined): string {
  if (answer === undefined) return 'nothing';
  if (answer.record !== 'Refused') return answer.record;
  return refusalCode(refusalByCode(answer.code));
}

export const BTC_USDT = 0;
export const ETH_USDT = 1;
export const ETH_BTC = 2;
export const ALICE = 1;
export const BOB = 2;
export const CAROL = 3;
/** Another account of Alice's. */
export const ALICE_TOO = 4;

/** Three markets, four funded accounts of three traders. */
export function tradingRig(
  options: RigOptions = {},
  market: Partial<MarketConfiguration> = {},
): Rig {
  const rig = new Rig(options);
  rig.cold({
    type: 'ConfigureAsset',
    configuration: asset('usdt', 6, { isRoot: true, marginRatio: 10_000 }),
  });
  rig.cold({ type: 'ConfigureAsset', configuration: asset('btc', 8) });
  rig.cold({ type: 'ConfigureAsset', configuration: asset('eth', 8) });
  rig.cold({ type: 'ConfigureMarket', configuration: spotMarket('btc', 'usdt', market) });
  rig.cold({ type: 'ConfigureMarket', configuration: spotMarket('eth', 'usdt', market) });
  rig.cold({
    type: 'ConfigureMarket',
    configuration: spotMarket('eth', 'btc', { priceScale: 5, ...market }),
  });
  for (const [name, owner] of [
    ['Alice', 'alice'],
    ['Bob', 'bob'],
    ['Carol', 'carol'],
    ['Alice too', 'alice'],
  ] as const) {
    rig.cold(openAccount(name, owner));
  }
  for (const account of [ALICE, BOB, CAROL, ALICE_TOO]) {
    rig.deposit(account, 'usdt', '100000');
    rig.deposit(account, 'btc', '10');
    rig.deposit(account, 'eth', '100');
  }
  rig.events.length = 0;
  return rig;
}
