import { Side } from '../../messages/enums.ts';
import type { Books } from '../books.ts';
import { Cause } from '../causes.ts';
import type { Market } from '../market.ts';
import { sideOf } from '../order-table.ts';
import type { ClearingState } from '../state.ts';
import { NO_ROW } from './exposures.ts';
import { NO_POSITION, type Positions } from './positions.ts';

/** Slots of an order table that one step looks at, and orders that it removes: under a millisecond. */
const SLOTS_PER_STEP = 20_000;
const REMOVALS_PER_STEP = 1_000;

interface SideOfAccount {
  readonly side: number;
  readonly cause: number;
}

/** Orders of one market that are to go. */
interface Search {
  readonly market: number;
  readonly accounts: Set<number>;
  /** Why the orders that close each position go. */
  readonly positions: Map<number, number>;
  /** The same for accounts of which all orders of one side go. */
  readonly sides: Map<number, SideOfAccount>;
  /** Slots before it have been looked at; undefined before the search began. */
  next: number | undefined;
}

/**
 * Takes orders on margin off the books for the venue: all of an account, or those that close a position.
 * Orders are found by going through a market's table once for everybody who asked until then, in steps:
 * ten thousand accounts at once cost no more than one.
 */
export class OrderRemoval {
  private readonly state: ClearingState;
  private readonly books: Books;
  private readonly searches: Search[] = [];

  constructor(state: ClearingState, books: Books) {
    this.state = state;
    this.books = books;
  }

  /** Removes all open orders of an account that is stopped out; false where it has none. */
  ofAccount(account: number): boolean {
    const { exposures } = this.state;
    let any = false;
    for (let row = exposures.firstOf(account); row !== NO_ROW; row = exposures.nextOf(row)) {
      if (!hasOrders(this.state, row)) continue;
      this.searchOf(exposures.markets[row] as number).accounts.add(account);
      any = true;
    }
    return any;
  }

  /** Removes those of them in one market. */
  ofAccountIn(account: number, market: number): void {
    this.searchOf(market).accounts.add(account);
  }

  /** Whether the account has any. */
  hasOrders(account: number): boolean {
    const { exposures } = this.state;
    for (let row = exposures.firstOf(account); row !== NO_ROW; row = exposures.nextOf(row)) {
      if (hasOrders(this.state, row)) return true;
    }
    return false;
  }

  /**
   * Removes the open orders that may close the position at `slot`, for `cause`; false where there are
   * none. In a netting account that is every order of the other side: one that is on its way to the book
   * would otherwise meet a position that is closed already, and open another.
   */
  ofPosition(slot: number, cause: number): boolean {
    const { positions } = this.state;
    if (!mayBeClosed(this.state, slot)) return false;
    const search = this.searchOf(positions.markets[slot] as number);
    const account = positions.accounts[slot] as number;
    if (this.state.accounts.isNetting(account)) {
      search.sides.set(account, { side: closingSide(positions, slot), cause });
    } else search.positions.set(positions.ids[slot] as number, cause);
    return true;
  }

  /** One step; false where there is nothing more to look for. */
  work(): boolean {
    const search = this.searches[0];
    if (search === undefined) return false;
    const market = this.state.market(search.market);
    const { orders } = market;
    let slot = search.next ?? 0;
    const until = Math.min(slot + SLOTS_PER_STEP, orders.slotCount);
    let removals = 0;
    for (; slot < until && removals < REMOVALS_PER_STEP; slot++) {
      if (orders.orderIds[slot] === 0) continue;
      const cause = causeFor(search, market, slot);
      if (cause === undefined) continue;
      this.books.remove(market, slot, 0, cause);
      removals++;
    }
    search.next = slot;
    if (slot >= orders.slotCount) this.searches.shift();
    return this.searches.length > 0;
  }

  /** A search that has begun may have passed the order: whoever comes later has another one. */
  private searchOf(market: number): Search {
    const known = this.searches.find(
      (search) => search.market === market && search.next === undefined,
    );
    if (known !== undefined) return known;
    const search: Search = {
      market,
      accounts: new Set(),
      positions: new Map(),
      sides: new Map(),
      next: undefined,
    };
    this.searches.push(search);
    return search;
  }
}

/** Why the open order at `slot` goes; undefined where nobody asked for it to. */
function causeFor(
  { accounts, positions, sides }: Search,
  { orders, margin }: Market,
  slot: number,
): number | undefined {
  const account = orders.accounts[slot] as number;
  if (accounts.has(account)) return Cause.StopOut;
  const asked = sides.get(account);
  if (asked?.side === sideOf(orders.traits[slot] as number)) return asked.cause;
  return positions.size === 0 ? undefined : positions.get(margin?.terms.positionIds[slot] ?? 0);
}

/** Whether open orders may close the position at `slot`, or a part of it. */
function mayBeClosed({ positions, exposures, accounts }: ClearingState, slot: number): boolean {
  if (positions.closings[slot] !== 0) return true;
  if (!accounts.isNetting(positions.accounts[slot] as number)) return false;
  const row = positions.rows[slot] as number;
  const buys = closingSide(positions, slot) === Side.Buy;
  return (buys ? exposures.pendingBuys : exposures.pendingSells)[row] !== 0;
}

function closingSide({ sides }: Positions, slot: number): number {
  return sides[slot] === Side.Buy ? Side.Sell : Side.Buy;
}

/** Whether the account of an exposure has open orders in its market. */
function hasOrders(state: ClearingState, row: number): boolean {
  const { exposures, positions } = state;
  if (exposures.pendingBuys[row] !== 0 || exposures.pendingSells[row] !== 0) return true;
  let slot = exposures.firstPositions[row] as number;
  while (slot !== NO_POSITION && positions.closings[slot] === 0) {
    slot = positions.nexts[slot] as number;
  }
  return slot !== NO_POSITION;
}
