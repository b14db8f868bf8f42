import type { Transfer } from '../messages/cold-events.ts';
import type { MarginSettings } from '../messages/configuration.ts';
import { OrderStatus, Side, TimeInForce } from '../messages/enums.ts';
import type { OrderAccepted, OrderAmended, OrderClosed, OrdersTraded } from '../messages/events.ts';
import { Accounts } from './accounts.ts';
import { notionalOf } from './charges.ts';
import { ClientOrderIds } from './client-order-ids.ts';
import { Commissions } from './commissions.ts';
import { Expiries } from './expiries.ts';
import { HOUSE_ACCOUNT, Ledger } from './ledger.ts';
import { Collateral } from './margin/collateral.ts';
import { Exposures } from './margin/exposures.ts';
import { forgetPending } from './margin/pending.ts';
import { Positions } from './margin/positions.ts';
import { StopOrderTable } from './margin/stop-order-table.ts';
import type { Asset, Market } from './market.ts';
import { OrderIndex } from './order-index.ts';
import { isNamed, packTraits, sideOf, timeInForceOf } from './order-table.ts';
import { PackedList } from './packed-list.ts';
import { Rates } from './rates.ts';

/** How many client order ids are remembered beyond those of open orders, unless configured. */
export const CLIENT_ORDER_ID_WINDOW = 262_144;

/** What an order is opened with, whatever its market trades. */
type OpenedOrder = Omit<
  OrderAccepted,
  'hold' | 'byKey' | 'feeRate' | 'makerFeeRate' | 'feeMinimum'
>;

/**
 * Everything that clearing is the only writer of, as a function of the events so far. The methods here
 * apply the events of Spot trading, cold-events.ts and margin/events.ts the others; the same ones serve
 * live, in a replay and in a follower. Nothing of it decides anything, and nothing reads a clock.
 */
export class ClearingState {
  readonly assets: Asset[] = [];
  readonly markets: Market[] = [];
  readonly accounts = new Accounts();
  readonly ledger = new Ledger();
  readonly commissions = new Commissions();
  readonly orderIndex = new OrderIndex(this.markets);
  readonly clientOrderIds: ClientOrderIds;
  readonly expiries: Expiries;
  /** A transfer's place is its id less 1. */
  readonly transfers = new PackedList<Transfer>();
  /** Trades that were undone, by the execution of their taker. */
  readonly revertedTrades = new Set<number>();
  readonly transfersByDeduplicationId = new Map<string, number>();
  /** The sequence of the last event. */
  sequence = 0;
  /** The time of the last event, UTC ms: time never runs backwards in the journal. */
  time = 0;
  nextOrderId = 1;
  nextExecutionId = 1;
  nextPositionId = 1;
  rootAsset = -1;
  /** The open positions on margin, what each account has of them in each market, and beside them. */
  readonly positions = new Positions();
  readonly exposures = new Exposures(this.positions);
  readonly stopOrders = new StopOrderTable();
  readonly collateral = new Collateral();
  marginSettings: MarginSettings = {
    marginCall: 10_000,
    stopOut: 5_000,
    negativeBalanceProtection: true,
  };
  readonly rates = new Rates(this);
  readonly assetIndexes = new Map<string, number>();
  readonly marketIndexes = new Map<string, number>();
  /** Whether an order is open, or a stop order waits. */
  readonly isOpen = (orderId: number): boolean =>
    this.orderIndex.find(orderId) || this.stopOrders.has(orderId);

  constructor(clientOrderIdWindow = CLIENT_ORDER_ID_WINDOW) {
    this.clientOrderIds = new ClientOrderIds(clientOrderIdWindow);
    this.expiries = new Expiries(this.isOpen);
  }

  assetOf(assetId: string): Asset | undefined {
    return this.assets[this.assetIndexes.get(assetId) ?? -1];
  }

  marketOf(marketId: string): Market | undefined {
    return this.markets[this.marketIndexes.get(marketId) ?? -1];
  }

  market(index: number): Market {
    const market = this.markets[index];
    if (market === undefined) throw new RangeError(`no market ${index}`);
    return market;
  }

  get nextTransferId(): number {
    return this.transfers.length + 1;
  }

  transfer(transferId: number): Transfer | undefined {
    return this.transfers.get(transferId - 1);
  }

  /** The market of an open order, whose slot `orderIndex.slot` then is; undefined: not open. */
  openOrder(orderId: number): Market | undefined {
    return this.orderIndex.find(orderId) ? this.market(this.orderIndex.market) : undefined;
  }

  /** The same for an order of this account: another's reads as none. */
  openOrderOf(account: number, orderId: number): Market | undefined {
    const market = this.openOrder(orderId);
    return market?.orders.accounts[this.orderIndex.slot] === account ? market : undefined;
  }

  /** Every event begins with this: it is the next in sequence. */
  advance(time: number): void {
    this.sequence++;
    this.time = time;
  }

  orderAccepted(event: OrderAccepted): void {
    this.advance(event.time);
    const market = this.market(event.market);
    const asset = event.side === Side.Buy ? market.quote : market.base;
    this.ledger.hold(this.ledger.open(event.account, asset.index), event.hold);
    this.openOrderAt(market, event, event.hold);
    const { slot, feeRate, makerFeeRate, feeMinimum } = event;
    market.orders.bind(slot, feeRate, makerFeeRate, feeMinimum);
  }

  /** Puts a new order into its market's table; `hold` is what the table says that it holds. */
  openOrderAt(market: Market, event: OpenedOrder, hold: bigint): void {
    const { orderId, account, slot } = event;
    const { orders } = market;
    orders.take(slot, account);
    orders.orderIds[slot] = orderId;
    orders.prices[slot] = event.limit;
    orders.quantities[slot] = event.quantity;
    orders.remainings[slot] = event.quantity;
    orders.tradedNotionals[slot] = 0n;
    orders.commissions[slot] = 0n;
    orders.holds[slot] = hold;
    orders.createdAts[slot] = event.time;
    orders.priorities[slot] = this.sequence;
    orders.traits[slot] = packTraits(event, event.clientOrderId !== '');
    this.orderIndex.add(orderId, event.market, slot);
    this.accounts.orderOpened(account);
    this.nextOrderId = orderId + 1;
    if (event.expiresAt > 0) this.expiries.add(event.expiresAt, orderId);
    if (event.clientOrderId !== '') {
      this.clientOrderIds.add(account, event.clientOrderId, orderId, this.isOpen);
    }
  }

  ordersTraded(event: OrdersTraded): void {
    this.advance(event.time);
    const market = this.market(event.market);
    const { orders } = market;
    const takerBuys = event.takerSide === Side.Buy;
    const buyer = takerBuys ? event.takerSlot : event.makerSlot;
    const seller = takerBuys ? event.makerSlot : event.takerSlot;
    const buyerFee = takerBuys ? event.takerFee : event.makerFee;
    const sellerFee = takerBuys ? event.makerFee : event.takerFee;
    const base = market.baseUnits(event.quantity);
    this.settleBuyer(market, buyer, base, event.buyerDebit, buyerFee, event.buyerHold);
    this.settleSeller(market, seller, base, event.sellerCredit, sellerFee);
    const house = this.ledger.open(HOUSE_ACCOUNT, market.quote.index);
    const { volumes } = this.commissions;
    volumes.traded(market.quote.index, orders.accounts[buyer] as number, event.buyerDebit);
    volumes.traded(market.quote.index, orders.accounts[seller] as number, event.sellerCredit);
    const rounding = event.buyerDebit - event.sellerCredit;
    this.ledger.credit(house, rounding + buyerFee + sellerFee);
    const notional = notionalOf(event.price, event.quantity);
    const { tradedNotionals } = orders;
    orders.tookNotional(event.takerSlot, notional);
    tradedNotionals[buyer] = (tradedNotionals[buyer] as bigint) + notional;
    tradedNotionals[seller] = (tradedNotionals[seller] as bigint) + notional;
    orders.remainings[event.takerSlot] = event.takerRemaining;
    orders.remainings[event.makerSlot] = event.makerRemaining;
    market.lastPrice = event.price;
    this.nextExecutionId = event.executionId + 2;
    if (event.makerRemaining === 0) this.endOrder(market, event.makerSlot);
    if (event.takerRemaining === 0) this.endOrder(market, event.takerSlot);
  }

  orderClosed(event: OrderClosed): void {
    this.advance(event.time);
    const market = this.market(event.market);
    const rejected = event.status === OrderStatus.Rejected;
    if (rejected && isNamed(market.orders.traits[event.slot] as number)) {
      this.clientOrderIds.reject(event.orderId);
    }
    this.endOrder(market, event.slot);
  }

  orderAmended(event: OrderAmended): void {
    this.advance(event.time);
    const market = this.market(event.market);
    const { orders } = market;
    const { slot } = event;
    const entry = this.holdEntry(market, slot);
    this.ledger.release(entry, orders.holds[slot] as bigint);
    this.ledger.hold(entry, event.hold);
    orders.holds[slot] = event.hold;
    orders.prices[slot] = event.price;
    orders.quantities[slot] = event.quantity;
    orders.remainings[slot] = event.remaining;
    orders.priorities[slot] = event.priority;
  }

  /** The entry that an order of a Spot market holds funds on. */
  holdEntry(market: Market, slot: number): number {
    const side = sideOf(market.orders.traits[slot] as number);
    const asset = side === Side.Buy ? market.quote : market.base;
    return this.ledger.find(market.orders.accounts[slot] as number, asset.index);
  }

  /** The status of an open order: resting limits are Pending, what is being executed is Working. */
  openStatus(market: Market, slot: number): number {
    const timeInForce = timeInForceOf(market.orders.traits[slot] as number);
    const rests =
      timeInForce === TimeInForce.Gtc ||
      timeInForce === TimeInForce.Gtd ||
      timeInForce === TimeInForce.Day;
    return rests ? OrderStatus.Pending : OrderStatus.Working;
  }

  private settleBuyer(
    market: Market,
    slot: number,
    base: bigint,
    debit: bigint,
    fee: bigint,
    hold: bigint,
  ): void {
    const { orders } = market;
    const account = orders.accounts[slot] as number;
    const quote = this.ledger.find(account, market.quote.index);
    this.ledger.release(quote, (orders.holds[slot] as bigint) - hold);
    this.ledger.debit(quote, debit + fee);
    this.ledger.credit(this.ledger.open(account, market.base.index), base);
    orders.holds[slot] = hold;
    orders.commissions[slot] = (orders.commissions[slot] as bigint) + fee;
  }

  private settleSeller(
    market: Market,
    slot: number,
    base: bigint,
    credit: bigint,
    fee: bigint,
  ): void {
    const { orders } = market;
    const account = orders.accounts[slot] as number;
    const entry = this.ledger.find(account, market.base.index);
    this.ledger.release(entry, base);
    this.ledger.debit(entry, base);
    this.ledger.credit(this.ledger.open(account, market.quote.index), credit - fee);
    orders.holds[slot] = (orders.holds[slot] as bigint) - base;
    orders.commissions[slot] = (orders.commissions[slot] as bigint) + fee;
  }

  /** Takes an order that has ended out of the table, with what it still held. */
  endOrder(market: Market, slot: number): void {
    const { orders } = market;
    const hold = orders.holds[slot] as bigint;
    if (market.margin !== undefined) forgetPending(this, market, slot);
    else if (hold > 0n) this.ledger.release(this.holdEntry(market, slot), hold);
    this.orderIndex.remove(orders.orderIds[slot] as number);
    this.accounts.orderEnded(orders.accounts[slot] as number);
    orders.release(slot);
  }
}
