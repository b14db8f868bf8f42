import type Database from 'better-sqlite3';
import { creditOf, debitOf, notionalOf, notionalScale } from '../../../core/clearing/index.ts';
import { Side } from '../../../core/messages/enums.ts';
import { amountScaleOf, priceScaleOf, quoteScaleOf } from '../packing.ts';
import type { TradeMovesRequest } from './requests.ts';
import type { TradeMoves } from './spot-trade-forms.ts';

interface TradeRow {
  readonly id: number;
  readonly market: number;
  readonly takerSide: number;
  readonly price: number;
  readonly quantity: number;
  readonly takerOrder: number;
  readonly makerOrder: number | null;
  readonly takerFee: string;
  readonly makerFee: string;
}

interface OrderOfTrade {
  readonly account: number;
  readonly scales: number;
  readonly ownerUserId: string;
}

/**
 * What a trade moved between its two sides, put together again: an order pays on what it traded in all,
 * rounded once, so what one fill cost follows from the fills before it.
 */
export class TradeMoveQueries {
  private readonly trade: Database.Statement;
  private readonly order: Database.Statement;
  private readonly before: Database.Statement;
  private readonly onMargin: Database.Statement;

  constructor(database: Database.Database) {
    this.trade = database.prepare(
      `SELECT id, market, taker_side AS takerSide, price, quantity, taker_order AS takerOrder,
         maker_order AS makerOrder, CAST(taker_fee AS TEXT) AS takerFee,
         CAST(maker_fee AS TEXT) AS makerFee
       FROM trades WHERE id IN (@executionId, @executionId - 1) ORDER BY id DESC LIMIT 1`,
    );
    this.onMargin = database.prepare('SELECT order_id FROM margin_executions WHERE id = ?').pluck();
    this.order = database.prepare(
      `SELECT account, scales, owner_user_id AS ownerUserId
       FROM orders JOIN accounts ON accounts.id = account WHERE orders.id = ?`,
    );
    this.before = database
      .prepare(
        `SELECT price, quantity FROM trades WHERE taker_order = @orderId AND id < @tradeId UNION ALL
         SELECT price, quantity FROM trades WHERE maker_order = @orderId AND id < @tradeId`,
      )
      .raw();
  }

  /** Null where there is no such execution. */
  find({ executionId }: TradeMovesRequest): TradeMoves | null {
    const trade = this.trade.get({ executionId }) as TradeRow | undefined;
    if (trade === undefined) return null;
    const { id: tradeId, market, takerOrder, makerOrder } = trade;
    const onMargin = this.onMargin.get(executionId) as number | undefined;
    const inSpot = tradeId === executionId ? takerOrder : makerOrder;
    const orderId = onMargin ?? inSpot;
    if (orderId === null) return null;
    const { ownerUserId } = this.orderOf(orderId);
    const facts = { tradeId, market, orderId, ownerUserId };
    return { ...facts, booked: makerOrder === null ? null : this.booked(trade, makerOrder) };
  }

  private booked(trade: TradeRow, makerOrder: number): TradeMoves['booked'] {
    const { takerOrder, takerSide, takerFee, makerFee, price, quantity } = trade;
    const [taker, maker] = [this.orderOf(takerOrder), this.orderOf(makerOrder)];
    const { scales } = taker;
    const amountScale = amountScaleOf(scales);
    const scale = notionalScale(priceScaleOf(scales), amountScale, quoteScaleOf(scales));
    const takerBuys = takerSide === Side.Buy;
    const bought = this.tradedBefore(takerBuys ? takerOrder : makerOrder, trade.id);
    const sold = this.tradedBefore(takerBuys ? makerOrder : takerOrder, trade.id);
    const notional = notionalOf(price, quantity);
    return {
      buyer: takerBuys ? taker.account : maker.account,
      seller: takerBuys ? maker.account : taker.account,
      quantity,
      amountScale,
      buyerDebit: String(debitOf(bought + notional, scale) - debitOf(bought, scale)),
      sellerCredit: String(creditOf(sold + notional, scale) - creditOf(sold, scale)),
      buyerFee: takerBuys ? takerFee : makerFee,
      sellerFee: takerBuys ? makerFee : takerFee,
    };
  }

  private orderOf(orderId: number): OrderOfTrade {
    return this.order.get(orderId) as OrderOfTrade;
  }

  private tradedBefore(orderId: number, tradeId: number): bigint {
    let traded = 0n;
    for (const row of this.before.iterate({ orderId, tradeId })) {
      const [price, quantity] = row as [number, number];
      traded += notionalOf(price, quantity);
    }
    return traded;
  }
}
