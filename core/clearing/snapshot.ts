import type { CommissionConfiguration } from '../messages/commissions.ts';
import type {
  AssetConfiguration,
  MarginSettings,
  MarketConfiguration,
} from '../messages/configuration.ts';
import type { AccountsSnapshot } from './accounts.ts';
import type { ClientOrderIdsSnapshot } from './client-order-ids.ts';
import { applyCold } from './cold-events.ts';
import type { VolumesSnapshot } from './commission-volumes.ts';
import type { ExpiriesSnapshot } from './expiries.ts';
import type { LedgerSnapshot } from './ledger.ts';
import type { CollateralSnapshot } from './margin/collateral.ts';
import type { MarketMarginSnapshot } from './margin/market-margin.ts';
import { notePending } from './margin/pending.ts';
import type { PositionsSnapshot } from './margin/positions.ts';
import type { StopOrdersSnapshot } from './margin/stop-order-table.ts';
import type { EndingStatus } from './market.ts';
import type { OrderTableSnapshot } from './order-table.ts';
import type { PackedListSnapshot } from './packed-list.ts';
import { ClearingState } from './state.ts';

/** A new number for every change of the shapes below. */
const SNAPSHOT_VERSION = 5;

/** Clearing's whole state after the event `sequence`: typed arrays and plain values only. */
export interface ClearingSnapshot {
  readonly version: number;
  readonly sequence: number;
  readonly time: number;
  readonly nextOrderId: number;
  readonly nextExecutionId: number;
  readonly nextPositionId: number;
  readonly assets: readonly AssetConfiguration[];
  readonly markets: readonly {
    readonly configuration: MarketConfiguration;
    readonly lastPrice: number;
    readonly endedBelow: number;
    readonly endedBy: EndingStatus;
    readonly orders: OrderTableSnapshot;
    readonly margin: MarketMarginSnapshot | null;
  }[];
  readonly accounts: AccountsSnapshot;
  readonly ledger: LedgerSnapshot;
  readonly clientOrderIds: ClientOrderIdsSnapshot;
  readonly expiries: ExpiriesSnapshot;
  readonly positions: PositionsSnapshot;
  readonly collateral: CollateralSnapshot;
  readonly stopOrders: StopOrdersSnapshot;
  readonly marginSettings: MarginSettings;
  readonly transfers: PackedListSnapshot;
  readonly revertedTrades: Float64Array;
  readonly commissions: CommissionConfiguration;
  readonly volumes: VolumesSnapshot;
}

/** Copies the state: for hot columns one memory copy each, so the pause stays short. */
export function takeSnapshot(state: ClearingState): ClearingSnapshot {
  return {
    version: SNAPSHOT_VERSION,
    sequence: state.sequence,
    time: state.time,
    nextOrderId: state.nextOrderId,
    nextExecutionId: state.nextExecutionId,
    nextPositionId: state.nextPositionId,
    assets: state.assets.map((asset) => asset.configuration),
    markets: state.markets.map((market) => ({
      configuration: market.configuration,
      lastPrice: market.lastPrice,
      endedBelow: market.endedBelow,
      endedBy: market.endedBy,
      orders: market.orders.save(),
      margin: market.margin?.save(market.orders.slotCount) ?? null,
    })),
    accounts: state.accounts.save(),
    ledger: state.ledger.save(),
    clientOrderIds: state.clientOrderIds.save(),
    expiries: state.expiries.save(),
    positions: state.positions.save(),
    collateral: state.collateral.save(),
    stopOrders: state.stopOrders.save(),
    marginSettings: state.marginSettings,
    transfers: state.transfers.save(),
    revertedTrades: Float64Array.from(state.revertedTrades),
    commissions: state.commissions.schedule.save(),
    volumes: state.commissions.volumes.save(),
  };
}

/**
 * Whether a snapshot of state that was found can be restored: what says that it has another shape
 * cannot, and the journal has to be replayed from an older one or from its beginning.
 */
export function isOfThisVersion(state: unknown): boolean {
  if (typeof state !== 'object' || state === null || !('version' in state)) return true;
  return state.version === SNAPSHOT_VERSION;
}

/** The state that `snapshot` was taken of. */
export function restoreState(
  snapshot: ClearingSnapshot,
  clientOrderIdWindow?: number,
): ClearingState {
  if (snapshot.version !== SNAPSHOT_VERSION) {
    throw new Error(`snapshot version ${snapshot.version} is not ${SNAPSHOT_VERSION}`);
  }
  const state = new ClearingState(clientOrderIdWindow);
  snapshot.assets.forEach((configuration, asset) => {
    applyCold(state, 0, { type: 'AssetConfigured', asset, configuration });
  });
  snapshot.markets.forEach(({ configuration }, market) => {
    applyCold(state, 0, { type: 'MarketConfigured', market, configuration });
  });
  state.accounts.load(snapshot.accounts);
  state.ledger.load(snapshot.ledger);
  state.clientOrderIds.load(snapshot.clientOrderIds);
  state.expiries.load(snapshot.expiries);
  state.transfers.load(snapshot.transfers);
  for (const tradeId of snapshot.revertedTrades) state.revertedTrades.add(tradeId);
  state.commissions.schedule.load(snapshot.commissions);
  state.commissions.volumes.load(snapshot.volumes);
  for (const { deduplicationId, transferId } of state.transfers.all()) {
    state.transfersByDeduplicationId.set(deduplicationId, transferId);
  }
  restorePositions(state, snapshot);
  snapshot.markets.forEach(({ lastPrice, endedBelow, endedBy, orders, margin }, index) => {
    const market = state.market(index);
    market.lastPrice = lastPrice;
    market.endedBelow = endedBelow;
    market.endedBy = endedBy;
    market.orders.load(orders);
    if (margin !== null) market.margin?.load(margin);
    indexOrders(state, index);
  });
  state.sequence = snapshot.sequence;
  state.time = snapshot.time;
  state.nextOrderId = snapshot.nextOrderId;
  state.nextExecutionId = snapshot.nextExecutionId;
  state.nextPositionId = snapshot.nextPositionId;
  return state;
}

function restorePositions(state: ClearingState, snapshot: ClearingSnapshot): void {
  const { positions, exposures } = state;
  state.collateral.load(snapshot.collateral);
  state.marginSettings = snapshot.marginSettings;
  state.stopOrders.load(snapshot.stopOrders);
  for (const { account } of state.stopOrders.all()) state.accounts.orderOpened(account);
  positions.load(snapshot.positions);
  for (let slot = 0; slot < positions.slotCount; slot++) {
    if (positions.ids[slot] !== 0) exposures.link(slot);
  }
}

function indexOrders(state: ClearingState, index: number): void {
  const market = state.market(index);
  const { orders } = market;
  for (let slot = 0; slot < orders.slotCount; slot++) {
    const orderId = orders.orderIds[slot] as number;
    if (orderId === 0) continue;
    state.orderIndex.add(orderId, index, slot);
    state.accounts.orderOpened(orders.accounts[slot] as number);
    if (market.margin !== undefined) notePending(state, market, slot);
  }
}
