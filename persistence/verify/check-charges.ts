import {
  buyHoldOf,
  type ClearingState,
  creditOf,
  debitOf,
  feeOf,
  lesser,
  notionalOf,
} from '../../core/clearing/index.ts';
import { OrderType, Side } from '../../core/messages/enums.ts';
import type { OrderAccepted, OrderAmended, OrdersTraded } from '../../core/messages/events.ts';
import { Difference } from './difference.ts';

type Market = ClearingState['markets'][number];

function compare(sequence: number, what: string, recorded: bigint, due: bigint): void {
  if (recorded === due) return;
  throw new Difference(sequence, `${what} is recorded as ${recorded}, the rules make it ${due}`);
}

/** An order is bound by its own price, and holds what its worst case needs. */
export function checkAdmission(sequence: number, event: OrderAccepted, state: ClearingState): void {
  const { orderId, type, price, limit, quantity, side, hold } = event;
  const market = state.market(event.market);
  if (type === OrderType.Limit && limit !== price) {
    throw new Difference(sequence, `order ${orderId} is bound by ${limit}, its price is ${price}`);
  }
  const terms = {
    rate: BigInt(event.feeRate),
    makerRate: BigInt(event.makerFeeRate),
    minimum: event.feeMinimum,
  };
  const bought = limit === 0 ? 0n : buyHoldOf(0n, limit, quantity, market.scale, terms);
  const due = side === Side.Buy ? bought : market.baseUnits(quantity);
  compare(sequence, `what order ${orderId} holds`, hold, due);
}

/** What an amended order holds; `state` has it as it was before. */
export function checkAmendedHold(
  sequence: number,
  event: OrderAmended,
  state: ClearingState,
): void {
  const { slot, price, remaining, hold, orderId } = event;
  const market = state.market(event.market);
  const buys = ((market.orders.traits[slot] as number) & 1) === Side.Buy;
  const due = buys
    ? buyHoldAt(market, slot, 0n, 0n, price, remaining)
    : market.baseUnits(remaining);
  compare(sequence, `what order ${orderId} holds`, hold, due);
}

/** What a trade moves between buyer, seller and house. */
export function checkCharges(sequence: number, event: OrdersTraded, state: ClearingState): void {
  const { takerSlot, makerSlot, takerSide, price, quantity } = event;
  const market = state.market(event.market);
  const { orders, scale } = market;
  const takerBuys = takerSide === Side.Buy;
  const [buyer, seller] = takerBuys ? [takerSlot, makerSlot] : [makerSlot, takerSlot];
  const notional = notionalOf(price, quantity);

  const bought = orders.tradedNotionals[buyer] as bigint;
  const debit = debitOf(bought + notional, scale) - debitOf(bought, scale);
  const buyerTerms = market.orders.feeTermsAt(buyer);
  const asTaker = orders.takerNotionalAt(buyer);
  const moreAsTaker = takerBuys ? notional : 0n;
  const buyerFee =
    feeOf(bought + notional, scale, buyerTerms, asTaker + moreAsTaker) -
    feeOf(bought, scale, buyerTerms, asTaker);

  const sold = orders.tradedNotionals[seller] as bigint;
  const credit = creditOf(sold + notional, scale) - creditOf(sold, scale);
  const soldAsTaker = orders.takerNotionalAt(seller) + (takerBuys ? 0n : notional);
  const owed =
    feeOf(sold + notional, scale, market.orders.feeTermsAt(seller), soldAsTaker) -
    (orders.commissions[seller] as bigint);
  const sellerFee = lesser(owed, credit);

  compare(sequence, 'the buyer’s debit', event.buyerDebit, debit);
  compare(sequence, 'the seller’s credit', event.sellerCredit, credit);
  compare(sequence, 'the taker’s commission', event.takerFee, takerBuys ? buyerFee : sellerFee);
  compare(sequence, 'the maker’s commission', event.makerFee, takerBuys ? sellerFee : buyerFee);
  const left = (orders.remainings[buyer] as number) - quantity;
  const limit = orders.prices[buyer] as number;
  const hold = buyHoldAt(market, buyer, notional, moreAsTaker, limit, left);
  compare(sequence, 'what the buyer holds', event.buyerHold, hold);
}

/** What the buy order at `slot` holds for `remaining` at `limit`, once it has traded `more`. */
function buyHoldAt(
  market: Market,
  slot: number,
  more: bigint,
  moreAsTaker: bigint,
  limit: number,
  remaining: number,
): bigint {
  const traded = (market.orders.tradedNotionals[slot] as bigint) + more;
  const asTaker = market.orders.takerNotionalAt(slot) + moreAsTaker;
  const terms = market.orders.feeTermsAt(slot);
  return buyHoldOf(traded, limit, remaining, market.scale, terms, asTaker);
}
