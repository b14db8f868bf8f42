import { Side } from '../messages/enums.ts';
import type { AuditAnswer } from '../messages/queries.ts';
import { buyHoldOf } from './charges.ts';
import { NO_ENTRY } from './ledger.ts';
import { marginMismatches } from './margin/audit.ts';
import type { Market } from './market.ts';
import { sideOf } from './order-table.ts';
import type { ClearingState } from './state.ts';

/**
 * Recomputes from scratch what must always be true: every asset's ledgers (with the settlement ledgers
 * of markets on margin for the root asset) sum to its net transfers, every account holds exactly what
 * its open orders and unconfirmed withdrawals need, and exposures are what positions and orders make.
 */
export function audit(state: ClearingState): Omit<AuditAnswer, 'atBooks'> {
  const sums = state.ledger.sums(state.assets.length);
  for (const { margin } of state.markets) {
    const sum = sums[state.rootAsset] ?? 0n;
    if (margin !== undefined) sums[state.rootAsset] = sum + margin.settlement;
  }
  return {
    sequence: state.sequence,
    assets: state.assets.map(({ index, configuration }) => ({
      assetId: configuration.assetId,
      ledgers: sums[index] as bigint,
      netTransfers: state.ledger.netTransfersOf(index),
    })),
    openOrders: state.orderIndex.count,
    heldMismatches: heldMismatches(state),
    marginMismatches: marginMismatches(state),
  };
}

/** How many ledger entries hold something else than what is needed. */
function heldMismatches(state: ClearingState): number {
  const { ledger } = state;
  const needs = new BigInt64Array(ledger.size);
  let mismatches = 0;
  const need = (account: number, asset: number, amount: bigint) => {
    const entry = ledger.find(account, asset);
    if (entry !== NO_ENTRY) needs[entry] = (needs[entry] as bigint) + amount;
    else if (amount !== 0n) mismatches++;
  };
  for (const market of state.markets) {
    const { orders } = market;
    if (market.margin !== undefined) continue;
    for (let slot = 0; slot < orders.slotCount; slot++) {
      if (orders.orderIds[slot] === 0) continue;
      const buys = sideOf(orders.traits[slot] as number) === Side.Buy;
      const asset = buys ? market.quote : market.base;
      need(orders.accounts[slot] as number, asset.index, neededBy(market, slot, buys));
    }
  }
  for (const { account, asset, amount, status } of state.transfers.all()) {
    if (status === 'AwaitingConfirmation') need(account, asset, amount);
  }
  // Losses may take the root asset below what is held of it, and below zero; nothing else can go there.
  ledger.forEachEntry((entry, asset, total, held) => {
    const isCovered = asset === state.rootAsset || held <= total;
    if (held !== needs[entry] || !isCovered) mismatches++;
  });
  return mismatches;
}

function neededBy(market: Market, slot: number, buys: boolean): bigint {
  const { orders } = market;
  const remaining = orders.remainings[slot] as number;
  if (!buys) return market.baseUnits(remaining);
  const limit = orders.prices[slot] as number;
  if (limit === 0) return 0n;
  const traded = orders.tradedNotionals[slot] as bigint;
  const asTaker = orders.takerNotionalAt(slot);
  return buyHoldOf(traded, limit, remaining, market.scale, orders.feeTermsAt(slot), asTaker);
}
