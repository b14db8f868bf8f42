import { audit, type ClearingState } from '../../core/clearing/index.ts';
import { marginFiguresOf, valuationPrice } from '../../core/clearing/margin/account-margin.ts';
import { NO_ROW } from '../../core/clearing/margin/exposures.ts';
import { Side } from '../../core/messages/enums.ts';
import {
  type Collateral,
  collateralOf,
  marginOf,
  type NaiveExposure,
  type NaiveMargin,
} from '../model/margin/account.ts';
import type { MarginFollower } from '../model/margin/follower.ts';
import { netOf } from '../model/margin/positions.ts';
import { compare, plus } from '../model/margin/rational.ts';
import { worth } from '../model/margin/terms.ts';

/**
 * Throws where clearing has another state than its events lead to by exact arithmetic: balances and
 * holds, positions and their sums, margins, pending orders, waiting stop orders, triggers.
 */
export function checkMargin(state: ClearingState, follower: MarginFollower): void {
  if (!process.env['SKIP_AUDIT']) checkAudit(state);
  checkLedgers(state, follower);
  checkSettlements(state, follower);
  checkPositions(state, follower);
  checkExposures(state, follower);
  checkStopOrders(state, follower);
  same('commissions that nobody has paid', follower.unpaid.size, 0);
  for (let account = 1; account < follower.venue.accounts; account++) {
    const due = naiveMarginOf(state, follower, account);
    const { marginBalance, unrealized, usedMargin, level } = marginFiguresOf(state, account);
    same(`margin balance of ${account}`, marginBalance, due.balance);
    same(`unrealized of ${account}`, unrealized, due.unrealized);
    same(`used margin of ${account}`, usedMargin, due.used);
    same(`margin level of ${account}`, level ?? -1n, due.level ?? -1n);
  }
}

/** An account's margin from its events alone, at the prices that clearing now has. */
export function naiveMarginOf(
  state: ClearingState,
  follower: MarginFollower,
  account: number,
): NaiveMargin {
  const { venue } = follower;
  const collaterals = collateralsOf(state, follower, account, (asset) =>
    venue.total(account, asset),
  );
  const rootScale = venue.assets[venue.rootAsset]?.scale ?? 0;
  const exposures = venue.markets.flatMap((_, market) => {
    const exposure = exposureOf(state, follower, account, market);
    return exposure === undefined ? [] : [exposure];
  });
  return marginOf(collaterals, rootScale, exposures);
}

/** What an account holds of its collateral, in root units as it counts there. */
export function heldCollateral(
  state: ClearingState,
  follower: MarginFollower,
  account: number,
): bigint {
  const helds = follower.heldNow();
  const held = (asset: number) => helds.get(`${account} ${asset}`) ?? 0n;
  const { assets, rootAsset } = follower.venue;
  const rootScale = assets[rootAsset]?.scale ?? 0;
  return collateralsOf(state, follower, account, held).reduce(
    (sum, collateral) => sum + collateralOf(collateral, rootScale),
    0n,
  );
}

function collateralsOf(
  state: ClearingState,
  { venue }: MarginFollower,
  account: number,
  unitsOf: (asset: number) => bigint,
): Collateral[] {
  const selected = venue.collateral.get(account) ?? new Set<number>();
  return venue.assets.flatMap(({ isRoot, scale, marginRatio }, index) => {
    if (!isRoot && !selected.has(index)) return [];
    return [{ total: unitsOf(index), scale, marginRatio, rate: state.rates.fixed(index)?.rate }];
  });
}

/** One account in one market, by its events, at the prices that clearing now has. */
export function exposureOf(
  state: ClearingState,
  follower: MarginFollower,
  account: number,
  market: number,
): NaiveExposure | undefined {
  const { venue, positions } = follower;
  const { terms, configuration } = venue.market(market);
  const profile = configuration.margin?.leverage;
  if (profile === undefined) return undefined;
  const told = state.market(market);
  return {
    terms,
    profile,
    netting: venue.isNetting(account),
    positions: positions.of(account, market),
    buys: follower.pendingOf(account, market, Side.Buy),
    sells: follower.pendingOf(account, market, Side.Sell),
    rate: state.rates.ofQuote(told).rate,
    longPrice: BigInt(valuationPrice(told, Side.Buy)),
    shortPrice: BigInt(valuationPrice(told, Side.Sell)),
  };
}

function checkAudit(state: ClearingState): void {
  const { assets, heldMismatches } = audit(state);
  for (const { assetId, ledgers, netTransfers } of assets) same(assetId, ledgers, netTransfers);
  same('entries that hold something else', BigInt(heldMismatches), 0n);
}

function checkLedgers(state: ClearingState, follower: MarginFollower): void {
  const { venue } = follower;
  const helds = follower.heldNow();
  for (let account = 0; account < venue.accounts; account++) {
    venue.assets.forEach(({ assetId }, asset) => {
      const entry = state.ledger.find(account, asset);
      same(`${assetId} of ${account}`, state.ledger.total(entry), venue.total(account, asset));
      const held = helds.get(`${account} ${asset}`) ?? 0n;
      same(`${assetId} held by ${account}`, state.ledger.held(entry), held);
    });
  }
}

/** A settlement is the other side of every position: what is open, but for rounding, and no less. */
function checkSettlements(state: ClearingState, follower: MarginFollower): void {
  follower.venue.markets.forEach(({ settlement, terms, quote, configuration }, market) => {
    if (configuration.margin === undefined) return;
    same(`settlement of ${market}`, state.market(market).margin?.settlement ?? 0n, settlement);
    const open = [...follower.positions.open.values()].filter((each) => each.market === market);
    const net = netOf(open);
    same(`longs less shorts in ${market}`, net.quantity, 0n);
    if (quote !== follower.venue.rootAsset) return;
    const kept = plus(settlement, worth(terms, net.openNotional));
    const most = follower.closings.get(market) ?? 0n;
    if (compare(kept, 0) < 0 || compare(kept, most) > 0) {
      throw new Error(`market ${market} has kept ${kept.above}/${kept.below} of ${most} closings`);
    }
  });
}

function checkPositions(state: ClearingState, follower: MarginFollower): void {
  const { positions } = state;
  same('open positions', BigInt(positions.openCount), BigInt(follower.positions.open.size));
  for (const due of follower.positions.open.values()) {
    const slot = positions.find(due.id);
    const of = (name: string) => `${name} of position ${due.id}`;
    same(of('account'), positions.accounts[slot], due.account);
    same(of('market'), positions.markets[slot], due.market);
    same(of('side'), positions.sides[slot], due.side);
    same(of('quantity'), positions.quantities[slot], Number(due.quantity));
    same(of('open notional'), positions.openNotionals[slot], due.openNotional);
    same(of('margin'), positions.margins[slot], due.margin);
    same(of('order'), positions.openOrderIds[slot], due.openOrderId);
    same(of('opening time'), positions.openedAts[slot], due.openedAt);
    same(of('closing'), positions.closings[slot], Number(follower.closingOf(due.id)));
    const { stopLoss, takeProfit, trailingOffset } = follower.triggers.of(due.id);
    same(of('stop-loss'), positions.stopLosses[slot], stopLoss);
    same(of('take-profit'), positions.takeProfits[slot], takeProfit);
    same(of('trailing offset'), positions.trailingOffsets[slot], trailingOffset);
  }
}

function checkExposures(state: ClearingState, follower: MarginFollower): void {
  const { exposures } = state;
  const active = new Map<number, number>();
  follower.venue.markets.forEach(({ configuration }, market) => {
    if (configuration.margin === undefined) return;
    for (let account = 1; account < follower.venue.accounts; account++) {
      const all = follower.positions.of(account, market);
      const row = exposures.find(account, market);
      if (all.length > 0) active.set(market, (active.get(market) ?? 0) + 1);
      checkExposure(state, follower, account, market, row);
    }
    const rows = [...exposures.activeRows(market).subarray(0, exposures.activeCount(market))];
    same(`active accounts of ${market}`, rows.length, active.get(market) ?? 0);
    for (const row of rows) {
      const account = exposures.accounts[row] ?? 0;
      same(`market of row ${row}`, exposures.markets[row], market);
      if (follower.positions.of(account, market).length === 0) {
        throw new Error(`account ${account} has no position in ${market} and is revalued there`);
      }
    }
  });
}

function checkExposure(
  state: ClearingState,
  follower: MarginFollower,
  account: number,
  market: number,
  row: number,
): void {
  const { exposures } = state;
  const all = follower.positions.of(account, market);
  const longs = all.filter(({ side }) => side === Side.Buy);
  const shorts = all.filter(({ side }) => side === Side.Sell);
  const sum = (list: typeof all, pick: (each: (typeof all)[number]) => bigint) =>
    list.reduce((total, each) => total + pick(each), 0n);
  const buys = follower.pendingOf(account, market, Side.Buy);
  const sells = follower.pendingOf(account, market, Side.Sell);
  const column = (values: Float64Array | BigInt64Array): bigint =>
    row === NO_ROW ? 0n : BigInt(values[row] ?? 0);
  const of = (name: string) => `${name} of account ${account} in ${market}`;
  same(
    of('longs'),
    column(exposures.longQuantities),
    sum(longs, (each) => each.quantity),
  );
  same(
    of('shorts'),
    column(exposures.shortQuantities),
    sum(shorts, (each) => each.quantity),
  );
  same(
    of('long notional'),
    column(exposures.longNotionals),
    sum(longs, (each) => each.openNotional),
  );
  same(
    of('short notional'),
    column(exposures.shortNotionals),
    sum(shorts, (each) => each.openNotional),
  );
  same(
    of('margin'),
    column(exposures.margins),
    sum(all, (each) => each.margin),
  );
  same(of('pending buys'), column(exposures.pendingBuys), buys.quantity);
  same(of('pending sells'), column(exposures.pendingSells), sells.quantity);
  same(of('margin of buys'), column(exposures.pendingBuyMargins), buys.margin);
  same(of('margin of sells'), column(exposures.pendingSellMargins), sells.margin);
}

function checkStopOrders(state: ClearingState, follower: MarginFollower): void {
  same('waiting stop orders', state.stopOrders.count, follower.stopOrders.size);
  for (const [id, due] of follower.stopOrders) {
    const kept = state.stopOrders.get(id);
    same(`stop order ${id}`, JSON.stringify(kept), JSON.stringify(due));
  }
}

/**
 * Throws where an account is below stop-out and more could be done: it still has orders on margin, or
 * a position in an open market whose book has something to close it with. Right only at rest.
 */
export function checkStoppedOut(state: ClearingState, follower: MarginFollower, now: number): void {
  const stopOut = BigInt(follower.venue.settings.stopOut);
  for (let account = 1; account < follower.venue.accounts; account++) {
    const { level } = naiveMarginOf(state, follower, account);
    if (level === null || level >= stopOut) continue;
    for (const { accepted } of follower.orders.values()) {
      if (accepted.account !== account || accepted.positionId !== 0) continue;
      throw new Error(`account ${account} at level ${level} keeps order ${accepted.orderId}`);
    }
    for (const position of follower.positions.open.values()) {
      if (position.account !== account) continue;
      const market = state.market(position.market);
      const met = position.side === Side.Buy ? market.bestBid : market.bestAsk;
      const trades = market.configuration.status === 'Open' && market.derived.sessions.isOpen(now);
      if (met === 0 || !trades) continue;
      throw new Error(`account ${account} at level ${level} keeps position ${position.id}`);
    }
  }
}

/**
 * Throws where a stop order waits or a position stands whose trigger the best prices have reached, in a
 * market that trades. Right only at rest.
 */
export function checkTriggered(state: ClearingState, follower: MarginFollower, now: number): void {
  const priceOf = (market: number, side: number): number => {
    const { bestBid, bestAsk, configuration, derived } = state.market(market);
    if (configuration.status !== 'Open' || !derived.sessions.isOpen(now)) return 0;
    return side === Side.Buy ? bestBid : bestAsk;
  };
  for (const { orderId, market, side, activationPrice } of follower.stopOrders.values()) {
    const price = priceOf(market, side === Side.Buy ? Side.Sell : Side.Buy);
    const reached = side === Side.Buy ? price >= activationPrice : price <= activationPrice;
    if (price > 0 && reached) throw new Error(`stop order ${orderId} still waits at ${price}`);
  }
  for (const { id, market, side } of follower.positions.open.values()) {
    const price = priceOf(market, side);
    const { stopLoss, takeProfit } = follower.triggers.of(id);
    const sign = side === Side.Buy ? 1 : -1;
    const lost = stopLoss > 0 && sign * (price - stopLoss) <= 0;
    const won = takeProfit > 0 && sign * (price - takeProfit) >= 0;
    if (price === 0 || (!lost && !won)) continue;
    throw new Error(`position ${id} with ${stopLoss} and ${takeProfit} still stands at ${price}`);
  }
}

function same<T>(what: string, found: T, due: T): void {
  if (found !== due) throw new Error(`${what}: ${found} in clearing, ${due} by its events`);
}
