import {
  audit,
  ClearingState,
  hashState,
  Replay,
  takeSnapshot,
} from '../../core/clearing/index.ts';
import { BatchWriter } from '../../core/messages/record.ts';
import type { JournalInput } from '../../persistence/journal/protocol.ts';
import { rematchAll } from '../../persistence/verify/index.ts';
import { type Command, type Scales, writeCommand } from '../clearing/commands.ts';
import { decodeAnswers, decodeEvents } from '../clearing/records.ts';
import { accountIdOf, START } from '../clearing/venue.ts';
import { MarginFollower } from '../model/margin/follower.ts';
import { checkBooks, checkEachBook } from './book-check.ts';
import { Clients, isPlacement, type Request } from './clients.ts';
import { Dice } from './dice.ts';
import { SimulatedDisk } from './disk.ts';
import { History } from './history.ts';
import { checkMargin, checkStoppedOut, checkTriggered } from './margin-check.ts';
import { type Delivery, VenueProcess } from './process.ts';
import { type OpenPosition, type Scenario, type SimulationView, SPOT } from './scenario.ts';

/** How one simulation differs from another; all of it follows from the seed. */
interface Swarm {
  readonly steps: number;
  readonly accounts: number;
  readonly workers: number;
  readonly snapshotEvery: number;
  readonly damagedSnapshots: number;
  /** Once in so many steps; 0 for never. */
  readonly crashes: number;
  readonly brokenWrites: number;
  readonly repeats: number;
  readonly clockJumps: number;
  readonly snapshots: number;
  /** How many requests wait at most, and how eagerly they come. */
  readonly underWay: number;
  readonly eagerness: number;
  /** How likely each channel moves, so that some seeds starve one. */
  readonly pace: ReadonlyMap<string, number>;
}

export interface Outcome {
  readonly steps: number;
  readonly crashes: number;
  readonly events: number;
  readonly answers: number;
  /** The same for every run of the same seed. */
  readonly hash: string;
}

/** Far more than a healthy venue needs to finish everything. */
const CALM_STEPS_MAX = 200_000;
const CALM_TICKS = 12;
const CHECK_EVERY = 64;
const WINDOW = 100_000;

function swarmOf(dice: Dice, scenario: Scenario): Swarm {
  const rarely = (n: number) => (dice.oneIn(4) ? 0 : n * dice.between(1, 4));
  const channels = ['requests', 'continue', 'journal', 'release', 'snapshot', 'book', 'results'];
  return {
    steps: dice.between(600, 2_400),
    accounts: scenario.accounts(dice),
    workers: dice.between(1, 3),
    snapshotEvery: dice.pick([10, 60, 400, 1e9]),
    damagedSnapshots: dice.pick([0, 2, 6]),
    crashes: rarely(120),
    brokenWrites: rarely(150),
    repeats: rarely(8),
    clockJumps: rarely(60),
    snapshots: rarely(50),
    underWay: dice.pick([1, 4, 16, 64]),
    eagerness: dice.between(1, 4),
    pace: new Map(channels.map((name) => [name, dice.pick([1, 4, 16])])),
  };
}

/**
 * A venue’s life under one seed: requests arrive, messages are delivered in any order that the
 * channels allow, the process dies at any of them, writes of the disk go wrong; then all calms down
 * and every request must be answered. Throws at the first thing that is not as it must be.
 */
export class Simulation {
  private readonly dice: Dice;
  private readonly swarm: Swarm;
  private readonly disk: SimulatedDisk;
  private readonly clients = new Clients();
  private readonly scenario: Scenario;
  private readonly source: { next(view: SimulationView): Command };
  private readonly writer = new BatchWriter();
  private process: VenueProcess;
  private history = new History();
  /** Every event that clearing has given away, whether it is durable or not. */
  private follower = new MarginFollower();
  private now = START;
  private steps = 0;
  private crashes = 0;
  private names = 0;

  constructor(seed: number, scenario = SPOT) {
    this.scenario = scenario;
    this.dice = new Dice(seed);
    this.swarm = swarmOf(this.dice, scenario);
    this.disk = new SimulatedDisk(this.dice);
    this.source = scenario.source(this.dice, this.swarm.accounts);
    this.process = this.start();
  }

  run(): Outcome {
    this.prepare();
    const { swarm, dice } = this;
    for (let step = 0; step < swarm.steps; step++) {
      this.steps++;
      this.now += dice.below(20);
      if (dice.oneIn(swarm.clockJumps))
        this.now += dice.pick([1_500, 61_000, 3_600_000, -3_600_000, 90_000_000]);
      if (dice.oneIn(swarm.brokenWrites)) this.disk.breakNextWrite();
      if (dice.oneIn(swarm.crashes)) this.crash();
      else this.live(() => this.step());
      if (step % CHECK_EVERY === 0) this.checkLive();
    }
    this.calm();
    this.checkQuiet();
    return {
      steps: this.steps,
      crashes: this.crashes,
      events: this.history.sequence,
      answers: this.clients.answered,
      hash: hashState({
        state: takeSnapshot(this.process.state),
        steps: this.steps,
        now: this.now,
      }),
    };
  }

  /** The venue is configured and funded before anything goes wrong. */
  private prepare(): void {
    const { assets, markets, settings, openAccount, fundsOf } = this.scenario;
    for (const configuration of assets) this.cold({ type: 'ConfigureAsset', configuration });
    for (const configuration of markets) this.cold({ type: 'ConfigureMarket', configuration });
    for (const command of settings) this.cold(command);
    const known = this.process.state.markets.length;
    if (known < markets.length) throw new Error(`only ${known} markets could be configured`);
    for (let account = 1; account <= this.swarm.accounts; account++) {
      this.cold(openAccount(account));
      for (const { assetId } of assets) {
        const accountId = accountIdOf(account);
        const deduplicationId = `funds ${account} ${assetId}`;
        const amount = fundsOf(account, assetId);
        this.cold({ type: 'Deposit', deduplicationId, accountId, assetId, amount });
      }
    }
  }

  private cold(command: Extract<Command, { kind: 'cold' }>['command']): void {
    this.request({ command: { kind: 'cold', command }, ticket: 0, attempts: 0 });
    this.drain();
  }

  /** Something new is asked for, or something that waits moves on. */
  private step(): void {
    const { dice, swarm } = this;
    if (dice.oneIn(swarm.snapshots)) this.process.takeSnapshot();
    const waiting = this.process.waiting();
    const mayAsk = this.clients.waiting.size < swarm.underWay;
    if (mayAsk && (waiting.length === 0 || dice.below(8) < swarm.eagerness)) this.ask();
    else if (waiting.length > 0) this.deliver(this.choose(waiting));
  }

  private choose(waiting: readonly Delivery[]): Delivery {
    const weights: Record<string, number> = {};
    for (const name of waiting) weights[name] = this.swarm.pace.get(name.split(' ')[0] ?? '') ?? 1;
    return this.dice.weighted(weights) as Delivery;
  }

  private deliver(what: Delivery): void {
    this.take(this.process.deliver(what));
  }

  /** What the journal has released reaches the clients. */
  private take(inputs: readonly JournalInput[]): void {
    this.follow();
    for (const input of inputs) {
      if (input.count > 0) this.history.append({ ...input, events: new Uint8Array(input.events) });
    }
    for (const { answers } of inputs) {
      for (const answer of decodeAnswers(answers)) this.clients.receive(answer, this.history);
    }
  }

  /** Clearing's state must be what its events lead to, whenever it has told all of them. */
  private follow(): void {
    const { process, follower } = this;
    const told = process.takeEmitted();
    for (const events of told) for (const event of decodeEvents(events)) follower.apply(event);
    if (told.length > 0 && process.clearing.events.empty) checkMargin(process.state, follower);
  }

  private ask(): void {
    const again = this.dice.oneIn(this.swarm.repeats)
      ? this.clients.repeated((choices) => this.dice.pick(choices))
      : undefined;
    const request = this.clients.lost.shift() ?? again ?? this.newRequest();
    this.request(request);
    // A client that lost patience asks again while the first one is still under way.
    const { command } = request;
    const named = isPlacement(command) && command.clientOrderId;
    if (named && this.dice.oneIn(this.swarm.repeats)) {
      this.request({ command, ticket: 0, attempts: 1 });
    }
  }

  private newRequest(): Request {
    const view = {
      orders: this.history.orders.size,
      transfers: this.history.transfers.size,
      open: this.history.open,
      stopOrders: this.history.waitingStopOrders,
      positions: this.openPositions(),
      now: this.now,
    };
    return { command: this.named(this.source.next(view)), ticket: 0, attempts: 0 };
  }

  private openPositions(): OpenPosition[] {
    return [...this.history.follower.positions.open.values()].map((position) => ({
      ...position,
      quantity: Number(position.quantity),
    }));
  }

  /** Nearly every order has a name of its own, every transfer must. */
  private named(command: Command): Command {
    const name = `n${++this.names}`;
    if (isPlacement(command)) {
      return { ...command, clientOrderId: this.dice.oneIn(10) ? '' : name };
    }
    if (command.kind !== 'cold') return command;
    const { type } = command.command;
    if (type !== 'Deposit' && type !== 'Withdraw') return command;
    return { kind: 'cold', command: { ...command.command, deduplicationId: name } };
  }

  private request(request: Request): void {
    const { command } = request;
    const ticket = command.kind === 'tick' ? 0 : this.clients.send(request);
    writeCommand(this.writer, command, ticket, this.now, (asked) => this.scalesOf(asked));
    // Some requests travel together.
    if (!this.dice.oneIn(3)) this.flush();
  }

  private flush(): void {
    if (!this.writer.empty) this.process.requests.push(this.writer.take());
  }

  private scalesOf(command: Command): Scales {
    const market =
      command.kind === 'amend'
        ? this.history.orders.get(command.orderId)?.accepted.market
        : isPlacement(command)
          ? command.market
          : 0;
    return this.scenario.markets[market ?? 0] as Scales;
  }

  /** Runs what a broken disk may end. */
  private live(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof Error && error.name === 'JournalWriteFailed')) throw error;
      this.crash();
    }
  }

  private crash(): void {
    this.crashes++;
    this.writer.clear();
    this.clients.disconnect();
    this.disk.settle(this.dice.oneIn(3));
    // The next process may die before it has done anything.
    this.process = this.start();
    if (this.dice.oneIn(5)) this.process = this.start();
  }

  private start(): VenueProcess {
    const { workers, snapshotEvery, damagedSnapshots } = this.swarm;
    const process = new VenueProcess(this.disk, this.dice, this.now, {
      workers,
      snapshotEvery,
      damagedSnapshots,
      clientOrderIdWindow: WINDOW,
    });
    this.checkRecovered(process.recoveredHash);
    this.follower = new MarginFollower();
    for (const { events } of this.disk.batches()) {
      for (const event of decodeEvents(events)) this.follower.apply(event);
    }
    return process;
  }

  /** What was told to anybody is in the journal; the journal alone leads to the recovered state. */
  private checkRecovered(recoveredHash: string): void {
    const told = this.history;
    this.history = new History();
    const state = new ClearingState(WINDOW);
    const replay = new Replay(state);
    for (const batch of this.disk.batches()) {
      // The first events of the new process are not written yet.
      this.history.append(batch);
      replay.apply(batch.firstSequence, batch.events);
    }
    told.records.forEach((record, index) => {
      const kept = this.history.records[index];
      if (kept === undefined || Buffer.compare(kept, record) !== 0) {
        throw new Error(`event ${index + 1} was told of, and the journal has lost it`);
      }
    });
    if (hashState(takeSnapshot(state)) !== recoveredHash) {
      throw new Error(`a replay of all ${state.sequence} events reaches another state`);
    }
    this.history.compareWith(state);
  }

  private checkLive(): void {
    const { state, workers } = this.process;
    const { assets, heldMismatches } = audit(state);
    for (const { assetId, ledgers, netTransfers } of assets) {
      if (ledgers !== netTransfers)
        throw new Error(`${assetId}: ${ledgers} is not ${netTransfers}`);
    }
    if (heldMismatches > 0) throw new Error(`${heldMismatches} entries hold the wrong amount`);
    const mayOwe = this.scenario.houseStandsIn ? state.rootAsset : -1;
    state.ledger.forEachOf(0, (asset, total) => {
      if (total < 0n && asset !== mayOwe)
        throw new Error(`the house owes ${-total} of asset ${asset}`);
    });
    checkEachBook(state, workers);
  }

  /** No more faults: everything that was asked for must come to an end. */
  private calm(): void {
    this.disk.settle(false);
    do {
      for (const request of this.clients.lost.splice(0)) this.request(request);
      this.drain();
    } while (this.clients.lost.length > 0);
    // What could not be closed is tried again each second, a little deeper into the account’s own orders.
    for (let tick = 0; tick < CALM_TICKS; tick++) {
      // The venue's time stands still until a clock that was set back has caught up.
      this.now = Math.max(this.now, this.process.state.time) + 1_100;
      this.request({ command: { kind: 'tick' }, ticket: 0, attempts: 0 });
      this.drain();
    }
    this.history.checkExpired();
    this.history.checkHalted();
    const { size } = this.clients.waiting;
    if (size > 0) throw new Error(`${size} requests are never answered`);
  }

  private drain(): void {
    this.flush();
    for (let step = 0; step < CALM_STEPS_MAX; step++) {
      const waiting = this.process.waiting();
      if (waiting.length === 0) return;
      this.steps++;
      this.live(() => this.deliver(this.choose(waiting)));
    }
    throw new Error('the venue never comes to rest');
  }

  private checkQuiet(): void {
    const { state, workers } = this.process;
    if (!this.process.isQuiet) throw new Error('clearing keeps something to itself');
    this.checkLive();
    checkBooks(state, workers);
    checkMargin(state, this.follower);
    checkStoppedOut(state, this.follower, this.now);
    checkTriggered(state, this.follower, this.now);
    this.checkRecovered(hashState(takeSnapshot(state)));
    rematchAll(this.disk.batches(), WINDOW);
  }
}
