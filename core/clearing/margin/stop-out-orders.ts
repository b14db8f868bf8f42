import type { Books } from '../books.ts';
import type { ClearingState } from '../state.ts';
import { NO_ROW } from './exposures.ts';
import { NO_POSITION } from './positions.ts';

/** Slots of an order table that one step looks at, and orders that it removes: under a millisecond. */
const SLOTS_PER_STEP = 20_000;
const REMOVALS_PER_STEP = 1_000;

/** Orders of one market that are to go. */
interface Search {
  readonly market: number;
  readonly accounts: Set<number>;
  readonly positions: Set<number>;
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
  private readonly cause: number;
  private readonly searches: Search[] = [];

  constructor(state: ClearingState, books: Books, cause: number) {
    this.state = state;
    this.books = books;
    this.cause = cause;
  }

  /** Removes all open orders of the account on margin; false where it has none. */
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

  /** Whether the account has any. */
  hasOrders(account: number): boolean {
    const { exposures } = this.state;
    for (let row = exposures.firstOf(account); row !== NO_ROW; row = exposures.nextOf(row)) {
      if (hasOrders(this.state, row)) return true;
    }
    return false;
  }

  /** Removes the open orders that close the position by its id. */
  ofPosition(market: number, positionId: number): void {
    this.searchOf(market).positions.add(positionId);
  }

  /** One step; false where there is nothing more to look for. */
  work(): boolean {
    const search = this.searches[0];
    if (search === undefined) return false;
    const market = this.state.market(search.market);
    const { orders, margin } = market;
    const { accounts, positions } = search;
    let slot = search.next ?? 0;
    const until = Math.min(slot + SLOTS_PER_STEP, orders.slotCount);
    let removals = 0;
    for (; slot < until && removals < REMOVALS_PER_STEP; slot++) {
      if (orders.orderIds[slot] === 0) continue;
      const asked =
        accounts.has(orders.accounts[slot] as number) ||
        (positions.size > 0 && positions.has(margin?.terms.positionIds[slot] ?? 0));
      if (!asked) continue;
      this.books.remove(market, slot, 0, this.cause);
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
    const search = { market, accounts: new Set<number>(), positions: new Set<number>() };
    const added: Search = { ...search, next: undefined };
    this.searches.push(added);
    return added;
  }
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
