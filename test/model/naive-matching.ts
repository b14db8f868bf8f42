import { type NaiveMarket, type NaiveOrder, RESTING, remainingOf } from './naive-market.ts';
import { commissionOn, roundedDown, roundedUp, worthOf } from './naive-money.ts';

/**
 * Matching and settlement, written for obviousness: lists that are scanned and sorted, totals that
 * are computed from all trades anew. `log` tells what happened, one line a trade, end or change.
 */
export class NaiveMatching {
  log: string[] = [];
  private readonly balances = new Map<string, bigint>();
  private executions = 0;

  total(account: number, asset: number): bigint {
    return this.balances.get(`${account} ${asset}`) ?? 0n;
  }

  add(account: number, asset: number, amount: bigint): void {
    this.balances.set(`${account} ${asset}`, this.total(account, asset) + amount);
  }

  /** Brings an admitted order to the book; false where it may not take and would have to. */
  enter(order: NaiveOrder): boolean {
    const { market, side, limit, timeInForce } = order;
    if (order.postOnly && market.crosses(side, limit)) {
      order.rejected = true;
      this.close(order, 'Rejected', 'System');
      return false;
    }
    const whole = timeInForce !== 'Fok' || this.take(order, false).left === 0;
    const stopped = whole ? this.take(order, true).stopped : false;
    if (!order.open) return true;
    if (stopped) this.close(order, 'Cancelled', 'System');
    else if (RESTING.includes(timeInForce)) {
      market.resting.push(order);
      this.retry(market);
    } else if (timeInForce === 'Retry') market.waiting.push(order);
    else this.close(order, 'Cancelled', 'Manual');
    return true;
  }

  /** Gives a resting order new terms; its state is answered as it is before what waits tries again. */
  change(order: NaiveOrder, price: number, amount: number): string {
    const { market } = order;
    const keeps = price === order.limit && amount <= order.amount;
    order.limit = price;
    order.amount = amount;
    this.log.push(`amended ${order.id} ${remainingOf(order)}@${price}`);
    let status = 'Pending';
    if (!keeps) {
      market.resting = market.resting.filter((other) => other !== order);
      const { left, stopped } = this.take(order, true);
      if (stopped) this.close(order, 'Cancelled', 'System');
      else if (left > 0) market.resting.push(order);
      status = stopped ? 'Cancelled' : left === 0 ? 'Completed' : 'Pending';
    }
    const answer = stateOf(order, status);
    this.retry(market);
    return answer;
  }

  close(order: NaiveOrder, status: string, source: string, reason = 'Trader'): void {
    this.remove(order);
    this.log.push(`closed ${order.id} ${status} ${reason} ${source} ${remainingOf(order)}`);
  }

  /** Matches an order; with `forReal` false only counts. */
  private take(order: NaiveOrder, forReal: boolean): { left: number; stopped: boolean } {
    const { market, side, limit, account, prevention } = order;
    let left = remainingOf(order);
    const makers = market.resting.filter(
      (maker) =>
        maker.side !== side && (side === 'Buy' ? maker.limit <= limit : maker.limit >= limit),
    );
    // The sort keeps the order in which they came where prices are equal.
    makers.sort((a, b) => (side === 'Buy' ? a.limit - b.limit : b.limit - a.limit));
    for (const maker of makers) {
      if (left === 0) break;
      if (maker.account === account && prevention !== 'NONE') {
        if (prevention !== 'EXPIRE_TAKER' && forReal) this.close(maker, 'Cancelled', 'System');
        if (prevention !== 'EXPIRE_MAKER') return { left, stopped: true };
        continue;
      }
      const amount = Math.min(left, remainingOf(maker));
      left -= amount;
      if (forReal) this.trade(order, maker, amount);
    }
    return { left, stopped: false };
  }

  private trade(taker: NaiveOrder, maker: NaiveOrder, amount: number): void {
    const { market } = taker;
    const price = maker.limit;
    const [buyer, seller] = taker.side === 'Buy' ? [taker, maker] : [maker, taker];
    const { unit } = market;
    const paidBefore = roundedUp(worthOf(buyer.trades, unit));
    const earnedBefore = roundedDown(worthOf(seller.trades, unit));
    buyer.trades.push({ price, amount });
    seller.trades.push({ price, amount });
    const debit = roundedUp(worthOf(buyer.trades, unit)) - paidBefore;
    const credit = roundedDown(worthOf(seller.trades, unit)) - earnedBefore;
    const buyerFee = commissionOn(buyer.trades, unit, buyer.fee) - buyer.commission;
    const owed = commissionOn(seller.trades, unit, seller.fee) - seller.commission;
    let sellerFee = owed;
    if (owed > credit) sellerFee = credit;
    buyer.commission += buyerFee;
    seller.commission += sellerFee;
    this.add(buyer.account, market.quote, -debit - buyerFee);
    this.add(buyer.account, market.base, market.baseUnits(amount));
    this.add(seller.account, market.base, -market.baseUnits(amount));
    this.add(seller.account, market.quote, credit - sellerFee);
    this.add(0, market.quote, debit - credit + buyerFee + sellerFee);
    market.lastPrice = price;
    this.executions += 2;
    const fees = taker === buyer ? `${buyerFee} ${sellerFee}` : `${sellerFee} ${buyerFee}`;
    const execution = `${this.executions - 1} ${taker.id}/${maker.id} ${amount}@${price}`;
    this.log.push(`${execution} ${debit} ${credit} ${fees}`);
    for (const order of [maker, taker]) if (remainingOf(order) === 0) this.remove(order);
  }

  private retry(market: NaiveMarket): void {
    for (const order of [...market.waiting]) {
      if (this.take(order, true).stopped) this.close(order, 'Cancelled', 'System');
    }
  }

  private remove(order: NaiveOrder): void {
    const { market } = order;
    order.open = false;
    market.resting = market.resting.filter((other) => other !== order);
    market.waiting = market.waiting.filter((other) => other !== order);
  }
}

/** How a cancel or an amend is answered. */
export function stateOf(order: NaiveOrder, status: string): string {
  const { id, limit, amount, isMarket, commission } = order;
  const traded = order.trades.reduce((sum, trade) => sum + trade.price * trade.amount, 0);
  const price = isMarket ? 0 : limit;
  return `state ${id} ${status} ${remainingOf(order)}/${amount}@${price} ${traded} ${commission}`;
}
