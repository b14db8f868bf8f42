import { encodeCold } from '../../core/messages/codec.ts';
import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import {
  ALL_MARKETS,
  AmendOrder,
  CancelAllOrders,
  CancelOrder,
  ColdCommand,
  PlaceNamedOrder,
  PlaceOrder,
  PreviewOrder,
  RequestBalances,
  RequestDepth,
  Tick,
} from '../../core/messages/commands.ts';
import {
  OrderSource,
  OrderType,
  SelfTradePrevention,
  type SelfTradePreventionName,
  Side,
  type SideName,
  TimeInForce,
  type TimeInForceName,
} from '../../core/messages/enums.ts';
import { PlaceMarginOrder, PreviewMarginOrder } from '../../core/messages/margin-commands.ts';
import type { Query } from '../../core/messages/queries.ts';
import type { BatchWriter } from '../../core/messages/record.ts';

/** What a client asks for, in plain words; prices in ticks, amounts in steps, 0 for none. */
export interface OrderRequest {
  readonly market: number;
  readonly side: SideName;
  /** Absent or 0: a Market order. */
  readonly price?: number;
  readonly amount: number;
  /** Gtc for a Limit and Ioc for a Market order where absent. */
  readonly timeInForce?: TimeInForceName;
  /** Limit where there is a price, unless given. */
  readonly type?: 'Market' | 'Limit';
  readonly postOnly?: boolean;
  readonly selfTradePrevention?: SelfTradePreventionName;
  readonly expiresAt?: number;
  readonly clientOrderId?: string;
  readonly comment?: string;
  readonly priceScale?: number;
  readonly amountScale?: number;
}

/** An order in a market on margin, or a stop order in any market. */
export interface MarginRequest extends OrderRequest {
  /** Absent or 0: the most that there is. */
  readonly leverage?: number;
  readonly activationPrice?: number;
  readonly stopLoss?: number;
  readonly takeProfit?: number;
  readonly isTrailing?: boolean;
  readonly positionId?: number;
}

export type Command =
  | ({ readonly kind: 'place'; readonly account: number } & OrderRequest)
  | ({ readonly kind: 'placeNamed'; readonly account: number } & OrderRequest)
  | ({ readonly kind: 'preview'; readonly account: number } & OrderRequest)
  | ({ readonly kind: 'placeMargin'; readonly account: number } & MarginRequest)
  | ({ readonly kind: 'previewMargin'; readonly account: number } & MarginRequest)
  | {
      readonly kind: 'cancel';
      readonly account: number;
      readonly orderId?: number;
      readonly clientOrderId?: string;
    }
  | {
      readonly kind: 'amend';
      readonly account: number;
      readonly orderId: number;
      readonly price?: number;
      readonly amount?: number;
      readonly priceScale?: number;
      readonly amountScale?: number;
    }
  | { readonly kind: 'cancelAll'; readonly account: number; readonly market?: number }
  | { readonly kind: 'tick' }
  | { readonly kind: 'balances'; readonly account: number }
  | { readonly kind: 'depth'; readonly market: number; readonly levels: number }
  | { readonly kind: 'cold'; readonly command: AdminCommand | Query };

/** Scales of a market, where the command does not name them itself. */
export interface Scales {
  readonly priceScale: number;
  readonly amountScale: number;
}

export function writeCommand(
  batch: BatchWriter,
  command: Command,
  ticket: number,
  time: number,
  scalesOf: (command: Command) => Scales,
): void {
  switch (command.kind) {
    case 'place':
      return PlaceOrder.write(batch, placement(command, ticket, time, scalesOf(command)));
    case 'placeNamed':
      return PlaceNamedOrder.write(batch, placement(command, ticket, time, scalesOf(command)));
    case 'preview':
      return PreviewOrder.write(batch, placement(command, ticket, time, scalesOf(command)));
    case 'placeMargin':
      return PlaceMarginOrder.write(batch, onMargin(command, ticket, time, scalesOf(command)));
    case 'previewMargin':
      return PreviewMarginOrder.write(batch, onMargin(command, ticket, time, scalesOf(command)));
    case 'cancel': {
      const { account, orderId = 0, clientOrderId = '' } = command;
      return CancelOrder.write(batch, { ticket, time, account, orderId, clientOrderId });
    }
    case 'amend': {
      const { account, orderId, price = 0, amount = 0 } = command;
      const { priceScale, amountScale } = { ...scalesOf(command), ...command };
      const amend = { ticket, time, account, orderId, price, quantity: amount };
      return AmendOrder.write(batch, { ...amend, priceScale, amountScale });
    }
    case 'cancelAll': {
      const { account, market = ALL_MARKETS } = command;
      return CancelAllOrders.write(batch, { ticket, time, account, market });
    }
    case 'tick':
      return Tick.write(batch, { time });
    case 'balances':
      return RequestBalances.write(batch, { ticket, time, account: command.account });
    case 'depth': {
      const { market, levels } = command;
      return RequestDepth.write(batch, { ticket, time, market, levels });
    }
    case 'cold':
      return ColdCommand.write(batch, { ticket, time, payload: encodeCold(command.command) });
  }
}

function placement(
  request: OrderRequest & { readonly account: number },
  ticket: number,
  time: number,
  scales: Scales,
): PlaceOrder {
  const price = request.price ?? 0;
  const type = request.type ?? (price > 0 ? 'Limit' : 'Market');
  const timeInForce = request.timeInForce ?? (type === 'Limit' ? 'Gtc' : 'Ioc');
  return {
    ticket,
    time,
    account: request.account,
    market: request.market,
    side: Side[request.side],
    type: OrderType[type],
    timeInForce: TimeInForce[timeInForce],
    source: OrderSource.Manual,
    byKey: 0,
    postOnly: request.postOnly === true ? 1 : 0,
    selfTradePrevention: SelfTradePrevention[request.selfTradePrevention ?? 'EXPIRE_TAKER'],
    priceScale: request.priceScale ?? scales.priceScale,
    amountScale: request.amountScale ?? scales.amountScale,
    price,
    quantity: request.amount,
    expiresAt: request.expiresAt ?? 0,
    clientOrderId: request.clientOrderId ?? '',
    comment: request.comment ?? '',
  };
}

function onMargin(
  request: MarginRequest & { readonly account: number },
  ticket: number,
  time: number,
  scales: Scales,
): PlaceMarginOrder {
  return {
    ...placement(request, ticket, time, scales),
    leverage: request.leverage ?? 0,
    activationPrice: request.activationPrice ?? 0,
    stopLoss: request.stopLoss ?? 0,
    takeProfit: request.takeProfit ?? 0,
    isTrailing: request.isTrailing === true ? 1 : 0,
    positionId: request.positionId ?? 0,
  };
}
