import type { ReversalEvent, RevertedTrade } from '../messages/reversals.ts';
import { HOUSE_ACCOUNT } from './ledger.ts';
import type { ClearingState } from './state.ts';

/** What goes to an account, or with a minus comes from it, when a trade is undone. */
export interface Movement {
  readonly account: number;
  readonly asset: number;
  readonly amount: bigint;
}

/** Books the counter-entries of each trade. */
export function applyReversal(state: ClearingState, { trades }: ReversalEvent): void {
  for (const trade of trades) {
    for (const { account, asset, amount } of movementsOf(state, trade)) {
      state.ledger.credit(state.ledger.open(account, asset), amount);
    }
    state.revertedTrades.add(trade.tradeId);
  }
}

/** The counter-entries of a trade. */
export function movementsOf(state: ClearingState, trade: RevertedTrade): Movement[] {
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
