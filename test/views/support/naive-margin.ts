import { ORDER_TYPES, REASONS, SIDES, TIMES_IN_FORCE } from '../../../core/messages/enums.ts';
import type {
  ClosedPositionView,
  ExecutionView,
} from '../../../persistence/views/queries/forms.ts';
import { CFD, LOT_SIZES, type MarginStreamEvent } from './margin-stream.ts';
import { decimal } from './naive.ts';

/** Scales of both markets, and of the root asset. */
export const PRICE = 2;
export const LOTS = 3;
export const ROOT = 6;

type Of<K extends MarginStreamEvent['kind']> = Extract<MarginStreamEvent, { kind: K }>;

/** A decimal that may be negative. */
export function text(units: bigint | number, scale: number): string {
  const value = BigInt(units);
  const size = decimal(value < 0n ? -value : value, 10n ** BigInt(scale), scale);
  return value < 0n ? `-${size}` : size;
}

export const iso = (time: number): string => new Date(time).toISOString();

/** What the views must say of a history on margin, computed from every event on its own. */
export class NaiveMargin {
  private readonly events: readonly MarginStreamEvent[];
  private readonly comments = new Map<number, string | null>();

  constructor(events: readonly MarginStreamEvent[]) {
    this.events = events;
  }

  of<K extends MarginStreamEvent['kind']>(kind: K): Of<K>[] {
    return this.events.filter((event): event is Of<K> => event.kind === kind);
  }

  /** The order that opened a position. */
  openingOf(position: number): Of<'accepted'> | undefined {
    const first = this.of('executed').find(({ openedPositionId }) => openedPositionId === position);
    return this.of('accepted').find(({ orderId }) => orderId === first?.orderId);
  }

  commentOf(position: number): string | null {
    const known = this.comments.get(position);
    if (known !== undefined) return known;
    const comment = this.openingOf(position)?.comment || null;
    this.comments.set(position, comment);
    return comment;
  }

  /** What an execution must look like, position by position, the newest first. */
  viewsOf(event: Of<'executed'>): ExecutionView[] {
    const { closedQuantity, openedQuantity, quantity, executionId } = event;
    const lotSize = BigInt(LOT_SIZES[event.market] ?? 1);
    const deducted = this.of('deducted').filter((each) => each.executionId === executionId);
    const closedShare = (units: bigint): bigint =>
      (units * BigInt(closedQuantity)) / BigInt(quantity);
    const view = (
      position: number,
      size: number,
      realized: bigint,
      opens: boolean,
    ): ExecutionView => {
      const share = (units: bigint): bigint =>
        opens ? units - closedShare(units) : closedShare(units);
      const others = [1, 2].flatMap((asset) =>
        deducted
          .filter((each) => each.asset === asset)
          .map(({ amount }) => ({
            assetId: asset === 1 ? 'btc' : 'eth',
            amount: text(share(amount), asset === 1 ? 8 : 18),
          })),
      );
      const root = { assetId: 'usdt', amount: text(share(event.commissionFromRoot), ROOT) };
      const paidByRoot = event.commissionFromRoot !== 0n || others.length === 0;
      return {
        positionId: String(position),
        orderId: String(event.orderId),
        executionId: String(executionId),
        side: SIDES[event.side] ?? 'Buy',
        reason: REASONS[event.reason] ?? 'Trader',
        createdAt: iso(event.time),
        baseAmount: text(BigInt(size) * lotSize, LOTS),
        executionPrice: text(event.price, PRICE),
        commissionAmountInRAT: text(share(event.commission), ROOT),
        commissions: paidByRoot ? [root, ...others] : others,
        comment: this.commentOf(position),
        realizedPnlInRAT: text(realized, ROOT),
        positionSizeIncreased: opens,
      };
    };
    const views: ExecutionView[] = [];
    if (openedQuantity > 0) views.push(view(event.openedPositionId, openedQuantity, 0n, true));
    if (closedQuantity > 0) {
      views.push(view(event.closedPositionId, closedQuantity, event.realizedInRoot, false));
    }
    return views;
  }

  /** Every closing of an account, newest order first. */
  expectedClosings(account: number): ClosedPositionView[] {
    const groups = new Map<string, Of<'executed'>[]>();
    for (const event of this.of('executed')) {
      if (event.account !== account || event.closedQuantity === 0) continue;
      const name = `${event.orderId}/${event.closedPositionId}`;
      groups.set(name, [...(groups.get(name) ?? []), event]);
    }
    return [...groups.values()]
      .map((fills) => this.closingOf(fills))
      .sort((a, b) => {
        return Number(b.orderId) - Number(a.orderId) || Number(b.positionId) - Number(a.positionId);
      });
  }

  closingOf(fills: readonly Of<'executed'>[]): ClosedPositionView {
    const last = fills.at(-1);
    const order = this.of('accepted').find(({ orderId }) => orderId === last?.orderId);
    const opening = this.of('executed').find(
      (each) => each.openedPositionId === last?.closedPositionId,
    );
    if (last === undefined || order === undefined || opening === undefined)
      throw new Error('no fill');
    const sum = (of_: (fill: Of<'executed'>) => bigint): bigint =>
      fills.reduce((total, fill) => total + of_(fill), 0n);
    const quantity = sum((fill) => BigInt(fill.closedQuantity));
    const paid = sum((fill) => BigInt(fill.price) * BigInt(fill.closedQuantity));
    const average = (notional: bigint): string =>
      decimal(notional, quantity * 10n ** BigInt(PRICE), PRICE + 6, true);
    const type = last.market === CFD ? 'Cfd' : 'Perp';
    const worth = paid * BigInt(LOT_SIZES[last.market] ?? 1) * last.rate;
    return {
      marketId: `${type.toLowerCase()}.btc_usdt`,
      marketFullName: null,
      marketDisplayName: `BTC/USDT ${type}`,
      marketType: type,
      orderId: String(last.orderId),
      orderType: ORDER_TYPES[order.type] ?? 'Limit',
      timeInForce: TIMES_IN_FORCE[order.timeInForce] ?? 'Gtc',
      side: SIDES[order.side] ?? 'Buy',
      positionCloseLotAmount: text(quantity, LOTS),
      reason: REASONS[last.reason] ?? 'Trader',
      realizedPnlInRAT: text(
        sum(({ realizedInRoot }) => realizedInRoot),
        ROOT,
      ),
      closedAt: iso(last.time),
      positionId: String(last.closedPositionId),
      openPrice: average(sum(({ closedNotional }) => closedNotional)),
      closePrice: average(paid),
      positionPriceInRAT: decimal(worth, 10n ** BigInt(PRICE + LOTS + 12), ROOT, true),
      rateToRAT: text(last.rate, 12),
      openedAt: iso(opening.time),
      comment: this.commentOf(last.closedPositionId),
    };
  }

  expectedPayments(): { account: number; type: string; amount: bigint; time: number }[] {
    const ownerOf = new Map(
      this.of('executed').map(({ openedPositionId, account }) => [openedPositionId, account]),
    );
    return this.events.flatMap((event) => {
      if (event.kind === 'cold' && event.event.type === 'NegativeBalanceCompensated') {
        const { account, amount } = event.event;
        return [{ account, type: 'Compensation', amount, time: event.time }];
      }
      if (event.kind !== 'funded' && event.kind !== 'swapped') return [];
      const ids = new Float64Array(event.positions.slice().buffer);
      const amounts = new BigInt64Array(event.amounts.slice().buffer);
      return [...ids].map((id, at) => ({
        account: ownerOf.get(id) ?? -1,
        type: event.kind === 'funded' ? 'Funding' : 'Swap',
        amount: amounts[at] ?? 0n,
        time: event.time,
      }));
    });
  }
}
