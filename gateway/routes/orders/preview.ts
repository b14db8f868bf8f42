import { type Static, Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { OrderPriced } from '../../../core/messages/answers.ts';
import { TIMES_IN_FORCE } from '../../../core/messages/enums.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, OneOf } from '../../http/schema.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import type { Venue } from '../../venue/venue.ts';
import type { RouteContext } from '../context.ts';
import { SPOT_PREVIEW_EXAMPLE } from './examples.ts';
import { inOrder } from './refusal-fields.ts';
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

export const PreviewBody = Type.Object({ order: PreviewOrder });
export const Preview = Type.Object({ order: OrderPrice });

/** Prices orders without placing them. */
export class OrderPreviews {
  private readonly venue: Venue;
  private readonly commands: SpotOrderCommands;

  constructor({ venue, timeZone }: Pick<RouteContext, 'venue' | 'timeZone'>) {
    this.venue = venue;
    this.commands = new SpotOrderCommands(venue.reference, timeZone);
  }

  /** The market that an order names. */
  market(marketId: string): MarketEntry | Refused {
    return this.commands.market(marketId);
  }

  /** What the order would cost this account, or anybody where it is `NO_ACCOUNT`. */
  async price(
    order: Static<typeof PreviewOrder>,
    market: MarketEntry,
    account: number,
    now: number,
  ): Promise<Static<typeof Preview> | Refused> {
    const timeInForce = order.timeInForce ?? (order.orderType === 'Limit' ? 'Gtc' : 'Ioc');
    const command = this.commands.command({ ...order, timeInForce }, market, account, now, 0);
    if (command instanceof Refused) return command;
    const priced = inOrder(await this.venue.preview(command));
    if (priced instanceof Refused) return priced;
    return { order: priceForm(command.quantity, priced, order.side === 'Buy', market) };
  }
}

export function previewRoutes(context: RouteContext): Route[] {
  const previews = new OrderPreviews(context);
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
      body: PreviewBody,
      example: { body: SPOT_PREVIEW_EXAMPLE },
      responses: { 200: Preview },
      handler: async ({ body: { order }, account, now }) => {
        const market = previews.market(order.marketId);
        if (market instanceof Refused) return market;
        return await previews.price(order, market, account.index, now);
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
