import { type Static, Type } from '@sinclair/typebox';
import type { MarketConfiguration } from '../../../core/messages/configuration.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { empty } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { PathText } from '../../http/schema.ts';
import type { Reference } from '../../venue/reference.ts';
import type { RouteContext } from '../context.ts';
import { knownAsset } from './asset-forms.ts';
import { InTurn } from './in-turn.ts';
import { plainMarket } from './legacy-markets.ts';
import { marketChanges } from './margin-changes.ts';
import { IndexPrice, MarginMarketCreation, MarketChange } from './margin-schemas.ts';
import { backOfficeMarket } from './market-forms.ts';
import { BackOfficeMarket } from './market-schemas.ts';
import { inWordsOf } from './units.ts';

const MARKETS = '/back-api/backoffice/v2/markets';
const CREATION_EXAMPLE = {
  type: 'Perp',
  baseAssetId: 'xau',
  quoteAssetId: 'usdt',
  priceScale: 2,
  lotSize: 1,
  lotStep: '0.01',
  minLotAmount: '0.01',
  maxLotAmount: 1000,
  leverageProfile: { leverageType: 'Fixed', leverage: { maxLeverage: 20 } },
  fundingSettings: { startTime: '00:00:00', intervalInHours: 8, cap: '0.0075' },
};
/** Configuration's names of what these bodies call otherwise. */
const NAMES = {
  leverage: 'leverageProfile',
  swaps: 'swapSettings',
  funding: 'fundingSettings',
  minAmount: 'minLotAmount',
  maxAmount: 'maxLotAmount',
  fundingStartTime: 'fundingSettings.startTime',
  fundingIntervalInHours: 'fundingSettings.intervalInHours',
  fundingRateCap: 'fundingSettings.cap',
};

/** Making Cfd and Perp markets, and changing whatever a market has that the older forms do not know. */
export function marginMarketRoutes(context: RouteContext): Route[] {
  return [createMarket(context), changeMarket(context), setIndexPrice(context)];
}

function createMarket({ venue }: RouteContext): Route {
  const { reference } = venue;
  return route({
    method: 'POST',
    path: MARKETS,
    area: 'trading',
    operation: 'manage-markets',
    extension: true,
    summary: 'Makes a Cfd or Perp market; its commission is what the rules say.',
    body: MarginMarketCreation,
    example: { body: CREATION_EXAMPLE },
    responses: { 201: BackOfficeMarket },
    handler: async ({ body, now }) => {
      const blank = blankMarket(reference, body);
      if (blank instanceof Refused) return blank;
      const sent = { ...body, lotStep: body.lotStep ?? body.minLotAmount };
      const changes = marketChanges(sent, blank, rootScaleOf(reference));
      const configuration = { ...blank, ...changes, createdAt: now, updatedAt: now };
      checkTogether(reference, configuration);
      const command = { type: 'ConfigureMarket', configuration, isNew: true } as const;
      const answer = await venue.cold(now, command);
      return answer instanceof Refused
        ? inWordsOf(NAMES, body, answer)
        : backOfficeMarket(configuration, rootScaleOf(reference));
    },
  });
}

/** The market before anything that the request says about lots, leverage, swaps and funding. */
function blankMarket(
  reference: Reference,
  { type, baseAssetId, quoteAssetId, priceScale }: Static<typeof MarginMarketCreation>,
): MarketConfiguration | Refused {
  const base = knownAsset(reference, baseAssetId, 'baseAssetId');
  if (base instanceof Refused) return base;
  const quote = knownAsset(reference, quoteAssetId, 'quoteAssetId');
  if (quote instanceof Refused) return quote;
  const marketId = `${type.toLowerCase()}.${baseAssetId}_${quoteAssetId}`;
  return {
    ...plainMarket(marketId, baseAssetId, quoteAssetId),
    type,
    fullName: `${base.name} / ${quote.name}`,
    feeRate: null,
    priceScale,
    amountScale: 0,
    margin: {
      lotSize: 1,
      lotStep: 1,
      leverage: { leverageType: 'Fixed', useOnlyMaxLeverage: false, maxLeverage: 1 },
      swaps: null,
      funding: null,
    },
  };
}

function changeMarket({ venue }: RouteContext): Route {
  const { reference } = venue;
  const inTurn = new InTurn();
  return route({
    method: 'PATCH',
    path: `${MARKETS}/{marketId}`,
    area: 'trading',
    operation: 'manage-markets',
    extension: true,
    summary:
      'Changes what is sent of a market: figures of any, and lots, leverage, swaps, funding.',
    body: MarketChange,
    example: { body: { slippageRate: '1.05', priceDeviation: '0.1' } },
    responses: { 200: BackOfficeMarket },
    handler: ({ params: { marketId }, body, now }) =>
      // Lots, leverage, swaps and funding are one value: two changes of it must not read the same one.
      inTurn.run(async () => {
        const known = reference.marketOf(marketId)?.configuration;
        if (known === undefined) return unknownMarket(marketId);
        const changes = marketChanges(body, known, rootScaleOf(reference));
        checkTogether(reference, { ...known, ...changes });
        const { priceScale, amountScale } = known;
        const answer = await venue.cold(now, {
          type: 'ChangeMarket',
          marketId,
          priceScale,
          amountScale,
          changes: { ...changes, updatedAt: now },
        });
        if (answer instanceof Refused) return inWordsOf(NAMES, body, answer);
        const changed = reference.marketOf(marketId)?.configuration ?? known;
        return backOfficeMarket(changed, rootScaleOf(reference));
      }),
  });
}

function setIndexPrice({ venue }: RouteContext): Route {
  return route({
    method: 'POST',
    path: `${MARKETS}/{marketId}/index-price`,
    params: Type.Object({ marketId: PathText('perp.btc_usdt') }),
    area: 'trading',
    operation: 'manage-markets',
    extension: true,
    summary:
      'Feeds the index price of a Cfd or Perp market; 0 has it follow its Spot market again.',
    body: IndexPrice,
    responses: { 204: null },
    handler: async ({ params: { marketId }, body: { price }, now }) => {
      const market = venue.reference.marketOf(marketId);
      if (market === undefined) return unknownMarket(marketId);
      if (market.configuration.margin === undefined) {
        const limit = 'Cfd or Perp';
        return refuse(Refusals.MarketTypeMismatch, { field: 'marketId', value: marketId, limit });
      }
      const answer = await venue.cold(now, { type: 'SetIndexPrice', marketId, price });
      return answer instanceof Refused ? answer : empty(204);
    },
  });
}

/** What clearing does not judge: that assets of swaps exist, and that a Perp alone has funding. */
function checkTogether(
  reference: Reference,
  { type, margin }: Pick<MarketConfiguration, 'type' | 'margin'>,
): void {
  if (margin === undefined) return;
  const { swaps, funding } = margin;
  for (const assetId of [swaps?.long.assetId, swaps?.short.assetId]) {
    if (assetId == null) continue;
    const asset = knownAsset(reference, assetId, 'swapSettings');
    if (asset instanceof Refused) throw asset;
  }
  if (type === 'Perp' && funding === null) {
    throw refuse(Refusals.FieldMissing, { field: 'fundingSettings' });
  }
  const misplaced = type === 'Perp' ? swaps && 'swapSettings' : funding && 'fundingSettings';
  if (misplaced !== null) {
    throw refuse(Refusals.FieldNotTaken, { field: misplaced, limit: `a ${type} market` });
  }
}

function unknownMarket(marketId: string): Refused {
  return refuse(Refusals.MarketUnknown, { field: 'marketId', value: marketId });
}

function rootScaleOf({ rootAsset }: Reference): number {
  return rootAsset?.scale ?? 0;
}
