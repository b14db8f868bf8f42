import { formatUnits } from '../fixed-point/index.ts';
import type { AdminCommand, ColdEvent, RevertedTrade } from '../messages/cold.ts';
import { Refusals } from '../messages/refusals.ts';
import { type Denial, deny } from './denial.ts';
import { HOUSE_ACCOUNT } from './ledger.ts';
import type { Recorder } from './recorder.ts';
import type { Reservations } from './reservations.ts';
import type { ClearingState } from './state.ts';

type Revert = Extract<AdminCommand, { type: 'RevertTrades' }>;

/** What goes to an account, or with a minus comes from it, when a trade is undone. */
interface Movement {
  readonly account: number;
  readonly asset: number;
  readonly amount: bigint;
}

/**
 * Undoes trades of Spot markets: what each side gave comes back to it, commissions and what rounding
 * left included, as one event with a counter-entry for every entry of the trade. Clearing keeps no past
 * trades, so the command says what was booked; that a trade is undone once only is known here.
 */
export class TradeReversal {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly reservations: Reservations;

  constructor(state: ClearingState, recorder: Recorder, reservations: Reservations) {
    this.state = state;
    this.recorder = recorder;
    this.reservations = reservations;
  }

  /** All or none; trades that were undone before are passed over. Answers how many were undone. */
  revert(ticket: number, { trades, by }: Revert, now: number): Denial | undefined {
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

  /** No balance may fall below what open orders and withdrawals hold of it. */
  private checkFunds(trades: readonly RevertedTrade[]): Denial | undefined {
    const { ledger } = this.state;
    const changes = new Map<string, bigint>();
    for (const trade of trades) {
      for (const movement of movementsOf(this.state, trade)) {
        const name = nameOf(movement);
        changes.set(name, (changes.get(name) ?? 0n) + movement.amount);
      }
    }
    for (const trade of trades) {
      for (const movement of movementsOf(this.state, trade)) {
        const { account, asset, amount } = movement;
        const change = changes.get(nameOf(movement)) ?? 0n;
        const entry = ledger.find(account, asset);
        const free = ledger.available(entry) - this.reservations.on(entry);
        if (amount < 0n && free + change < 0n) {
          return this.uncovered(trade, account, asset, -change, free);
        }
      }
    }
    return undefined;
  }

  private uncovered(
    trade: RevertedTrade,
    account: number,
    asset: number,
    needed: bigint,
    free: bigint,
  ): Denial {
    const { assetId = '', scale = 0 } = this.state.assets[asset]?.configuration ?? {};
    const { accountId } = this.state.accounts.configuration(account);
    const limit =
      `account ${accountId} has ${formatUnits(free, scale)} ${assetId} free, ` +
      `${formatUnits(needed, scale)} would be taken back`;
    return deny(Refusals.ReversalUncovered, 'executions', String(trade.tradeId), limit);
  }
}

/** Books the counter-entries of each trade. */
export function applyReversal(
  state: ClearingState,
  { trades }: Extract<ColdEvent, { type: 'TradesReverted' }>,
): void {
  for (const trade of trades) {
    for (const { account, asset, amount } of movementsOf(state, trade)) {
      state.ledger.credit(state.ledger.open(account, asset), amount);
    }
    state.revertedTrades.add(trade.tradeId);
  }
}

function movementsOf(state: ClearingState, trade: RevertedTrade): Movement[] {
  const { buyer, seller, base, buyerDebit, sellerCredit, buyerFee, sellerFee } = trade;
  const market = state.market(trade.market);
  const [baseAsset, quoteAsset] = [market.base.index, market.quote.index];
  const kept = buyerDebit - sellerCredit + buyerFee + sellerFee;
  return [
    { account: buyer, asset: baseAsset, amount: -base },
    { account: buyer, asset: quoteAsset, amount: buyerDebit + buyerFee },
    { account: seller, asset: baseAsset, amount: base },
    { account: seller, asset: quoteAsset, amount: sellerFee - sellerCredit },
    { account: HOUSE_ACCOUNT, asset: quoteAsset, amount: -kept },
  ];
}

function nameOf({ account, asset }: Movement): string {
  return `${account}:${asset}`;
}
