import { Side } from '../../messages/enums.ts';
import { grown } from '../columns.ts';
import { NO_POSITION, type Positions } from './positions.ts';

/** No exposure: what `find` and the chains end with. */
export const NO_ROW = -1;

const EMPTY = new Int32Array(0);

/** The rows of one market that have a position, dense in any order. */
interface ActiveRows {
  rows: Int32Array;
  count: number;
}

/**
 * What each account has in each market on margin, a column a field: the sums over its positions and
 * over its open orders there. An account's rows are a chain; the rows of a market that have a position
 * are a dense list, so that a price touches exactly the accounts that it concerns.
 *
 * Follows from positions and open orders: it is not in a snapshot, but made anew.
 */
export class Exposures {
  accounts = new Uint32Array(64);
  markets = new Uint32Array(64);
  /** Steps of all long and of all short positions. */
  longQuantities = new Float64Array(64);
  shortQuantities = new Float64Array(64);
  /** Their opening notionals, ticks × steps. */
  longNotionals = new BigInt64Array(64);
  shortNotionals = new BigInt64Array(64);
  /** The margins of all positions, quote units. */
  margins = new BigInt64Array(64);
  /** Steps that open orders may still open or reduce; not those that close a hedged position. */
  pendingBuys = new Float64Array(64);
  pendingSells = new Float64Array(64);
  /** The margin that these orders would need if all of them opened, quote units. */
  pendingBuyMargins = new BigInt64Array(64);
  pendingSellMargins = new BigInt64Array(64);
  /** The newest position's slot, or `NO_POSITION`; the rest in Positions.nexts. */
  firstPositions = new Int32Array(64);
  private readonly positions: Positions;
  private heads = new Int32Array(64).fill(NO_ROW);
  private nexts = new Int32Array(64);
  /** Where the row stands among its market's active ones; -1 where it has no position. */
  private activePlaces = new Int32Array(64);
  private readonly active: ActiveRows[] = [];
  private rowCount = 0;

  constructor(positions: Positions) {
    this.positions = positions;
  }

  /** How many rows there are: they count from 0, and none ever goes. */
  get size(): number {
    return this.rowCount;
  }

  /** The row of the account in the market, or `NO_ROW`. */
  find(account: number, market: number): number {
    let row = this.firstOf(account);
    while (row !== NO_ROW && this.markets[row] !== market) row = this.nexts[row] as number;
    return row;
  }

  /** The same, made empty where there was none. */
  open(account: number, market: number): number {
    const found = this.find(account, market);
    return found === NO_ROW ? this.append(account, market) : found;
  }

  /** The first of an account's rows, or `NO_ROW`: an account that never traded on margin has none. */
  firstOf(account: number): number {
    return account < this.heads.length ? (this.heads[account] as number) : NO_ROW;
  }

  /** The account's row behind this one, or `NO_ROW`. */
  nextOf(row: number): number {
    return this.nexts[row] as number;
  }

  /** How many accounts have a position in the market. */
  activeCount(market: number): number {
    return this.active[market]?.count ?? 0;
  }

  /** The rows of the market that have a position: the first `activeCount`. Changes as positions do. */
  activeRows(market: number): Int32Array {
    return this.active[market]?.rows ?? EMPTY;
  }

  /** Whether the row is among its market's active ones. */
  isActive(row: number): boolean {
    const place = this.activePlaces[row] as number;
    const active = this.active[this.markets[row] as number];
    if (active === undefined || place < 0 || place >= active.count) return false;
    return active.rows[place] === row;
  }

  /** Whether the account has a position anywhere. */
  hasPosition(account: number): boolean {
    for (let row = this.firstOf(account); row !== NO_ROW; row = this.nextOf(row)) {
      if (this.firstPositions[row] !== NO_POSITION) return true;
    }
    return false;
  }

  /** Puts an open position into the exposure of its account, with what it already has. */
  link(slot: number): void {
    const { positions } = this;
    const row = this.open(positions.accounts[slot] as number, positions.markets[slot] as number);
    const first = this.firstPositions[row] as number;
    positions.rows[slot] = row;
    positions.nexts[slot] = first;
    positions.previouses[slot] = NO_POSITION;
    this.firstPositions[row] = slot;
    if (first === NO_POSITION) this.activate(row);
    else positions.previouses[first] = slot;
    const notional = positions.openNotionals[slot] as bigint;
    const margin = positions.margins[slot] as bigint;
    this.changed(slot, positions.quantities[slot] as number, notional, margin);
  }

  /** Takes out a position of which nothing is left. */
  unlink(slot: number): void {
    const { positions } = this;
    const row = positions.rows[slot] as number;
    const next = positions.nexts[slot] as number;
    const previous = positions.previouses[slot] as number;
    if (previous === NO_POSITION) this.firstPositions[row] = next;
    else positions.nexts[previous] = next;
    if (next !== NO_POSITION) positions.previouses[next] = previous;
    if (this.firstPositions[row] === NO_POSITION) this.deactivate(row);
  }

  /** The position at `slot` grew by so much, or shrank where it is negative. */
  changed(slot: number, quantity: number, notional: bigint, margin: bigint): void {
    const row = this.positions.rows[slot] as number;
    const long = this.positions.sides[slot] === Side.Buy;
    const quantities = long ? this.longQuantities : this.shortQuantities;
    const notionals = long ? this.longNotionals : this.shortNotionals;
    quantities[row] = (quantities[row] as number) + quantity;
    notionals[row] = (notionals[row] as bigint) + notional;
    this.margins[row] = (this.margins[row] as bigint) + margin;
  }

  /** What is pending on one side of the row grew by so much, or shrank. */
  pendingChanged(row: number, side: number, quantity: number, margin: bigint): void {
    const quantities = side === Side.Buy ? this.pendingBuys : this.pendingSells;
    const margins = side === Side.Buy ? this.pendingBuyMargins : this.pendingSellMargins;
    quantities[row] = (quantities[row] as number) + quantity;
    margins[row] = (margins[row] as bigint) + margin;
  }

  private activate(row: number): void {
    const market = this.markets[row] as number;
    let active = this.active[market];
    if (active === undefined) {
      active = { rows: new Int32Array(16), count: 0 };
      this.active[market] = active;
    }
    active.rows = grown(active.rows, active.count);
    active.rows[active.count] = row;
    this.activePlaces[row] = active.count++;
  }

  private deactivate(row: number): void {
    const active = this.active[this.markets[row] as number] as ActiveRows;
    const place = this.activePlaces[row] as number;
    const last = active.rows[--active.count] as number;
    active.rows[place] = last;
    this.activePlaces[last] = place;
    this.activePlaces[row] = -1;
  }

  private append(account: number, market: number): number {
    const row = this.rowCount++;
    if (row >= this.accounts.length) this.grow(row);
    const size = this.heads.length;
    this.heads = grown(this.heads, account);
    if (this.heads.length > size) this.heads.fill(NO_ROW, size);
    this.accounts[row] = account;
    this.markets[row] = market;
    this.firstPositions[row] = NO_POSITION;
    this.activePlaces[row] = -1;
    this.nexts[row] = this.heads[account] as number;
    this.heads[account] = row;
    return row;
  }

  private grow(row: number): void {
    this.accounts = grown(this.accounts, row);
    this.markets = grown(this.markets, row);
    this.longQuantities = grown(this.longQuantities, row);
    this.shortQuantities = grown(this.shortQuantities, row);
    this.longNotionals = grown(this.longNotionals, row);
    this.shortNotionals = grown(this.shortNotionals, row);
    this.margins = grown(this.margins, row);
    this.pendingBuys = grown(this.pendingBuys, row);
    this.pendingSells = grown(this.pendingSells, row);
    this.pendingBuyMargins = grown(this.pendingBuyMargins, row);
    this.pendingSellMargins = grown(this.pendingSellMargins, row);
    this.firstPositions = grown(this.firstPositions, row);
    this.nexts = grown(this.nexts, row);
    this.activePlaces = grown(this.activePlaces, row);
  }
}
