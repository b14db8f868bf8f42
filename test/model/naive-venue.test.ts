import { describe, expect, it } from 'vitest';
import type { Command } from '../clearing/commands.ts';
import { Rig } from '../clearing/rig.ts';
import { asset, openAccount, START, spotMarket } from '../clearing/venue.ts';
import { checkBooks } from '../simulation/book-check.ts';
import { Dice } from '../simulation/dice.ts';
import { seed } from '../support/seed.ts';
import { NaiveVenue } from './naive-venue.ts';
import { CommandSource, swarmWeights } from './naive-venue-commands.ts';
import { answerText, eventText, modelText, venueText } from './naive-venue-compare.ts';

const COMMANDS = Number(process.env['MODEL_COMMANDS'] ?? 120_000);
const COMMANDS_PER_VENUE = 400;
const CHECK_EVERY = 100;

const ASSETS = [
  asset('usdt', 6, { isRoot: true, marginRatio: 10_000 }),
  asset('btc', 8),
  asset('eth', 4),
  asset('eur', 2),
];

/** Quote units finer than, as fine as, and coarser than price times amount. */
const MARKETS = [
  spotMarket('btc', 'usdt', { priceScale: 2, amountScale: 3 }),
  spotMarket('eth', 'btc', { priceScale: 5, amountScale: 3, feeRate: 3_000_000 }),
  spotMarket('eth', 'eur', { priceScale: 3, amountScale: 2, feeRate: 123_457 }),
];
const ACCOUNTS = 4;

/** What a long enough stream has to have met, or it tests less than it seems to. */
const MET = [
  ...['placed', 'replayed', 'state', 'cancelled', 'transfer', 'done', 'nothing', 'trade'],
  ...['amended', 'Cancelled Trader', 'Expired Trader', 'Rejected Trader', 'Cancelled Admin'],
  ...['Cancelled MarketHalted', 'Cancelled MarketDisabled', 'TR0104', 'TR0105', 'TR0200'],
  ...['TR0204', 'TR0205', 'TR0206', 'TR0209', 'TR0210', 'TR0211', 'TR0215', 'TR0216', 'TR0217'],
  ...['TR0219', 'TR0220', 'TR0222', 'TR0301', 'TR0400', 'TR0501', 'TR0502', 'TR0503', 'TR0504'],
];

class Pair {
  readonly rig = new Rig();
  readonly model = new NaiveVenue(ASSETS, MARKETS, ACCOUNTS);
  private readonly met: Map<string, number>;
  private readonly sweeps = new Set(['cancelAll', 'cold']);

  constructor(met = new Map<string, number>()) {
    this.met = met;
    for (const configuration of ASSETS) this.rig.cold({ type: 'ConfigureAsset', configuration });
    for (const configuration of MARKETS) this.rig.cold({ type: 'ConfigureMarket', configuration });
    for (let n = 1; n < ACCOUNTS; n++) this.rig.cold(openAccount(`Account ${n}`, `user ${n}`));
    let transfers = 0;
    for (let account = 1; account < ACCOUNTS; account++) {
      for (const { assetId } of ASSETS) {
        const accountId = String(100_000 + account);
        const deduplicationId = `funds ${transfers++}`;
        const command = { type: 'Deposit', deduplicationId, accountId, assetId, amount: '40' };
        this.run({ kind: 'cold', command } as Command);
      }
    }
  }

  /** Both get the command; throws where they answer or act differently. */
  run(command: Command): void {
    this.rig.events.length = 0;
    const answer = answerText(this.rig.run(command));
    const happened = this.rig.events.flatMap((event) => eventText(event) ?? []);
    this.count(answer, happened);
    this.model.matching.log = [];
    const expected = this.model.apply(command, this.rig.now);
    const due = this.model.matching.log;
    if (this.sweeps.has(command.kind)) {
      // A sweep goes market by market here and by age there; both take the same orders.
      happened.sort();
      due.sort();
    }
    // An assertion costs more than the command: it is made where it fails.
    if (answer === expected && happened.join() === due.join()) return;
    expect({ answer, happened }).toEqual({ answer: expected, happened: due });
  }

  private count(answer: string, happened: readonly string[]): void {
    const names = happened.map((line) => {
      const [first = '', , status = '', reason = ''] = line.split(' ');
      return first === 'closed' ? `${status} ${reason}` : first === 'amended' ? first : 'trade';
    });
    for (const name of [answer.split(' ')[0] ?? '', ...names]) {
      this.met.set(name, (this.met.get(name) ?? 0) + 1);
    }
  }

  compare(): void {
    const venue = venueText(this.rig);
    const model = modelText(this.model, ASSETS.length);
    if (venue !== model) expect(venue).toBe(model);
  }

  check(): void {
    this.rig.check();
    checkBooks(this.rig.state, this.rig.workers);
    expect(this.rig.state.nextTransferId - 1).toBe(this.model.transferCount);
  }
}

function runVenue(venueSeed: number, met: Map<string, number>): void {
  const dice = new Dice(venueSeed);
  const pair = new Pair(met);
  const shape = {
    accounts: ACCOUNTS,
    assetIds: ASSETS.map(({ assetId }) => assetId),
    markets: MARKETS,
  };
  const source = new CommandSource(dice, shape, swarmWeights(dice));
  for (let n = 0; n < COMMANDS_PER_VENUE; n++) {
    const { rig, model } = pair;
    const command = source.next({
      orders: model.orders.length,
      transfers: model.transferCount,
      open: model.orders.filter(({ open }) => open),
      now: rig.now,
    });
    if (command.kind === 'tick') rig.now += dice.pick([1, 100, 100, 1_000]);
    // What is due would end while the command is looked at; the model knows no such in-between.
    if (model.due(rig.now).length > 0) pair.run({ kind: 'tick' });
    const { sequence } = rig.state;
    pair.run(command);
    // Without an event the state is what it was.
    if (rig.state.sequence !== sequence) pair.compare();
    if (n % CHECK_EVERY === 0) pair.check();
  }
  pair.check();
}

describe('clearing with its books, beside a naive model of the whole venue', () => {
  const venues = Math.ceil(COMMANDS / COMMANDS_PER_VENUE);

  it(`answers and acts the same over ${COMMANDS} random commands, SEED=${seed}`, () => {
    const met = new Map<string, number>();
    for (let n = 0; n < venues; n++) {
      const venueSeed = (seed + n) | 0;
      try {
        runVenue(venueSeed, met);
      } catch (error) {
        throw new Error(`SEED=${venueSeed} MODEL_COMMANDS=${COMMANDS_PER_VENUE} repeats this`, {
          cause: error,
        });
      }
    }
    if (venues > 100) expect(MET.filter((name) => !met.has(name))).toEqual([]);
  }, 600_000);
});

it('the venue starts at the time that its commands bring', () => {
  expect(new Pair().rig.state.time).toBe(START);
});
