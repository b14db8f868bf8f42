import { Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { OrderPriced } from '../../../core/messages/answers.ts';
import { TIMES_IN_FORCE } from '../../../core/messages/enums.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, OneOf } from '../../http/schema.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import type { RouteContext } from '../context.ts';
import { SpotOrder } from './schemas.ts';
import { SpotOrderCommands } from './spot-order-command.ts';

const PreviewOrder = Type.Object({
  ...SpotOrder.properties,
  timeInForce: Type.Optional(
    OneOf(TIMES_IN_FORCE, { description: 'Gtc for a Limit order, Ioc for a Market one.' }),
  ),
});
const OrderPrice = Type.Object({
  baseAmount: DecimalOutput(),
  quoteAmount: DecimalOutput({
    description: 'At the requested price; of a Market order, at the best price of the book.',
  }),
  commissionAmount: DecimalOutput({ description: 'In the quote asset.' }),
  total: DecimalOutput({ description: 'What a buy costs, or what a sale brings in.' }),
});

/** Pricing orders without placing them. */
export function previewRoutes({ venue, timeZone }: RouteContext): Route[] {
  const commands = new SpotOrderCommands(venue.reference, timeZone);
  return [
    route({
      method: 'POST',
      path: '/frontoffice/api/v3/order-data',
      area: 'trading',
      operation: 'trading-ui',
      account: true,
      extension: true,
      rateClass: 'read',
      summary: 'What a Spot order would cost, without placing it.',
      body: Type.Object({ order: PreviewOrder }),
      responses: { 200: Type.Object({ order: OrderPrice }) },
      handler: async ({ body, account, now }) => {
        const { order } = body;
        const market = commands.market(order.marketId);
        if (market instanceof Refused) return market;
        const timeInForce = order.timeInForce ?? (order.orderType === 'Limit' ? 'Gtc' : 'Ioc');
        const command = commands.command({ ...order, timeInForce }, market, account.index, now);
        if (command instanceof Refused) return command;
        const priced = await venue.preview(command);
        if (priced instanceof Refused) return priced;
        const isBuy = order.side === 'Buy';
        return { order: priceForm(command.quantity, priced, isBuy, market) };
      },
    }),
  ];
}

function priceForm(
  quantity: number,
  { quoteAmount, commission }: OrderPriced,
  isBuy: boolean,
  { scales }: MarketEntry,
) {
  const total = isBuy ? quoteAmount + commission : quoteAmount - commission;
  return {
    baseAmount: formatUnits(quantity, scales.amount),
    quoteAmount: formatUnits(quoteAmount, scales.quote),
    commissionAmount: formatUnits(commission, scales.quote),
    total: formatUnits(total, scales.quote),
  };
}
