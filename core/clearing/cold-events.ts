import type { ColdEvent, StopOrder, Transfer } from '../messages/cold-events.ts';
import type { MarketConfiguration } from '../messages/configuration.ts';
import { HOUSE_ACCOUNT } from './ledger.ts';
import { NO_POSITION } from './margin/positions.ts';
import { endsOrders, Market } from './market.ts';
import { applyReversal } from './reverted-trades.ts';
import type { ClearingState } from './state.ts';

/** Applies one event of the rare kinds. */
export function applyCold(state: ClearingState, time: number, event: ColdEvent): void {
  state.advance(time);
  switch (event.type) {
    case 'AssetConfigured': {
      const { assetId, isRoot } = event.configuration;
      state.assets[event.asset] = { index: event.asset, configuration: event.configuration };
      state.assetIndexes.set(assetId, event.asset);
      if (isRoot) state.rootAsset = event.asset;
      return state.rates.configured();
    }
    case 'MarketConfigured':
      return configureMarket(state, event.market, event.configuration);
    case 'AccountOpened':
      return state.accounts.open(event.account, event.configuration);
    case 'AccountStatusChanged':
      return state.accounts.changeStatus(event.account, event.status, state.nextOrderId);
    case 'TransferCreated':
      return createTransfer(state, event.transfer);
    case 'TransferChanged':
      return changeTransfer(state, event);
    case 'CommissionProfileSet':
    case 'CommissionGroupSet':
    case 'CommissionProfileRemoved':
    case 'CommissionGroupRemoved':
    case 'CommissionGroupAssigned':
    case 'CommissionProfileAssigned':
      return state.commissions.schedule.apply(event);
    case 'TradingDayEnded': {
      const scaleOf = (asset: number) => state.assets[asset]?.configuration.scale ?? 0;
      return state.commissions.volumes.endDay(event, scaleOf(state.rootAsset), scaleOf);
    }
    case 'TradesReverted':
      return applyReversal(state, event);
    case 'Resumed':
      return;
    default:
      return applyColdOnMargin(state, event);
  }
}

function applyColdOnMargin(state: ClearingState, event: ColdEvent): void {
  switch (event.type) {
    case 'StopOrderPlaced':
      return placeStopOrder(state, event.stopOrder);
    case 'StopOrderEnded':
      return endStopOrder(state, event.orderId);
    case 'PositionTriggersSet':
      return setTriggers(state, event);
    case 'CollateralSelected':
      return state.collateral.select(event.account, event.asset, event.selected);
    case 'MarginSettingsChanged':
      state.marginSettings = event.settings;
      return;
    case 'IndexPriceSet': {
      const { margin } = state.market(event.market);
      if (margin !== undefined) margin.indexPrice = event.price;
      return;
    }
    case 'PremiumSampled': {
      const { margin } = state.market(event.market);
      if (margin === undefined) return;
      margin.premiumSum += event.sum;
      margin.premiumCount += event.count;
      return;
    }
    case 'NegativeBalanceCompensated': {
      const { account, amount } = event;
      state.ledger.debit(state.ledger.open(HOUSE_ACCOUNT, state.rootAsset), amount);
      state.ledger.credit(state.ledger.open(account, state.rootAsset), amount);
      return;
    }
    default:
      throw new Error(`event ${event.type} is of no known kind`);
  }
}

function configureMarket(
  state: ClearingState,
  index: number,
  configuration: MarketConfiguration,
): void {
  const known = state.markets[index];
  if (known !== undefined) {
    const { status } = configuration;
    if (endsOrders(known.configuration.status, status)) {
      known.endedBelow = state.nextOrderId;
      known.endedBy = status;
    }
    known.configure(configuration);
  } else {
    const base = state.assetOf(configuration.baseAssetId);
    const quote = state.assetOf(configuration.quoteAssetId);
    if (base === undefined || quote === undefined) throw new Error(`assets of market ${index}`);
    state.markets[index] = new Market(index, configuration, base, quote);
    state.marketIndexes.set(configuration.marketId, index);
  }
  state.rates.configured();
}

function createTransfer(state: ClearingState, transfer: Transfer): void {
  const { transferId, account, asset, amount, status, type } = transfer;
  state.transfers.set(transferId - 1, transfer);
  state.transfersByDeduplicationId.set(transfer.deduplicationId, transferId);
  const entry = state.ledger.open(account, asset);
  if (type === 'Deposit' && status === 'Completed') {
    state.ledger.credit(entry, amount);
    state.ledger.transferred(asset, amount);
  } else if (type === 'Withdrawal' && status === 'AwaitingConfirmation') {
    state.ledger.hold(entry, amount);
  }
}

function changeTransfer(
  state: ClearingState,
  event: Extract<ColdEvent, { type: 'TransferChanged' }>,
): void {
  const { transferId, status, callbackUrl, updatedAt } = event;
  const transfer = state.transfer(transferId);
  if (transfer === undefined) throw new Error(`no transfer ${transferId}`);
  state.transfers.set(transferId - 1, { ...transfer, status, callbackUrl, updatedAt });
  const entry = state.ledger.find(transfer.account, transfer.asset);
  state.ledger.release(entry, transfer.amount);
  if (status === 'Completed') {
    state.ledger.debit(entry, transfer.amount);
    state.ledger.transferred(transfer.asset, -transfer.amount);
  }
}

function placeStopOrder(state: ClearingState, stopOrder: StopOrder): void {
  const { orderId, account, clientOrderId, expiresAt } = stopOrder;
  state.stopOrders.add(stopOrder);
  state.accounts.orderOpened(account);
  state.nextOrderId = orderId + 1;
  if (expiresAt > 0) state.expiries.add(expiresAt, orderId);
  if (clientOrderId !== '') {
    state.clientOrderIds.add(account, clientOrderId, orderId, state.isOpen);
  }
}

function endStopOrder(state: ClearingState, orderId: number): void {
  const stopOrder = state.stopOrders.get(orderId);
  if (stopOrder === undefined) throw new Error(`no stop order ${orderId}`);
  state.stopOrders.remove(orderId);
  state.accounts.orderEnded(stopOrder.account);
}

function setTriggers(
  state: ClearingState,
  { positionId, triggers }: Extract<ColdEvent, { type: 'PositionTriggersSet' }>,
): void {
  const { positions } = state;
  const slot = positions.find(positionId);
  if (slot === NO_POSITION) throw new Error(`no position ${positionId}`);
  positions.stopLosses[slot] = triggers.stopLoss;
  positions.takeProfits[slot] = triggers.takeProfit;
  positions.trailingOffsets[slot] = triggers.trailingOffset;
}
