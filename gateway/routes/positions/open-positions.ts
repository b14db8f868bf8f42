import { Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { MarginAnswer } from '../../../core/messages/queries.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { PAGE_DEFAULT, PAGE_LIMITS } from '../../../persistence/views/index.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalOutput, Int32, Nullable, OneOf } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import { PositionRead } from './position-form.ts';
import { PositionIdInput } from './position-id.ts';
import { PositionReader } from './position-reader.ts';

/** Decimal places of a margin level in percent. */
const LEVEL_SCALE = 2;

const ListBody = Type.Object({
  marketId: Type.Optional(Nullable(Type.String())),
  marketType: Type.Optional(Nullable(OneOf(['Cfd', 'Perp']))),
  limit: Type.Optional(
    Nullable(
      Int32({
        minimum: 1,
        description: `${PAGE_DEFAULT} by default; more than ${PAGE_LIMITS.orders} count as ${PAGE_LIMITS.orders}.`,
      }),
    ),
  ),
  lastPositionId: Type.Optional(
    Nullable(
      Type.String({
        ...PositionIdInput(),
        description: 'Goes on behind this position, the last of the page before.',
      }),
    ),
  ),
});

/** What is open, and what it takes. */
export function openPositionRoutes(context: RouteContext): Route[] {
  return [listPositions(context), accountMargin(context)];
}

function listPositions(context: RouteContext): Route {
  const { reference } = context.venue;
  const positions = new PositionReader(context);
  return route({
    method: 'POST',
    path: '/frontoffice/api/v4/positions/list',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    rateClass: 'read',
    summary: "The account's open positions, newest first.",
    body: ListBody,
    responses: { 200: Type.Object({ data: Type.Array(PositionRead) }) },
    handler: async ({ body, account, now }) => {
      const { marketId, marketType, lastPositionId } = body;
      const named = marketId ?? null;
      const market = named === null ? undefined : reference.marketOf(named);
      if (named !== null && market === undefined) {
        return refuse(Refusals.MarketUnknown, { field: 'marketId', value: named });
      }
      const open = await positions.open(account.index, now);
      if (open instanceof Refused) return open;
      const before = Number(lastPositionId ?? 0) || Number.MAX_SAFE_INTEGER;
      const page = open
        .filter((each) => each.positionId < before)
        .filter((each) => market === undefined || each.market === market.index)
        .filter((each) => (marketType ?? typeOf(each.market)) === typeOf(each.market))
        .slice(0, Math.min(body.limit ?? PAGE_DEFAULT, PAGE_LIMITS.orders));
      const data: PositionRead[] = [];
      for (const form of await Promise.all(
        page.map((each) => positions.form(each, account.index)),
      )) {
        if (form instanceof Refused) return form;
        data.push(form);
      }
      return { data };
    },
  });

  function typeOf(market: number): string {
    return reference.market(market).configuration.type;
  }
}

function accountMargin({ venue }: RouteContext): Route {
  const { reference } = venue;
  return route({
    method: 'GET',
    path: '/frontoffice/api/v4/account-margin',
    area: 'trading',
    operation: 'trading-ui',
    account: true,
    extension: true,
    summary: 'What the account may lose, what it has at stake and what is left.',
    responses: {
      200: Type.Object({
        marginBalanceInRAT: DecimalOutput({
          description: 'The assets selected as collateral, by their margin ratios.',
        }),
        unrealizedPnlInRAT: DecimalOutput(),
        equityInRAT: DecimalOutput({ description: 'Margin balance and unrealized PnL.' }),
        usedMarginInRAT: DecimalOutput({ description: 'By positions and open orders.' }),
        freeMarginInRAT: DecimalOutput(),
        marginLevel: Nullable(
          DecimalOutput({
            description: 'Equity / used margin in percent; null where no margin is used.',
          }),
        ),
        collateralAssetIds: Type.Array(Type.String()),
      }),
    },
    handler: async ({ account, now }) => {
      const query = { type: 'Margin', account: account.index } as const;
      const margin = await venue.cold<MarginAnswer>(now, query);
      if (margin instanceof Refused) return margin;
      const scale = reference.rootAsset?.scale ?? 0;
      return {
        marginBalanceInRAT: formatUnits(margin.marginBalance, scale),
        unrealizedPnlInRAT: formatUnits(margin.unrealized, scale),
        equityInRAT: formatUnits(margin.equity, scale),
        usedMarginInRAT: formatUnits(margin.usedMargin, scale),
        freeMarginInRAT: formatUnits(margin.freeMargin, scale),
        marginLevel: margin.level === null ? null : formatUnits(margin.level, LEVEL_SCALE),
        collateralAssetIds: margin.collateral.map((index) => reference.asset(index).assetId),
      };
    },
  });
}
