import { formatUnits } from '../../core/fixed-point/index.ts';
import type { PriceWalk } from './price-walk.ts';
import {
  planChanges,
  type Quote,
  type QuoteChange,
  quoteLadder,
  type RestingQuote,
  type Slot,
} from './quote-ladder.ts';

/** What the quoting needs to know about a market. */
export interface QuotedMarket {
  readonly marketId: string;
  readonly baseAssetId: string;
  readonly quoteAssetId: string;
  readonly priceScale: number;
  /** Amounts of orders count 10^-amountScale of this many base assets. */
  readonly lotSize: number;
  readonly amountScale: number;
  /** What every amount is a multiple of, and the least one, in 10^-amountScale. */
  readonly amountStep: bigint;
  readonly minAmount: bigint;
  /** Whether it trades at this time, UTC milliseconds. */
  isOpen(now: number): boolean;
}

/** The orders of one account. An answer of `undefined` or `false` is a refusal. */
export interface OrderDesk {
  place(order: OrderForm): Promise<string | undefined>;
  amend(orderId: string, requestedPrice: string): Promise<boolean>;
  cancel(orderId: string): Promise<void>;
}

export interface OrderForm {
  readonly marketId: string;
  readonly side: 'Buy' | 'Sell';
  readonly timeInForce: 'Gtc' | 'Ioc';
  readonly requestedPrice: string;
  /** In lots, where the market trades in lots. */
  readonly requestedAmount: string;
  readonly selfTradePrevention: 'EXPIRE_MAKER' | 'EXPIRE_TAKER';
}

/** Takers go this far beyond the middle and this small: they move nothing. */
const TAKER_REACH_PPM = 5_000n;
const TAKER_WORTH_MIN = 100;
const TAKER_WORTH_RANGE = 500;

/** Keeps the quotes of one market around the walk's price. */
export class MarketQuoter {
  readonly market: QuotedMarket;
  readonly #walk: PriceWalk;
  readonly #desk: OrderDesk;
  readonly #resting = new Map<Slot, RestingQuote>();

  constructor(market: QuotedMarket, walk: PriceWalk, desk: OrderDesk) {
    this.market = market;
    this.#walk = walk;
    this.#desk = desk;
  }

  /**
   * Brings the quotes to where the walk is now. Does nothing in a market that is closed or that it has no
   * price for.
   */
  async follow(now: number): Promise<void> {
    const mid = this.#mid(now);
    if (mid === undefined) return;
    for (const change of planChanges(quoteLadder(mid), this.#resting)) await this.#apply(change);
  }

  /** Forgets quotes that are open no more, so that `follow` places them anew. */
  keepOnly(openOrderIds: ReadonlySet<string>): void {
    for (const [slot, { orderId }] of this.#resting) {
      if (!openOrderIds.has(orderId)) this.#resting.delete(slot);
    }
  }

  orderIds(): string[] {
    return [...this.#resting.values()].map(({ orderId }) => orderId);
  }

  /** A small order that trades at once, for an account other than the one that quotes. */
  takerOrder(random: { below(bound: number): number }, now: number): OrderForm | undefined {
    const mid = this.#mid(now);
    if (mid === undefined) return undefined;
    const isBuy = random.below(2) === 0;
    const reach = (mid * TAKER_REACH_PPM) / 1_000_000n + 1n;
    const price = isBuy ? mid + reach : mid - reach;
    const worth = BigInt(TAKER_WORTH_MIN + random.below(TAKER_WORTH_RANGE));
    const amount = this.#amount(worth);
    if (amount === undefined || price <= 0n) return undefined;
    return {
      marketId: this.market.marketId,
      side: isBuy ? 'Buy' : 'Sell',
      timeInForce: 'Ioc',
      requestedPrice: formatUnits(price, this.market.priceScale),
      requestedAmount: amount,
      selfTradePrevention: 'EXPIRE_TAKER',
    };
  }

  #mid(now: number): bigint | undefined {
    const { baseAssetId, quoteAssetId, priceScale } = this.market;
    if (!this.market.isOpen(now)) return undefined;
    return this.#walk.midTicks(baseAssetId, quoteAssetId, priceScale);
  }

  /** At least the market's minimum. */
  #amount(worth: bigint): string | undefined {
    const { baseAssetId, amountScale, lotSize, amountStep, minAmount } = this.market;
    const wanted = this.#walk.amountWorth(baseAssetId, worth, amountScale);
    if (wanted === undefined) return undefined;
    const lots = wanted / BigInt(lotSize);
    const onStep = lots - (lots % amountStep);
    return formatUnits(onStep < minAmount ? minAmount : onStep, amountScale);
  }

  async #apply(change: QuoteChange): Promise<void> {
    const { quote } = change;
    if (change.type === 'amend' && (await this.#amend(change.orderId, quote))) return;
    const requestedAmount = this.#amount(quote.worth);
    if (requestedAmount === undefined) return;
    const orderId = await this.#desk.place({
      marketId: this.market.marketId,
      side: quote.side,
      timeInForce: 'Gtc',
      requestedPrice: formatUnits(quote.price, this.market.priceScale),
      requestedAmount,
      selfTradePrevention: 'EXPIRE_MAKER',
    });
    if (orderId !== undefined) this.#resting.set(quote.slot, { orderId, price: quote.price });
  }

  /** False where the quote is gone: filled, taken off by another of ours, or refused and cancelled. */
  async #amend(orderId: string, quote: Quote): Promise<boolean> {
    const price = formatUnits(quote.price, this.market.priceScale);
    if (await this.#desk.amend(orderId, price)) {
      this.#resting.set(quote.slot, { orderId, price: quote.price });
      return true;
    }
    this.#resting.delete(quote.slot);
    await this.#desk.cancel(orderId);
    return false;
  }
}
