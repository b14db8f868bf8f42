import { describe, expect, test } from 'vitest';
import type { UserCondition } from '../../persistence/views/queries/forms.ts';
import type { UserActivityRequest } from '../../persistence/views/queries/requests.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { Random, seedOf } from '../persistence/support/random.ts';
import { EventStream } from './support/event-stream.ts';
import { MemorySource } from './support/memory-source.ts';
import { ask, projectAll, withReader } from './support/projecting.ts';

/** All amounts here count 10^-18 of an asset, as the filter's do. */
const ONE = 10n ** 18n;
const USERS = ['user-0', 'user-1', 'user-2'];

interface Deposit {
  readonly account: number;
  readonly asset: number;
  readonly amount: bigint;
  readonly createdAt: number;
}

/** A history with deposits in it, and what it comes to for each user, computed the plain way. */
class Activity {
  readonly dataDir = temporaryDirectory();
  readonly deposits: Deposit[] = [];
  private readonly stream: EventStream;
  private readonly assets: { readonly assetId: string; readonly scale: number }[] = [];
  private rootId = '';

  constructor(seed: number) {
    const random = new Random(seed);
    this.stream = new EventStream(random);
    this.stream.openVenue();
    for (let step = 0; step < 300; step++) {
      this.stream.step();
      if (step % 10 === 0) this.deposit(random, step);
    }
    const source = new MemorySource();
    source.take(this.stream.writer);
    projectAll(this.dataDir, source);
    for (const event of this.stream.events) {
      if (event.kind !== 'cold' || event.event.type !== 'AssetConfigured') continue;
      const { asset, configuration } = event.event;
      this.assets[asset] = configuration;
      if (configuration.isRoot) this.rootId = configuration.assetId;
    }
  }

  ask(request: Partial<UserActivityRequest>): UserCondition[] {
    const nothing = { depositedAt: null, deposited: null, traded: null };
    return withReader(this.dataDir, (reader) =>
      ask<UserCondition[]>(reader, { ...nothing, ...request, kind: 'userActivity' }),
    );
  }

  /** The users for whom a condition holds. */
  fitting({ userIds, isAny }: UserCondition): string[] {
    return USERS.filter((user) => userIds.includes(user) === isAny);
  }

  deposited(account: number, from = 0, to = Number.MAX_SAFE_INTEGER): bigint {
    const own = this.deposits.filter((deposit) => {
      return deposit.account === account && deposit.createdAt >= from && deposit.createdAt <= to;
    });
    const sums = new Map<number, bigint>();
    for (const { asset, amount } of own) sums.set(asset, (sums.get(asset) ?? 0n) + amount);
    let total = 0n;
    for (const [asset, sum] of sums) {
      const { assetId = '', scale = 0 } = this.assets[asset] ?? {};
      total += this.inRoot(assetId, sum * 10n ** BigInt(18 - scale));
    }
    return total;
  }

  traded(account: number): bigint {
    const sums = new Map<string, bigint>();
    for (const { quote, takerAccount, makerAccount, notional } of this.trades()) {
      for (const side of [takerAccount, makerAccount]) {
        if (side === account) sums.set(quote, (sums.get(quote) ?? 0n) + notional);
      }
    }
    let total = 0n;
    for (const [quote, sum] of sums) total += this.inRoot(quote, sum);
    return total;
  }

  /** At the last price of the latest minute, rounded half up to the root asset's scale. */
  private inRoot(assetId: string, amount: bigint): bigint {
    if (assetId === this.rootId) return amount;
    const trades = [...this.trades()].filter(({ base, quote }) => {
      return base === assetId && quote === this.rootId;
    });
    const minutes = trades.map(({ time }) => Math.floor(time / 60_000));
    const latest = Math.max(...minutes);
    const price = trades.filter((_, index) => minutes[index] === latest).at(-1)?.price ?? 0n;
    const rootScale = this.assets.find((asset) => asset.assetId === this.rootId)?.scale ?? 0;
    const unit = 10n ** BigInt(18 - rootScale);
    const twice = (2n * amount * price) / ONE;
    return ((twice + unit) / (2n * unit)) * unit;
  }

  private *trades() {
    const markets = new Map<number, [base: string, quote: string, price: number, amount: number]>();
    for (const event of this.stream.events) {
      if (event.kind === 'cold' && event.event.type === 'MarketConfigured') {
        const { baseAssetId, quoteAssetId, priceScale, amountScale } = event.event.configuration;
        markets.set(event.event.market, [baseAssetId, quoteAssetId, priceScale, amountScale]);
      }
      if (event.kind !== 'traded') continue;
      const [base, quote, priceScale, amountScale] = markets.get(event.market) ?? ['', '', 0, 0];
      const { time, takerAccount, makerAccount } = event;
      const price = BigInt(event.price) * 10n ** BigInt(18 - priceScale);
      const amount = BigInt(event.quantity) * 10n ** BigInt(18 - amountScale);
      const notional = (price * amount) / ONE;
      yield { base, quote, time, takerAccount, makerAccount, price, notional };
    }
  }

  private deposit(random: Random, step: number): void {
    const account = random.between(0, 1);
    const asset = random.between(0, 2);
    const amount = BigInt(random.between(1, 1_000_000));
    const createdAt = this.stream.time;
    this.deposits.push({ account, asset, amount, createdAt });
    this.stream.cold({
      type: 'TransferCreated',
      transfer: {
        transferId: 1_000_000 + step,
        deduplicationId: `deposit-${step}`,
        account,
        asset,
        type: 'Deposit',
        status: 'Completed',
        amount,
        callbackUrl: null,
        createdAt,
        updatedAt: createdAt,
      },
    });
  }
}

/** A plain decimal of 18 places. */
function text(amount: bigint): string {
  const digits = String(amount).padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

describe('who has deposited and traded so much', () => {
  const seed = seedOf('user activity');

  test.each(Array.from({ length: 4 }, (_, n) => seed + n))(
    'is told exactly, at both ends of a range (seed %i)',
    (each) => {
      const activity = new Activity(each);
      for (const account of [0, 1, 2]) {
        const user = `user-${account}`;
        for (const [field, amount] of [
          ['traded', activity.traded(account)],
          ['deposited', activity.deposited(account)],
        ] as const) {
          const has = (from: bigint, to: bigint): boolean => {
            const range = { from: text(from), to: text(to) };
            const [condition] = activity.ask({ [field]: range });
            return condition !== undefined && activity.fitting(condition).includes(user);
          };
          expect(has(amount, amount), `${field} ${text(amount)}`).toBe(true);
          expect(has(0n, amount)).toBe(true);
          expect(has(amount + 1n, amount + ONE)).toBe(false);
          if (amount > 0n) expect(has(0n, amount - 1n)).toBe(false);
        }
      }
      expect(activity.traded(0)).toBeGreaterThan(0n);
      expect(activity.deposited(2)).toBe(0n);
    },
  );

  test('in a window of time counts what came in it, both ends included', () => {
    const activity = new Activity(seed);
    const { createdAt: from } = activity.deposits[3] ?? { createdAt: 0 };
    const to = from + 10_000_000;
    const [at, amount] = activity.ask({
      depositedAt: { from, to },
      deposited: { from: '0.000000000000000001', to: '1e30' },
    });
    const inWindow = activity.deposits.filter(({ createdAt }) => {
      return createdAt >= from && createdAt <= to;
    });
    const depositors = new Set(inWindow.map(({ account }) => `user-${account}`));
    expect(depositors.size).toBeGreaterThan(0);
    expect(at?.isAny).toBe(true);
    expect(new Set(at && activity.fitting(at))).toEqual(depositors);
    const worth = USERS.filter((_, account) => activity.deposited(account, from, to) > 0n);
    expect(amount && activity.fitting(amount)).toEqual(worth);
    const [none] = activity.ask({ depositedAt: { from: 0, to: 1 } });
    expect(none).toEqual({ userIds: [], isAny: true });
  });
});
