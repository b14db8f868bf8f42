import { formatUnits } from '../fixed-point/index.ts';
import { Refusals } from '../messages/refusals.ts';
import type { ReversalCommand, RevertedTrade } from '../messages/reversals.ts';
import { type Denial, deny } from './denial.ts';
import { checkLeaving } from './margin/margin-limits.ts';
import type { Asset } from './market.ts';
import type { Recorder } from './recorder.ts';
import type { Reservations } from './reservations.ts';
import { type Movement, movementsOf } from './reverted-trades.ts';
import type { ClearingState } from './state.ts';

/**
 * Undoes trades of Spot markets: what each side gave comes back to it, commissions and what rounding
 * left included, as one event with a counter-entry for every entry of the trade. Clearing keeps no past
 * trades, so the command says what was booked; that a trade is undone once only is known here.
 */
export class TradeReversal {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly reservations: Reservations;
  private readonly marginReservations: Reservations;

  constructor(
    state: ClearingState,
    recorder: Recorder,
    reservations: Reservations,
    marginReservations: Reservations,
  ) {
    this.state = state;
    this.recorder = recorder;
    this.reservations = reservations;
    this.marginReservations = marginReservations;
  }

  /** All or none; trades that were undone before are passed over. Answers how many were undone. */
  revert(ticket: number, { trades, by }: ReversalCommand, now: number): Denial | undefined {
    const fresh = trades.filter(({ tradeId }) => !this.state.revertedTrades.has(tradeId));
    const denial = this.checkMarkets(fresh) ?? this.checkFunds(fresh);
    if (denial !== undefined) return denial;
    if (fresh.length > 0) this.recorder.cold(now, { type: 'TradesReverted', trades: fresh, by });
    this.recorder.coldAnswer(ticket, { count: fresh.length });
    return undefined;
  }

  private checkMarkets(trades: readonly RevertedTrade[]): Denial | undefined {
    for (const { market } of trades) {
      const { marketId, type } = this.state.market(market).configuration;
      if (type !== 'Spot') return deny(Refusals.MarketTypeMismatch, 'marketId', marketId, 'Spot');
    }
    return undefined;
  }

  /**
   * No balance may fall below what open orders and withdrawals hold of it, nor collateral below what
   * positions need.
   */
  private checkFunds(trades: readonly RevertedTrade[]): Denial | undefined {
    const changes = new Map<string, bigint>();
    for (const trade of trades) {
      for (const movement of movementsOf(this.state, trade)) {
        const name = nameOf(movement);
        changes.set(name, (changes.get(name) ?? 0n) + movement.amount);
      }
    }
    for (const trade of trades) {
      for (const movement of movementsOf(this.state, trade)) {
        const change = changes.get(nameOf(movement)) ?? 0n;
        if (movement.amount >= 0n || change >= 0n) continue;
        const denial = this.checkTaken(trade, movement, -change);
        if (denial !== undefined) return denial;
      }
    }
    return undefined;
  }

  /** Whether `taken` can be taken of an account's asset. */
  private checkTaken(
    trade: RevertedTrade,
    { account, asset: index }: Movement,
    taken: bigint,
  ): Denial | undefined {
    const { ledger, assets } = this.state;
    const asset = assets[index];
    if (asset === undefined) throw new RangeError(`no asset ${index}`);
    const entry = ledger.find(account, index);
    const free = ledger.available(entry) - this.reservations.on(entry);
    if (taken > free) return this.uncovered(trade, account, asset, taken, free);
    return checkLeaving(this.state, this.marginReservations, account, asset, taken);
  }

  private uncovered(
    trade: RevertedTrade,
    account: number,
    { configuration: { assetId, scale } }: Asset,
    taken: bigint,
    free: bigint,
  ): Denial {
    const { accountId } = this.state.accounts.configuration(account);
    const limit =
      `account ${accountId} has ${formatUnits(free, scale)} ${assetId} free, ` +
      `${formatUnits(taken, scale)} would be taken back`;
    return deny(Refusals.ReversalUncovered, 'executions', String(trade.tradeId), limit);
  }
}

function nameOf({ account, asset }: Movement): string {
  return `${account}:${asset}`;
}
