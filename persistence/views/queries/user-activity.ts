import type Database from 'better-sqlite3';
import { type Decimal, parseDecimal, powerOfTen } from '../../../core/fixed-point/index.ts';
import { ViewsInconsistent } from '../errors.ts';
import type { UserCondition } from './forms.ts';
import type { Names } from './names.ts';
import type { AmountRange, UserActivityRequest } from './requests.ts';
import { RootAmounts } from './root-amounts.ts';

type AmountRow = readonly [userId: string, asset: string, amount: string];

/** The deposits that have come in, of everybody, in a window of time. */
const DEPOSITS = `SELECT owner_user_id, asset_id, amount
    FROM transfers INDEXED BY transfers_by_time
    CROSS JOIN accounts ON accounts.id = account
    CROSS JOIN assets ON assets.id = asset
    WHERE created BETWEEN ? AND ? AND transfers.type = 'Deposit' AND transfers.status = 'Completed'`;

const VOLUMES = `SELECT owner_user_id, quote_asset_id, volume FROM volumes
  CROSS JOIN accounts ON accounts.id = account
  CROSS JOIN markets ON markets.id = market`;

/** Amounts of users in the root asset count 10^-18. */
const SCALE = 18;

/** Which users have deposited and traded so much. */
export class UserActivityQueries {
  private readonly names: Names;
  private readonly amounts: RootAmounts;
  private readonly deposits: Database.Statement;
  private readonly volumes: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.amounts = new RootAmounts(database, names);
    this.deposits = database.prepare(DEPOSITS).raw();
    this.volumes = database.prepare(VOLUMES).raw();
  }

  /** A condition for each thing asked for; a user must meet them all. */
  list({ depositedAt, deposited, traded }: UserActivityRequest): UserCondition[] {
    const conditions: UserCondition[] = [];
    if (depositedAt !== null || deposited !== null) {
      const { from, to } = depositedAt ?? { from: 0, to: Number.MAX_SAFE_INTEGER };
      const rows = this.deposits.all(from, to) as AmountRow[];
      if (depositedAt !== null) {
        conditions.push({ userIds: [...new Set(rows.map(([userId]) => userId))], isAny: true });
      }
      if (deposited !== null) conditions.push(this.within(rows, deposited));
    }
    if (traded !== null) {
      conditions.push(this.within(this.volumes.all() as AmountRow[], traded));
    }
    return conditions;
  }

  /** Who is not in the rows has an amount of 0: where that fits, those are told who do not fit. */
  private within(rows: readonly AmountRow[], { from, to }: AmountRange): UserCondition {
    const [least, most] = [bound(from), bound(to)];
    const fits = (amount: bigint): boolean => least <= amount && amount <= most;
    const isAny = !fits(0n);
    const userIds: string[] = [];
    for (const [userId, amount] of this.inRoot(rows)) {
      if (fits(amount) === isAny) userIds.push(userId);
    }
    return { userIds, isAny };
  }

  /** What the rows of each user come to at the latest prices. */
  private inRoot(rows: readonly AmountRow[]): Map<string, bigint> {
    const sums = new Map<string, Map<string, bigint>>();
    for (const [userId, asset, amount] of rows) {
      const ofUser = sums.get(userId) ?? new Map<string, bigint>();
      sums.set(userId, ofUser);
      ofUser.set(asset, (ofUser.get(asset) ?? 0n) + units(parsed(amount)));
    }
    const rootId = this.names.rootAsset()?.assetId;
    const totals = new Map<string, bigint>();
    for (const [userId, ofUser] of sums) {
      let total = 0n;
      for (const [asset, sum] of ofUser) {
        // At par there is nothing to round.
        total += asset === rootId ? sum : units(parsed(this.amounts.latest(sum, asset, SCALE)));
      }
      totals.set(userId, total);
    }
    return totals;
  }
}

/** Of a request: one that cannot be read is no fault of the views. */
function bound(text: string): bigint {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new RangeError(`${text} is no amount`);
  return units(decimal);
}

function parsed(text: string): Decimal {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new ViewsInconsistent('an amount is not readable');
  return decimal;
}

/** What is finer than that is cut off. */
function units({ coefficient, scale }: Decimal): bigint {
  return scale <= SCALE
    ? coefficient * powerOfTen(SCALE - scale)
    : coefficient / powerOfTen(scale - SCALE);
}
