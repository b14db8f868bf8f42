import { Side } from '../../../core/messages/enums.ts';
import { floor, minus, over, times } from './rational.ts';
import { initialMargin, inRoot, type MarketTerms, worth } from './terms.ts';

export interface NaivePosition {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  /** Side.Buy is long. */
  readonly side: number;
  readonly openOrderId: number;
  readonly openedAt: number;
  quantity: bigint;
  /** Ticks × steps. */
  openNotional: bigint;
  /** Quote units. */
  margin: bigint;
}

/** Who fills, and under what. */
export interface Filling {
  readonly orderId: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly leverage: number;
  /** The only position that it may close; 0 for none. */
  readonly positionId: number;
  readonly netting: boolean;
  readonly time: number;
}

/** What one fill does to positions; the fields of MarginExecution. */
export interface FillResult {
  readonly closedPositionId: number;
  readonly closedQuantity: bigint;
  readonly closedNotional: bigint;
  readonly closedMargin: bigint;
  readonly realized: bigint;
  readonly realizedInRoot: bigint;
  readonly openedPositionId: number;
  readonly openedQuantity: bigint;
  readonly openedMargin: bigint;
}

const NOTHING_CLOSED = {
  closedPositionId: 0,
  closedQuantity: 0n,
  closedNotional: 0n,
  closedMargin: 0n,
  realized: 0n,
  realizedInRoot: 0n,
};
const NOTHING_OPENED = { openedPositionId: 0, openedQuantity: 0n, openedMargin: 0n };

/** Quote units that a position is worth at `price` beyond what it was opened for. */
export function profitOf(terms: MarketTerms, side: number, price: bigint, part: Part) {
  const sign = side === Side.Buy ? 1n : -1n;
  return worth(terms, sign * (price * part.quantity - part.openNotional));
}

interface Part {
  readonly quantity: bigint;
  readonly openNotional: bigint;
}

/** All open positions of a venue, in no structure at all. */
export class NaivePositions {
  readonly open = new Map<number, NaivePosition>();

  of(account: number, market: number): NaivePosition[] {
    return [...this.open.values()].filter(
      (position) => position.account === account && position.market === market,
    );
  }

  /** `newId` is the id of the position that opens, should one open. */
  fill(
    terms: MarketTerms,
    filling: Filling,
    price: bigint,
    quantity: bigint,
    rate: bigint,
    newId: number,
  ): FillResult {
    const target = this.targetOf(filling);
    const opposite = target !== undefined && target.side !== filling.side;
    const closing = opposite ? lesser(quantity, target.quantity) : 0n;
    const closed = opposite ? this.close(terms, target, price, closing, rate) : NOTHING_CLOSED;
    const opening = quantity - closing;
    if (opening === 0n) return { ...closed, ...NOTHING_OPENED };
    if (filling.positionId !== 0 && !filling.netting) {
      throw new Error(`order ${filling.orderId} opens, bound to close`);
    }
    const grows = opposite ? undefined : target;
    return { ...closed, ...this.add(terms, filling, grows, price, opening, newId) };
  }

  /** The position that the fill meets: closes, or grows. */
  private targetOf(filling: Filling): NaivePosition | undefined {
    const { account, market, orderId, positionId, netting } = filling;
    const candidates = this.of(account, market);
    if (netting && candidates.length > 1) throw new Error(`account ${account} nets two positions`);
    // In a netting account others may have reduced the position that an order was to close.
    if (netting) return candidates[0];
    if (positionId !== 0) return this.open.get(positionId);
    return candidates.find((each) => each.openOrderId === orderId);
  }

  private close(
    terms: MarketTerms,
    position: NaivePosition,
    price: bigint,
    quantity: bigint,
    rate: bigint,
  ) {
    const share = over(quantity, position.quantity);
    const closedNotional = floor(times(position.openNotional, share));
    const closedMargin = floor(times(position.margin, share));
    const part = { quantity, openNotional: closedNotional };
    const realized = floor(profitOf(terms, position.side, price, part));
    position.quantity -= quantity;
    position.openNotional -= closedNotional;
    position.margin -= closedMargin;
    if (position.quantity === 0n) this.open.delete(position.id);
    return {
      closedPositionId: position.id,
      closedQuantity: quantity,
      closedNotional,
      closedMargin,
      realized,
      realizedInRoot: floor(inRoot(terms, realized, rate)),
    };
  }

  private add(
    terms: MarketTerms,
    filling: Filling,
    grows: NaivePosition | undefined,
    price: bigint,
    quantity: bigint,
    newId: number,
  ) {
    const { account, market, side, orderId: openOrderId, time: openedAt, leverage } = filling;
    const margin = initialMargin(terms, price, quantity, leverage);
    const blank = { quantity: 0n, openNotional: 0n, margin: 0n };
    const position = grows ?? { id: newId, account, market, side, openOrderId, openedAt, ...blank };
    if (grows === undefined) {
      if (this.open.has(newId)) throw new Error(`position ${newId} is opened twice`);
      this.open.set(newId, position);
    }
    position.quantity += quantity;
    position.openNotional += price * quantity;
    position.margin += margin;
    return { openedPositionId: position.id, openedQuantity: quantity, openedMargin: margin };
  }
}

/** The signed exposure of positions: longs less shorts. */
export function netOf(positions: readonly NaivePosition[]) {
  const signed = (pick: (position: NaivePosition) => bigint) =>
    positions.reduce(
      (sum, position) => (position.side === Side.Buy ? sum + pick(position) : sum - pick(position)),
      0n,
    );
  return {
    quantity: signed(({ quantity }) => quantity),
    openNotional: signed(({ openNotional }) => openNotional),
  };
}

function lesser(a: bigint, b: bigint): bigint {
  return minus(a, b).above < 0n ? a : b;
}
