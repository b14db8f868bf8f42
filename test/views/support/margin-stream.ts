import type { ColdEvent } from '../../../core/messages/cold-events.ts';
import type { MarketConfiguration } from '../../../core/messages/configuration.ts';
import { OrderStatus, OrderType, TimeInForce } from '../../../core/messages/enums.ts';
import { OrderClosed } from '../../../core/messages/events.ts';
import {
  CommissionDeducted,
  FundingApplied,
  MarginExecution,
  MarginOrderAccepted,
  MarginOrderAmended,
  SwapsCharged,
  TrailingStopsMoved,
} from '../../../core/messages/margin-events.ts';
import type { Random } from '../../persistence/support/random.ts';
import type { EventStream } from './event-stream.ts';

/** Every event of margin as a plain object. */
export type MarginStreamEvent =
  | ({ readonly kind: 'accepted' } & MarginOrderAccepted)
  | ({ readonly kind: 'executed' } & MarginExecution)
  | ({ readonly kind: 'deducted' } & CommissionDeducted)
  | ({ readonly kind: 'amended' } & MarginOrderAmended)
  | ({ readonly kind: 'closed' } & OrderClosed)
  | ({ readonly kind: 'funded' } & FundingApplied)
  | ({ readonly kind: 'swapped' } & SwapsCharged)
  | { readonly kind: 'cold'; readonly time: number; readonly event: ColdEvent };

export const CFD = 3;
export const PERP = 4;
export const LOT_SIZES: Readonly<Record<number, number>> = { [CFD]: 100_000, [PERP]: 1 };
const ACCOUNTS = 3;

interface OpenOrder {
  readonly orderId: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  remaining: number;
}

interface OpenPosition {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  quantity: number;
}

/** Bytes as the events carry them: little-endian, eight a value. */
function packIds(values: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 8));
  for (const [at, value] of values.entries()) bytes.setFloat64(at * 8, value, true);
  return new Uint8Array(bytes.buffer);
}

function packAmounts(values: readonly bigint[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 8));
  for (const [at, value] of values.entries()) bytes.setBigInt64(at * 8, value, true);
  return new Uint8Array(bytes.buffer);
}

/**
 * A random history of two markets on margin, written among the events of another stream: netting
 * positions that grow, shrink, close and flip, stop orders, funding, swaps and compensations. What
 * each execution comes to in money is drawn at random: the views take it as it is.
 */
export class MarginStream {
  readonly events: MarginStreamEvent[] = [];
  private readonly stream: EventStream;
  private readonly random: Random;
  private readonly open: OpenOrder[] = [];
  private readonly positions = new Map<string, OpenPosition>();
  private readonly waiting: number[] = [];
  private nextOrderId = 1_000_000;
  private nextExecutionId = 2_000_000;
  private nextPositionId = 1;

  constructor(stream: EventStream, random: Random) {
    this.stream = stream;
    this.random = random;
  }

  openMarkets(): void {
    this.stream.cold({ type: 'MarketConfigured', market: CFD, configuration: market('Cfd', CFD) });
    this.stream.cold({
      type: 'MarketConfigured',
      market: PERP,
      configuration: market('Perp', PERP),
    });
  }

  step(): void {
    const dice = this.random.next();
    if (dice < 0.6) this.trade();
    else if (dice < 0.7) this.end();
    else if (dice < 0.8) this.stop();
    else if (dice < 0.86) this.endStop();
    else if (dice < 0.92) this.pay();
    else if (dice < 0.96) this.compensate();
    else TrailingStopsMoved.write(this.stream.writer, { ...this.at(), bid: 1, ask: 2 });
  }

  place(order: Partial<MarginOrderAccepted>): OpenOrder {
    const event = {
      ...MarginOrderAccepted.blank(),
      ...this.at(),
      type: OrderType.Limit,
      timeInForce: TimeInForce.Gtc,
      price: 110_000,
      quantity: this.random.between(1, 50_000),
      leverage: this.random.between(1, 500),
      ...order,
      orderId: this.nextOrderId++,
    };
    MarginOrderAccepted.write(this.stream.writer, event);
    this.events.push({ ...event, kind: 'accepted' });
    const { orderId, account, side, quantity: remaining } = event;
    const open = { orderId, account, market: event.market, side, remaining };
    this.open.push(open);
    return open;
  }

  /** Two orders trade: what each does follows from the position that its account has. */
  execute(taker: OpenOrder, maker: OpenOrder, price: number, quantity: number): void {
    const executionId = this.nextExecutionId;
    this.nextExecutionId += 2;
    for (const [isMaker, order] of [taker, maker].entries()) {
      order.remaining -= quantity;
      this.executeSide(order, executionId + isMaker, isMaker, price, quantity);
    }
    for (let at = this.open.length - 1; at >= 0; at--) {
      if (this.open[at]?.remaining === 0) this.open.splice(at, 1);
    }
  }

  private at(): { time: number; market: number } {
    return { time: this.stream.time, market: this.random.pick([CFD, PERP]) };
  }

  private trade(): void {
    const { market: index } = this.at();
    const [one, other] = this.random.pick([
      [0, 1],
      [1, 2],
      [2, 0],
    ]);
    const side = this.random.between(0, 1);
    const comment = this.random.chance(0.5) ? 'mine' : '';
    const maker = this.place({ market: index, account: one ?? 0, side, comment });
    const taker = this.place({ market: index, account: other ?? 0, side: 1 - side });
    const most = Math.min(taker.remaining, maker.remaining);
    for (let fills = this.random.between(1, 3); fills > 0; fills--) {
      const left = Math.min(most, taker.remaining, maker.remaining);
      if (left === 0) break;
      const quantity = this.random.chance(0.3) ? left : this.random.between(1, left);
      this.execute(taker, maker, this.random.between(100_000, 120_000), quantity);
    }
    if (this.random.chance(0.1) && maker.remaining > 0) this.amend(maker);
  }

  private executeSide(
    order: OpenOrder,
    executionId: number,
    isMaker: number,
    price: number,
    quantity: number,
  ): void {
    const { account, market: index, side, orderId } = order;
    const effect = this.effectOf(account, index, side, quantity);
    const commission = BigInt(this.random.between(0, 5_000));
    const inOthers = this.random.chance(0.3) ? commission / 3n : 0n;
    const event = {
      ...MarginExecution.blank(),
      ...effect,
      ...{ time: this.stream.time, executionId, orderId, account, market: index, side, isMaker },
      ...{ price, quantity, remaining: order.remaining, commission },
      reason: this.random.between(0, 6),
      rate: BigInt(this.random.between(1, 2_000_000)) * 1_000_000n,
      commissionFromRoot: commission - inOthers,
    };
    if (effect.closedQuantity > 0) {
      event.closedNotional = BigInt(effect.closedQuantity) * BigInt(this.random.between(1, 9_000));
      event.realizedInRoot = BigInt(this.random.between(-10_000, 10_000));
    }
    MarginExecution.write(this.stream.writer, event);
    this.events.push({ ...event, kind: 'executed' });
    if (inOthers === 0n) return;
    for (const asset of [2, 1]) {
      const { time } = event;
      const deducted = { time, executionId, account, asset, amount: 7n, amountInRoot: inOthers };
      CommissionDeducted.write(this.stream.writer, deducted);
      this.events.push({ ...deducted, kind: 'deducted' });
    }
  }

  /** What a fill does to the one position that the account has in the market. */
  private effectOf(account: number, index: number, side: number, quantity: number) {
    const name = `${account}/${index}`;
    const held = this.positions.get(name);
    const closedQuantity =
      held === undefined || held.side === side ? 0 : Math.min(held.quantity, quantity);
    const openedQuantity = quantity - closedQuantity;
    if (held !== undefined) held.quantity -= closedQuantity;
    let openedPositionId = 0;
    if (openedQuantity > 0) {
      const grows = held !== undefined && held.side === side;
      const position = grows
        ? held
        : { id: this.nextPositionId++, account, market: index, side, quantity: 0 };
      position.quantity += openedQuantity;
      this.positions.set(name, position);
      openedPositionId = position.id;
    } else if (held?.quantity === 0) this.positions.delete(name);
    const closedPositionId = closedQuantity > 0 ? (held?.id ?? 0) : 0;
    return { closedPositionId, closedQuantity, openedPositionId, openedQuantity };
  }

  private amend(order: OpenOrder): void {
    order.remaining += 5;
    const { orderId, account, remaining } = order;
    const event = {
      ...MarginOrderAmended.blank(),
      ...{ time: this.stream.time, orderId, account, market: order.market, remaining },
      price: 111_111,
      quantity: remaining + 1_000,
    };
    MarginOrderAmended.write(this.stream.writer, event);
    this.events.push({ ...event, kind: 'amended' });
  }

  private end(): void {
    const order = this.open.shift();
    if (order === undefined) return;
    const { orderId, account, remaining } = order;
    const status = OrderStatus.Cancelled;
    const base = { ...OrderClosed.blank(), time: this.stream.time, status, reason: 1, source: 3 };
    const event = { ...base, orderId, account, market: order.market, remaining };
    OrderClosed.write(this.stream.writer, event);
    this.events.push({ ...event, kind: 'closed' });
  }

  private stop(): void {
    const orderId = this.nextOrderId++;
    this.waiting.push(orderId);
    this.cold({
      type: 'StopOrderPlaced',
      stopOrder: {
        orderId,
        account: this.random.between(0, ACCOUNTS - 1),
        market: this.random.pick([0, CFD, PERP]),
        side: this.random.between(0, 1),
        type: OrderType.Limit,
        timeInForce: TimeInForce.Gtc,
        byKey: this.random.between(0, 1),
        postOnly: 0,
        selfTradePrevention: 1,
        isTrailing: this.random.between(0, 1),
        leverage: this.random.between(0, 100),
        activationPrice: this.random.between(1, 200_000),
        price: this.random.between(1, 200_000),
        quantity: this.random.between(1, 50_000),
        expiresAt: 0,
        stopLoss: this.random.chance(0.5) ? 0 : 99_000,
        takeProfit: this.random.chance(0.5) ? 0 : 130_000,
        clientOrderId: this.random.chance(0.5) ? '' : `stop-${orderId}`,
        comment: '',
        createdAt: this.stream.time,
      },
    });
  }

  private endStop(): void {
    const orderId = this.waiting.shift();
    if (orderId === undefined) return;
    const activated = this.random.chance(0.5);
    this.cold({
      type: 'StopOrderEnded',
      orderId,
      status: activated ? 'Activated' : 'Rejected',
      reason: 'Trader',
      activatedOrderId: activated ? orderId + 7 : null,
      refusal: activated ? null : 400,
    });
  }

  /** Funding or swaps on every position of a market. */
  private pay(): void {
    const held = [...this.positions.values()].filter(({ quantity }) => quantity > 0);
    const isFunding = this.random.chance(0.5);
    const index = isFunding ? PERP : CFD;
    const paid = held.filter((position) => position.market === index);
    this.stream.time += 1;
    const event = {
      time: this.stream.time,
      market: index,
      dueAt: this.stream.time - 1,
      rate: 10n ** 12n,
      positions: packIds(paid.map(({ id }) => id)),
      amounts: packAmounts(paid.map(() => BigInt(this.random.between(-9_000, 9_000)))),
    };
    if (isFunding) {
      const terms = { fundingRate: this.random.between(-5_000, 5_000), markPrice: 110_000 };
      const funded = { ...event, ...terms, intervalHours: 8 };
      FundingApplied.write(this.stream.writer, funded);
      this.events.push({ ...funded, kind: 'funded' });
    } else {
      SwapsCharged.write(this.stream.writer, { ...event, nights: 3 });
      this.events.push({ ...event, nights: 3, kind: 'swapped' });
    }
  }

  private compensate(): void {
    const account = this.random.between(0, ACCOUNTS - 1);
    const amount = BigInt(this.random.between(1, 9_000));
    this.cold({ type: 'NegativeBalanceCompensated', account, amount });
  }

  private cold(event: ColdEvent): void {
    this.stream.cold(event);
    this.events.push({ kind: 'cold', time: this.stream.time, event });
  }
}

function market(type: 'Cfd' | 'Perp', index: number): MarketConfiguration {
  return {
    marketId: `${type.toLowerCase()}.btc_usdt`,
    displayName: `BTC/USDT ${type}`,
    fullName: null,
    type,
    subtype: type === 'Cfd' ? 'Crypto' : null,
    baseAssetId: 'btc',
    quoteAssetId: 'usdt',
    priceScale: 2,
    amountScale: 3,
    minAmount: 1,
    maxAmount: null,
    maxPrice: null,
    priceDeviation: 0,
    slippageRate: 11_000,
    feeRate: 100_000,
    feeMinimum: 0n,
    internalTtl: 0,
    externalTtl: 0,
    status: 'Open',
    calendar: null,
    margin: {
      lotSize: LOT_SIZES[index] ?? 1,
      lotStep: 1,
      leverage: { leverageType: 'Fixed', useOnlyMaxLeverage: false, maxLeverage: 500 },
      swaps: null,
      funding: type === 'Perp' ? { startTime: '00:00:00', intervalHours: 8, cap: 1_000_000 } : null,
    },
  };
}
