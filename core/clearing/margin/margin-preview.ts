import { MarginOrderPriced } from '../../messages/answers.ts';
import { NO_ACCOUNT } from '../../messages/commands.ts';
import { Reason } from '../../messages/enums.ts';
import type { PlaceMarginOrder } from '../../messages/margin-commands.ts';
import type { BatchWriter } from '../../messages/record.ts';
import { greater, notionalOf } from '../charges.ts';
import type { Denial } from '../denial.ts';
import type { Market } from '../market.ts';
import { inRootCeiling } from '../rates.ts';
import type { Recorder } from '../recorder.ts';
import type { ClearingState } from '../state.ts';
import { capAt, levelOf, marginFiguresOf, marginOf } from './account-margin.ts';
import { commissionAt, type MarginFee, marginFeeOf } from './commission.ts';
import {
  checkMarginAccount,
  checkMarginOrder,
  checkOnMargin,
  checkWorth,
  closes,
  closingQuantity,
  hasRate,
  type MarginRequest,
  noRate,
  noReference,
  referenceOf,
} from './margin-admission.ts';
import { type Requirement, requirementOf } from './requirement.ts';
import { tellable } from './room.ts';

/** Prices orders on margin that are not placed. Whether their margin is there is not looked at. */
export class MarginPreview {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly answers: BatchWriter;

  constructor(state: ClearingState, recorder: Recorder, answers: BatchWriter) {
    this.state = state;
    this.recorder = recorder;
    this.answers = answers;
  }

  /** What the order would take now; for `NO_ACCOUNT` only what does not depend on an account. */
  preview(command: PlaceMarginOrder, now: number): void {
    const denial = this.price({ ...command, reason: Reason.Trader, stopOrderId: 0 }, now);
    if (denial !== undefined) this.recorder.refuse(command.ticket, denial);
  }

  private price(request: MarginRequest, now: number): Denial | undefined {
    const { state } = this;
    const { account } = request;
    const market = state.market(request.market);
    const denial =
      checkOnMargin(market) ??
      checkMarginOrder(market, request, now) ??
      (account === NO_ACCOUNT ? undefined : checkMarginAccount(state, market, request));
    if (denial !== undefined) return denial;
    const price = referenceOf(market, request);
    const fee = marginFeeOf(state, market, account);
    if (price === 0) return noReference(market);
    if (fee === undefined || !hasRate(state, market)) return noRate(market);
    const quantity = closes(request) ? closingQuantity(state, request) : request.quantity;
    const required = closes(request)
      ? { leverage: capAt(state, market, 0n), margin: 0n, growth: 0n, reduces: true }
      : requirementOf(state, market, { ...request, price });
    if ('refusal' in required) return required;
    return this.answer(market, { ...request, price, quantity }, fee, required);
  }

  private answer(
    market: Market,
    { ticket, account, price, quantity }: MarginRequest,
    fee: MarginFee,
    required: Requirement,
  ): Denial | undefined {
    const { state } = this;
    const rate = state.rates.ofQuote(market);
    const notional = notionalOf(price, quantity);
    const quoteAmount = marginOf(market, notional, 1);
    const commissionInRoot = commissionAt(state, market, notional, quantity, fee);
    const worth = greater(greater(quoteAmount, inRootCeiling(rate, quoteAmount)), commissionInRoot);
    const denial = checkWorth(worth, market, quantity);
    if (denial !== undefined) return denial;
    MarginOrderPriced.write(this.answers, {
      ticket,
      price,
      bid: market.bestBid,
      ask: market.bestAsk,
      leverage: required.leverage,
      quoteAmount,
      marginInRoot: inRootCeiling(rate, required.margin),
      commissionInRoot,
      level: account === NO_ACCOUNT ? -1n : this.levelAfter(account, required.growth),
      rate: rate.rate,
    });
    return undefined;
  }

  private levelAfter(account: number, growth: bigint): bigint {
    const { equity, usedMargin } = marginFiguresOf(this.state, account);
    const level = levelOf(equity, usedMargin + growth);
    return level === undefined ? -1n : tellable(level);
  }
}
