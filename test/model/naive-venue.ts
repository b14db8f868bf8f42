import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { AssetConfiguration, MarketConfiguration } from '../../core/messages/configuration.ts';
import type { AccountStatusName, TimeInForceName } from '../../core/messages/enums.ts';
import type { Command, OrderRequest } from '../clearing/commands.ts';
import { accountIdOf } from '../clearing/venue.ts';
import { NaiveMarket, type NaiveOrder, RESTING, remainingOf } from './naive-market.ts';
import { NaiveMatching, stateOf } from './naive-matching.ts';
import { unitsOf } from './naive-money.ts';

interface NaiveTransfer {
  readonly id: number;
  readonly type: 'Deposit' | 'Withdraw';
  readonly account: number;
  readonly asset: number;
  readonly amount: bigint;
  status: 'Completed' | 'AwaitingConfirmation' | 'Canceled';
}

type Creation = Extract<AdminCommand, { type: 'Deposit' | 'Withdraw' }>;
type Decision = Extract<AdminCommand, { type: 'ConfirmWithdrawal' | 'CancelWithdrawal' }>;

/**
 * The whole venue as a model: plain objects, one command after the other, no state in between. Each
 * command returns how it is answered; `matching.log` tells what happened.
 */
export class NaiveVenue {
  readonly matching = new NaiveMatching();
  readonly markets: readonly NaiveMarket[];
  readonly statuses: AccountStatusName[];
  readonly orders: NaiveOrder[] = [];
  private readonly assets: readonly AssetConfiguration[];
  private readonly transfers: NaiveTransfer[] = [];
  private readonly deduplication = new Map<string, NaiveTransfer>();
  private readonly clientOrderIds = new Map<string, NaiveOrder>();
  private now = 0;

  constructor(
    assets: readonly AssetConfiguration[],
    markets: readonly MarketConfiguration[],
    accounts: number,
  ) {
    this.assets = assets;
    this.statuses = new Array<AccountStatusName>(accounts).fill('Active');
    this.markets = markets.map((market, index) => new NaiveMarket(index, market, assets));
  }

  apply(command: Command, now: number): string {
    this.now = Math.max(now, this.now);
    switch (command.kind) {
      case 'place':
        return this.place(command.account, command);
      case 'cancel':
        return this.cancel(command.account, command.orderId ?? 0, command.clientOrderId ?? '');
      case 'amend':
        return this.amend(command.account, command.orderId, command.price, command.amount);
      case 'cancelAll':
        return this.cancelAll(command.account, command.market);
      case 'tick':
        return this.expire();
      case 'cold':
        return this.administer(command.command as AdminCommand);
      default:
        throw new RangeError(`no model of ${command.kind}`);
    }
  }

  held(account: number, asset: number): bigint {
    let held = 0n;
    for (const order of this.orders) {
      if (!order.open || order.account !== account) continue;
      const { base, quote } = order.market;
      if ((order.side === 'Buy' ? quote : base) === asset) held += order.market.holdOf(order);
    }
    for (const transfer of this.transfers) {
      const waits = transfer.status === 'AwaitingConfirmation';
      if (waits && transfer.account === account && transfer.asset === asset)
        held += transfer.amount;
    }
    return held;
  }

  get transferCount(): number {
    return this.transfers.length;
  }

  private available(account: number, asset: number): bigint {
    return this.matching.total(account, asset) - this.held(account, asset);
  }

  private place(account: number, request: OrderRequest): string {
    const key = `${account} ${request.clientOrderId}`;
    const earlier = this.clientOrderIds.get(key);
    if (earlier !== undefined) return earlier.rejected ? 'TR0216' : `replayed ${earlier.id}`;
    const market = this.markets[request.market] as NaiveMarket;
    const order = this.newOrder(account, market, request);
    const refusal = this.refusalOf(order, request);
    if (refusal !== undefined) return refusal;
    this.orders.push(order);
    if (request.clientOrderId) this.clientOrderIds.set(key, order);
    return this.matching.enter(order) ? `placed ${order.id}` : 'TR0216';
  }

  private newOrder(account: number, market: NaiveMarket, request: OrderRequest): NaiveOrder {
    const { side, amount, price = 0, postOnly = false, expiresAt = 0 } = request;
    const isMarket = price === 0;
    const timeInForce = request.timeInForce ?? (isMarket ? 'Ioc' : 'Gtc');
    return {
      id: this.orders.length + 1,
      account,
      market,
      side,
      timeInForce,
      isMarket,
      postOnly,
      prevention: request.selfTradePrevention ?? 'EXPIRE_TAKER',
      fee: { rate: market.configuration.feeRate ?? 0, minimum: market.leastFee(this.markets) },
      expiresAt: this.expiryOf(market, timeInForce, expiresAt),
      limit: isMarket ? market.worstPrice(side) : price,
      amount,
      trades: [],
      commission: 0n,
      open: true,
      rejected: false,
    };
  }

  private closedTo(market: NaiveMarket, account: number): string | undefined {
    const status = this.statuses[account];
    if (status !== 'Active') return status === 'Halted' ? 'TR0104' : 'TR0105';
    return market.configuration.status === 'Open' ? undefined : 'TR0301';
  }

  private refusalOf(order: NaiveOrder, request: OrderRequest): string | undefined {
    const { market, account, timeInForce, isMarket, side, amount, limit } = order;
    const closed = this.closedTo(market, account);
    if (closed !== undefined) return closed;
    const rests = RESTING.includes(timeInForce);
    if (isMarket ? rests : timeInForce === 'Retry') return 'TR0204';
    if (order.postOnly && !rests) return 'TR0217';
    if (timeInForce === 'Gtd' && !request.expiresAt) return 'TR0205';
    if (timeInForce === 'Gtd' && order.expiresAt <= this.now) return 'TR0206';
    const outside = market.outsideLimits(side, amount, isMarket ? undefined : limit);
    if (outside !== undefined) return outside;
    if (timeInForce === 'Retry' && side === 'Buy' && limit === 0) return 'TR0222';
    const asset = side === 'Buy' ? market.quote : market.base;
    return market.holdOf(order) > this.available(account, asset) ? 'TR0400' : undefined;
  }

  private openOrder(account: number, id: number): NaiveOrder | undefined {
    return this.orders.find((order) => order.open && order.id === id && order.account === account);
  }

  private cancel(account: number, orderId: number, clientOrderId: string): string {
    const named = this.clientOrderIds.get(`${account} ${clientOrderId}`);
    const order = this.openOrder(account, orderId || (named?.id ?? 0));
    if (order === undefined) return 'TR0200';
    if (this.statuses[account] === 'Frozen') return 'TR0105';
    this.matching.close(order, 'Cancelled', 'Manual');
    return stateOf(order, 'Cancelled');
  }

  private cancelAll(account: number, market: number | undefined): string {
    if (this.statuses[account] === 'Frozen') return 'TR0105';
    const count = this.sweep('Trader', (order) => {
      const there = market === undefined || order.market.index === market;
      return order.account === account && there;
    });
    return `cancelled ${count}`;
  }

  private sweep(reason: string, matches: (order: NaiveOrder) => boolean): number {
    const swept = this.orders.filter((order) => order.open && matches(order));
    const source = reason === 'Trader' ? 'Manual' : 'System';
    for (const order of swept) this.matching.close(order, 'Cancelled', source, reason);
    return swept.length;
  }

  private amend(account: number, orderId: number, price = 0, amount = 0): string {
    const order = this.openOrder(account, orderId);
    if (order === undefined) return 'TR0200';
    const { market, side } = order;
    const closed = this.closedTo(market, account);
    if (closed !== undefined) return closed;
    if (order.isMarket) return 'TR0220';
    const newPrice = price || order.limit;
    const newAmount = amount || order.amount;
    const isSmaller = newPrice === order.limit && newAmount <= order.amount;
    const outside = market.outsideLimits(side, newAmount, isSmaller ? undefined : newPrice);
    if (outside !== undefined) return outside;
    if (newAmount <= order.amount - remainingOf(order)) return 'TR0219';
    const changed = { ...order, limit: newPrice, amount: newAmount };
    const more = market.holdOf(changed) - market.holdOf(order);
    const asset = side === 'Buy' ? market.quote : market.base;
    if (more > 0n && more > this.available(account, asset)) return 'TR0400';
    if (order.postOnly && market.crosses(side, newPrice)) return 'TR0216';
    return this.matching.change(order, newPrice, newAmount);
  }

  private expiryOf(market: NaiveMarket, timeInForce: TimeInForceName, asked: number): number {
    if (timeInForce === 'Retry') return this.now + market.configuration.internalTtl;
    if (timeInForce === 'Gtd') return asked;
    if (timeInForce !== 'Day') return 0;
    return asked > this.now ? asked : new Date(this.now).setUTCHours(23, 59, 59, 999);
  }

  /** The open orders whose time is up at `now`. */
  due(now: number): NaiveOrder[] {
    return this.orders.filter(({ open, expiresAt }) => open && expiresAt > 0 && expiresAt <= now);
  }

  private expire(): string {
    const due = this.due(this.now);
    due.sort((a, b) => a.expiresAt - b.expiresAt || a.id - b.id);
    for (const order of due) {
      const status = order.timeInForce === 'Retry' ? 'Cancelled' : 'Expired';
      this.matching.close(order, status, 'System');
    }
    return 'nothing';
  }

  private administer(command: AdminCommand): string {
    switch (command.type) {
      case 'ConfigureMarket':
        return this.configure(command.configuration);
      case 'SetAccountStatus': {
        const account = this.accountOf(command.accountId);
        this.statuses[account] = command.status;
        if (command.status === 'Halted') this.sweep('Admin', (order) => order.account === account);
        return 'done';
      }
      case 'Deposit':
      case 'Withdraw':
        return this.transfer(command);
      case 'ConfirmWithdrawal':
      case 'CancelWithdrawal':
        return this.decide(command);
      default:
        throw new RangeError(`no model of ${command.type}`);
    }
  }

  private configure(configuration: MarketConfiguration): string {
    const { marketId, status } = configuration;
    const market = this.markets.find((each) => each.configuration.marketId === marketId);
    if (market === undefined) return 'TR0300';
    const before = market.configuration.status;
    market.configuration = configuration;
    const sweeps = status === 'Halted' || status === 'Disabled';
    if (sweeps && status !== before) {
      this.sweep(`Market${status}`, (order) => order.market === market);
    }
    return 'done';
  }

  private accountOf(accountId: string): number {
    return this.statuses.findIndex((_, account) => accountIdOf(account) === accountId);
  }

  private transfer(command: Creation): string {
    const { type, deduplicationId } = command;
    const account = this.accountOf(command.accountId);
    const asset = this.assets.findIndex(({ assetId }) => assetId === command.assetId);
    const amount = unitsOf(command.amount, this.assets[asset]?.scale ?? 0);
    if (amount === undefined) return 'TR0504';
    const first = this.deduplication.get(deduplicationId);
    if (first !== undefined) {
      const same = first.type === type && first.account === account && first.asset === asset;
      return same && first.amount === amount ? `transfer ${first.id}` : 'TR0503';
    }
    if (type === 'Withdraw' && amount > this.available(account, asset)) return 'TR0400';
    const status = type === 'Deposit' ? 'Completed' : 'AwaitingConfirmation';
    const id = this.transfers.length + 1;
    const transfer: NaiveTransfer = { id, type, account, asset, amount, status };
    this.transfers.push(transfer);
    this.deduplication.set(deduplicationId, transfer);
    if (type === 'Deposit') this.matching.add(account, asset, amount);
    return `transfer ${id}`;
  }

  private decide(command: Decision): string {
    const transfer = this.transfers[Number(command.transferId) - 1];
    const account = this.accountOf(command.accountId);
    if (transfer === undefined || transfer.type === 'Deposit' || transfer.account !== account) {
      return 'TR0501';
    }
    const status = command.type === 'ConfirmWithdrawal' ? 'Completed' : 'Canceled';
    const waits = transfer.status === 'AwaitingConfirmation';
    if (!waits && transfer.status !== status) return 'TR0502';
    if (waits && status === 'Completed') {
      this.matching.add(account, transfer.asset, -transfer.amount);
    }
    transfer.status = status;
    return 'done';
  }
}
