import { MAX_UNITS, powerOfTen } from '../fixed-point/index.ts';
import type { CommissionEvent } from '../messages/commissions.ts';
import { lesser } from './charges.ts';
import { grown } from './columns.ts';

/** How many whole days before today count. */
const WINDOW_DAYS = 30;
/** So much a day that a whole window of it is still a balance. */
const DAY_MAX = MAX_UNITS / BigInt(WINDOW_DAYS);
/** Rates of the end of a day count in 10^-12. */
const RATE_SCALE = 12;

type TradingDayEnded = Extract<CommissionEvent, { type: 'TradingDayEnded' }>;

interface DayVolumes {
  readonly day: number;
  /** Root units of each account that traded, by `accounts`. */
  readonly accounts: Uint32Array;
  readonly volumes: BigInt64Array;
}

interface AssetVolumes {
  readonly asset: number;
  /** Units by account, whole numbers as far as those are exact. */
  amounts: Float64Array;
  /** What was more, by account. */
  readonly more: Map<number, bigint>;
}

export interface VolumesSnapshot {
  readonly today: readonly {
    readonly asset: number;
    readonly amounts: Float64Array;
    readonly more: readonly (readonly [number, bigint])[];
  }[];
  readonly days: readonly DayVolumes[];
}

/**
 * What each account has traded: today in units of the assets that it was traded for, earlier days in
 * root units at the rates of their ends. A day starts to count when it is over, and stops when it is
 * more than `WINDOW_DAYS` days before today. What no balance could hold is cut off rather than overflows.
 */
export class TradedVolumes {
  /** By asset. */
  private readonly today: (AssetVolumes | undefined)[] = [];
  private days: DayVolumes[] = [];
  /** The sum over `days` by account. */
  private sums = new BigInt64Array(0);

  /** Counts one side of a trade: `amount` in units of `asset`. */
  traded(asset: number, account: number, amount: bigint): void {
    const column = this.today[asset] ?? this.open(asset);
    // Every trade comes through here twice: numbers take a tenth of the time of bigints.
    const sum = (column.amounts[account] ?? 0) + Number(amount);
    if (account < column.amounts.length && sum <= Number.MAX_SAFE_INTEGER) {
      column.amounts[account] = sum;
    } else {
      addSlowly(column, account, amount);
    }
  }

  /** Root units of the days that count. */
  of(account: number): bigint {
    return account < this.sums.length ? (this.sums[account] as bigint) : 0n;
  }

  /** Whether the end of a day changes anything. */
  get isEmpty(): boolean {
    return this.days.length === 0 && this.today.length === 0;
  }

  /** The assets that were traded for today. */
  get assetsOfToday(): number[] {
    return [...this.today.keys()].filter((asset) => this.today[asset] !== undefined);
  }

  /** `scaleOf` tells the decimal places of an asset's unit. An asset without a rate counts nothing. */
  endDay(event: TradingDayEnded, rootScale: number, scaleOf: (asset: number) => number): void {
    const volumes = new Map<number, bigint>();
    for (const { asset, rate } of event.rates) {
      const numerator = rate * powerOfTen(rootScale);
      const denominator = powerOfTen(RATE_SCALE + scaleOf(asset));
      forEachOf(this.today[asset], (account, amount) => {
        const inRoot = (amount * numerator) / denominator;
        volumes.set(account, lesser((volumes.get(account) ?? 0n) + inRoot, DAY_MAX));
      });
    }
    this.today.length = 0;
    if (volumes.size > 0) {
      const ended = {
        day: event.day,
        accounts: Uint32Array.from(volumes.keys()),
        volumes: BigInt64Array.from(volumes.values()),
      };
      this.days.push(ended);
      this.count(ended, 1n);
    }
    const first = event.next - WINDOW_DAYS;
    for (const over of this.days.filter(({ day }) => day < first)) this.count(over, -1n);
    this.days = this.days.filter(({ day }) => day >= first);
  }

  save(): VolumesSnapshot {
    const today = this.today.filter((column) => column !== undefined);
    return {
      today: today.map(({ asset, amounts, more }) => ({
        asset,
        amounts: amounts.slice(),
        more: [...more],
      })),
      days: [...this.days],
    };
  }

  load(snapshot: VolumesSnapshot): void {
    for (const { asset, amounts, more } of snapshot.today) {
      this.today[asset] = { asset, amounts: amounts.slice(), more: new Map(more) };
    }
    this.days = [...snapshot.days];
    for (const day of this.days) this.count(day, 1n);
  }

  private open(asset: number): AssetVolumes {
    const column = { asset, amounts: new Float64Array(0), more: new Map<number, bigint>() };
    this.today[asset] = column;
    return column;
  }

  private count({ accounts, volumes }: DayVolumes, sign: bigint): void {
    accounts.forEach((account, place) => {
      this.sums = grown(this.sums, account);
      this.sums[account] = (this.sums[account] as bigint) + sign * (volumes[place] as bigint);
    });
  }
}

/** Makes room for the account, or moves what it has where there is room for any amount. */
function addSlowly(column: AssetVolumes, account: number, amount: bigint): void {
  column.amounts = grown(column.amounts, account);
  const { amounts, more } = column;
  const sum = BigInt(amounts[account] as number) + amount;
  if (sum <= BigInt(Number.MAX_SAFE_INTEGER)) {
    amounts[account] = Number(sum);
    return;
  }
  amounts[account] = 0;
  more.set(account, lesser((more.get(account) ?? 0n) + sum, MAX_UNITS));
}

function forEachOf(
  column: AssetVolumes | undefined,
  visit: (account: number, amount: bigint) => void,
): void {
  if (column === undefined) return;
  column.amounts.forEach((amount, account) => {
    if (amount > 0) visit(account, BigInt(amount));
  });
  for (const [account, amount] of column.more) visit(account, amount);
}
