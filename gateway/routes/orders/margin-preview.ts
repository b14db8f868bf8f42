import { type Static, Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { MarginOrderPriced } from '../../../core/messages/answers.ts';
import { Side, TIMES_IN_FORCE } from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalInput, DecimalOutput, Nullable, OneOf } from '../../http/schema.ts';
import type { MarketEntry } from '../../venue/reference.ts';
import type { Venue } from '../../venue/venue.ts';
import type { RouteContext } from '../context.ts';
import { marginPreviewExample } from './examples.ts';
import { type MarginCommand, MarginOrderCommands } from './margin-order-command.ts';
import { MARGIN_PATHS, type MarginType } from './margin-placement.ts';
import { inMarginOrder } from './refusal-fields.ts';
import { LOT_ORDER } from './schemas.ts';
import { pricedTrigger, TRIGGER_TYPES, type TriggerBasis } from './trigger-price.ts';

/** Decimal places of a margin level in percent. */
const LEVEL_SCALE = 2;

const Trigger = Type.Object({
  triggerType: OneOf(TRIGGER_TYPES, {
    description:
      'What triggerSize is: a Price; a Rate of the entry price (0.01 is 1 %); a number of Points, which are ticks; or a profit or loss in the root asset (Pnl).',
  }),
  triggerSize: DecimalInput({ description: 'Always positive: a distance in the due direction.' }),
});
const StopLossTrigger = Type.Object({
  ...Trigger.properties,
  isTrailing: Type.Optional(Type.Boolean()),
});
const PreviewOrder = Type.Object({
  ...LOT_ORDER,
  timeInForce: Type.Optional(
    OneOf(TIMES_IN_FORCE, { description: 'Gtc for a Limit order, Ioc for a Market one.' }),
  ),
  takeProfit: Type.Optional(Nullable(Trigger)),
  stopLoss: Type.Optional(Nullable(StopLossTrigger)),
});
type PreviewOrder = Static<typeof PreviewOrder>;

const PricedTrigger = Type.Object({
  price: DecimalOutput(),
  rate: DecimalOutput({ description: 'Distance from the entry price as a fraction of it.' }),
  points: Type.Integer({ description: 'Distance from the entry price in ticks.' }),
  pnl: DecimalOutput({ description: 'What it would realise, in the root asset.' }),
});
const MarginLevel = Nullable(
  DecimalOutput({ description: 'In percent, with this order filled; null where there is none.' }),
);
const PREVIEW = {
  requiredMarginInRAT: DecimalOutput(),
  quoteAmount: DecimalOutput({
    description: 'At the requested price; of a Market order, at the best price of the book.',
  }),
  commissionAmountInRAT: DecimalOutput(),
  marginLevel: MarginLevel,
  takeProfit: Nullable(PricedTrigger),
  stopLoss: Nullable(PricedTrigger),
} as const;

export const MarginPreviewBody = Type.Object({ order: PreviewOrder });
const MarginPreview = Type.Object({ order: Type.Object(PREVIEW) });
/** As guests get it. */
export const GuestMarginPreview = Type.Object({
  order: Type.Object({ lotAmount: DecimalOutput(), ...PREVIEW }),
});
type Preview = Static<typeof GuestMarginPreview>;

/** Prices orders of one type of market on margin without placing them. */
export class MarginPreviews {
  private readonly venue: Venue;
  private readonly commands: MarginOrderCommands;

  constructor({ venue, timeZone }: Pick<RouteContext, 'venue' | 'timeZone'>, type: MarginType) {
    this.venue = venue;
    this.commands = new MarginOrderCommands(venue.reference, type, timeZone);
  }

  /** The market that an order names. */
  market(marketId: string): MarketEntry | Refused {
    return this.commands.market(marketId);
  }

  /** What the order would take of this account, or of anybody where it is `NO_ACCOUNT`. */
  async price(
    order: PreviewOrder,
    market: MarketEntry,
    account: number,
    now: number,
  ): Promise<Preview | Refused> {
    const timeInForce = order.timeInForce ?? (order.orderType === 'Limit' ? 'Gtc' : 'Ioc');
    const { stopLoss, takeProfit, ...plain } = order;
    const command = this.commands.command({ ...plain, timeInForce }, market, account, now, 0);
    if (command instanceof Refused) return command;
    const priced = inMarginOrder(await this.venue.previewOnMargin(command));
    if (priced instanceof Refused) return priced;
    const basis = basisOf(command, priced, market);
    const profit = this.trigger(takeProfit, basis, 'takeProfit');
    if (profit instanceof Refused) return profit;
    const stop = this.trigger(stopLoss, basis, 'stopLoss');
    if (stop instanceof Refused) return stop;
    const { quote, amount, commission } = market.scales;
    return {
      order: {
        lotAmount: formatUnits(command.quantity, amount),
        requiredMarginInRAT: formatUnits(priced.marginInRoot, commission),
        quoteAmount: formatUnits(priced.quoteAmount, quote),
        commissionAmountInRAT: formatUnits(priced.commissionInRoot, commission),
        marginLevel: priced.level < 0n ? null : formatUnits(priced.level, LEVEL_SCALE),
        takeProfit: profit,
        stopLoss: stop,
      },
    };
  }

  private trigger(
    trigger: Static<typeof Trigger> | null | undefined,
    basis: TriggerBasis,
    name: 'stopLoss' | 'takeProfit',
  ): Preview['order']['stopLoss'] | Refused {
    if (trigger === null || trigger === undefined) return null;
    if (basis.entry === 0 || basis.rate === 0n) return refuse(Refusals.NoReferencePrice);
    return pricedTrigger(trigger, basis, name);
  }
}

/** A trigger is measured from the price that the order would open at: its own, or the book's best. */
function basisOf(
  command: MarginCommand,
  { bid, ask, price, rate }: MarginOrderPriced,
  { scales }: MarketEntry,
): TriggerBasis {
  const { side, quantity } = command;
  const best = side === Side.Buy ? ask : bid;
  return { entry: command.price || best || price, side, quantity, rate, scales };
}

export function marginPreviewRoutes(context: RouteContext): Route[] {
  return [previewOnMargin(context, 'Cfd'), previewOnMargin(context, 'Perp')];
}

function previewOnMargin(context: RouteContext, type: MarginType): Route {
  const previews = new MarginPreviews(context, type);
  return route({
    method: 'POST',
    path: `/frontoffice/api/${MARGIN_PATHS[type]}/v4/order-data`,
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    ...(type === 'Cfd' ? {} : ({ extension: true } as const)),
    rateClass: 'read',
    summary: `What a ${type} order would take and cost, without placing it.`,
    body: MarginPreviewBody,
    example: { body: marginPreviewExample(type) },
    responses: { 200: MarginPreview },
    handler: async ({ body: { order }, account, now }) => {
      const market = previews.market(order.marketId);
      if (market instanceof Refused) return market;
      return await previews.price(order, market, account.index, now);
    },
  });
}
