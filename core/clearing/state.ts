import type { ColdEvent, Transfer } from '../messages/cold.ts';
import { OrderStatus, Side, TimeInForce } from '../messages/enums.ts';
import type { OrderAccepted, OrderAmended, OrderClosed, OrdersTraded } from '../messages/events.ts';
import { Accounts } from './accounts.ts';
import { type FeeTerms, notionalOf } from './charges.ts';
import { ClientOrderIds } from './client-order-ids.ts';
import { Commissions } from './commissions.ts';
import { Expiries } from './expiries.ts';
import { HOUSE_ACCOUNT, Ledger } from './ledger.ts';
import { type Asset, Market } from './market.ts';
import { OrderIndex } from './order-index.ts';
import { isNamed, packTraits, sideOf, timeInForceOf } from './order-table.ts';
import { PackedList } from './packed-list.ts';

/** How many client order ids are remembered beyond those of open orders, unless configured. */
export const CLIENT_ORDER_ID_WINDOW = 262_144;

/**
 * Everything that clearing is the only writer of, as a function of the events so far. Each method
 * applies one event; the same methods serve live, in a replay and in a follower. Nothing here decides
 * anything, and nothing here reads a clock.
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
  readonly transfersByDeduplicationId = new Map<string, number>();
  /** The sequence of the last event. */
  sequence = 0;
  /** The time of the last event, UTC ms: time never runs backwards in the journal. */
  time = 0;
  nextOrderId = 1;
  nextExecutionId = 1;
  rootAsset = -1;
  private readonly assetIndexes = new Map<string, number>();
  private readonly marketIndexes = new Map<string, number>();
  private lastFeeRate = 0;
  private lastFeeTerms: FeeTerms = { rate: 0n, minimum: 0n };
  readonly isOpen = (orderId: number): boolean => this.orderIndex.find(orderId);

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

  orderAccepted(event: OrderAccepted): void {
    this.advance(event.time);
    const { orderId, account, slot } = event;
    const market = this.market(event.market);
    const { orders } = market;
    orders.take(slot);
    orders.orderIds[slot] = orderId;
    orders.accounts[slot] = account;
    orders.prices[slot] = event.limit;
    orders.quantities[slot] = event.quantity;
    orders.remainings[slot] = event.quantity;
    orders.tradedNotionals[slot] = 0n;
    orders.commissions[slot] = 0n;
    orders.holds[slot] = event.hold;
    orders.feeRates[slot] = event.feeRate;
    orders.feeMinimums[slot] = event.feeMinimum;
    orders.createdAts[slot] = event.time;
    orders.priorities[slot] = this.sequence;
    orders.traits[slot] = packTraits(event, event.clientOrderId !== '');
    const asset = event.side === Side.Buy ? market.quote : market.base;
    this.ledger.hold(this.ledger.open(account, asset.index), event.hold);
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

  cold(time: number, event: ColdEvent): void {
    this.advance(time);
    switch (event.type) {
      case 'AssetConfigured': {
        const { assetId, isRoot } = event.configuration;
        this.assets[event.asset] = { index: event.asset, configuration: event.configuration };
        this.assetIndexes.set(assetId, event.asset);
        if (isRoot) this.rootAsset = event.asset;
        return;
      }
      case 'MarketConfigured':
        return this.configureMarket(event.market, event.configuration);
      case 'AccountOpened':
        return this.accounts.open(event.account, event.configuration);
      case 'AccountStatusChanged':
        return this.accounts.changeStatus(event.account, event.status);
      case 'TransferCreated':
        return this.createTransfer(event.transfer);
      case 'TransferChanged':
        return this.changeTransfer(event);
      case 'CommissionProfileSet':
      case 'CommissionGroupSet':
      case 'CommissionGroupAssigned':
      case 'CommissionProfileAssigned':
        return this.commissions.schedule.apply(event);
      case 'TradingDayEnded': {
        const scaleOf = (asset: number) => this.assets[asset]?.configuration.scale ?? 0;
        return this.commissions.volumes.endDay(event, scaleOf(this.rootAsset), scaleOf);
      }
      case 'Resumed':
        return;
    }
  }

  /** The entry that the order holds funds on. */
  holdEntry(market: Market, slot: number): number {
    const side = sideOf(market.orders.traits[slot] as number);
    const asset = side === Side.Buy ? market.quote : market.base;
    return this.ledger.find(market.orders.accounts[slot] as number, asset.index);
  }

  feeTermsAt(market: Market, slot: number): FeeTerms {
    const rate = market.orders.feeRates[slot] as number;
    const minimum = market.orders.feeMinimums[slot] as bigint;
    // Orders come in runs under the same terms: the last ones are nearly always the right ones.
    if (rate !== this.lastFeeRate || minimum !== this.lastFeeTerms.minimum) {
      this.lastFeeRate = rate;
      this.lastFeeTerms = { rate: BigInt(rate), minimum };
    }
    return this.lastFeeTerms;
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

  private advance(time: number): void {
    this.sequence++;
    this.time = time;
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

  private endOrder(market: Market, slot: number): void {
    const { orders } = market;
    const hold = orders.holds[slot] as bigint;
    if (hold > 0n) this.ledger.release(this.holdEntry(market, slot), hold);
    this.orderIndex.remove(orders.orderIds[slot] as number);
    this.accounts.orderEnded(orders.accounts[slot] as number);
    orders.release(slot);
  }

  private configureMarket(index: number, configuration: Market['configuration']): void {
    const known = this.markets[index];
    if (known !== undefined) return known.configure(configuration);
    const base = this.assetOf(configuration.baseAssetId);
    const quote = this.assetOf(configuration.quoteAssetId);
    if (base === undefined || quote === undefined) throw new Error(`assets of market ${index}`);
    this.markets[index] = new Market(index, configuration, base, quote);
    this.marketIndexes.set(configuration.marketId, index);
  }

  private createTransfer(transfer: Transfer): void {
    const { transferId, account, asset, amount, status, type } = transfer;
    this.transfers.set(transferId - 1, transfer);
    this.transfersByDeduplicationId.set(transfer.deduplicationId, transferId);
    const entry = this.ledger.open(account, asset);
    if (type === 'Deposit' && status === 'Completed') {
      this.ledger.credit(entry, amount);
      this.ledger.transferred(asset, amount);
    } else if (type === 'Withdrawal' && status === 'AwaitingConfirmation') {
      this.ledger.hold(entry, amount);
    }
  }

  private changeTransfer(event: Extract<ColdEvent, { type: 'TransferChanged' }>): void {
    const { transferId, status, callbackUrl, updatedAt } = event;
    const transfer = this.transfer(transferId);
    if (transfer === undefined) throw new Error(`no transfer ${transferId}`);
    this.transfers.set(transferId - 1, { ...transfer, status, callbackUrl, updatedAt });
    const entry = this.ledger.find(transfer.account, transfer.asset);
    this.ledger.release(entry, transfer.amount);
    if (status === 'Completed') {
      this.ledger.debit(entry, transfer.amount);
      this.ledger.transferred(transfer.asset, -transfer.amount);
    }
  }
}
