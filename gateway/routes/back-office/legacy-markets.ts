import type { MarketConfiguration } from '../../../core/messages/configuration.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { knownAsset } from './asset-forms.ts';
import { entryRates, withOwnRates } from './commission-entry.ts';
import { changesOf, firstBeyondHidden } from './market-changes.ts';
import { marketSettings } from './market-forms.ts';
import { MarketCreation, MarketSettings, MarketUpdate } from './market-schemas.ts';
import { inWordsOf } from './units.ts';

const PATH = '/back-api/backoffice/market/{market_id}';
const PREFIX = 'spot.';
const RETRY_TTL_MS = 60_000;
/** 1 in 10^-4: Market orders hold the price that they see. */
const NO_SLIPPAGE = 10_000;

/** Configuration's names of what these bodies call otherwise. */
const NAMES = {
  marketId: 'id',
  baseAssetId: 'base_asset',
  quoteAssetId: 'quote_asset',
  priceScale: 'price_scale',
  amountScale: 'amount_scale',
  minAmount: 'min_amount',
  maxPrice: 'max_price',
  minPrice: 'min_price',
  priceDeviation: 'price_deviation',
  feeRate: ['taker_fee', 'quote_fee', 'maker_fee'],
  makerFeeRate: ['maker_fee', 'taker_fee', 'quote_fee'],
};

/** Markets as the older back office changes them, and Spot markets as it makes them. */
export function legacyMarketRoutes(context: RouteContext): Route[] {
  return [createMarket(context), updateMarket(context)];
}

function createMarket({ venue }: RouteContext): Route {
  const { reference } = venue;
  return route({
    method: 'POST',
    path: PATH,
    area: 'trading',
    operation: 'manage-markets',
    summary: 'Makes a Spot market; its id with or without `spot.`.',
    body: MarketCreation,
    example: {
      body: {
        base_asset: 'btc',
        quote_asset: 'usdt',
        price_scale: 2,
        amount_scale: 6,
        min_amount: '0.00001',
        taker_fee: '0.001',
        status: 'Open',
      },
    },
    responses: { 200: MarketSettings },
    handler: async ({ params, body, now }) => {
      const { id, base_asset: base, quote_asset: quote, ...settings } = body;
      const marketId = fullId(params.market_id);
      if (id != null && fullId(id) !== marketId) {
        const limit = `${params.market_id}, as in the path`;
        return refuse(Refusals.ConfigurationInvalid, { field: 'id', value: id, limit });
      }
      const baseAsset = knownAsset(reference, base, 'base_asset');
      if (baseAsset instanceof Refused) return baseAsset;
      const quoteAsset = knownAsset(reference, quote, 'quote_asset');
      if (quoteAsset instanceof Refused) return quoteAsset;
      const blank: MarketConfiguration = {
        ...plainMarket(marketId, base, quote),
        fullName: `${baseAsset.name} / ${quoteAsset.name}`,
        priceScale: settings.price_scale,
        amountScale: settings.amount_scale,
        createdAt: now,
        updatedAt: now,
      };
      const changes = changesOf(settings, blank);
      if (changes instanceof Refused) return changes;
      const { feeRate = null, makerFeeRate = null } = changes;
      const rates = {
        feeRate: feeRate ?? makerFeeRate,
        makerFeeRate: makerFeeRate ?? feeRate,
      };
      const configuration = { ...blank, ...changes, ...rates };
      const command = { type: 'ConfigureMarket', configuration, isNew: true } as const;
      const answer = await venue.cold(now, command);
      if (answer instanceof Refused) return inWordsOf(NAMES, body, answer);
      const made = { index: -1, configuration };
      return marketSettings(configuration, entryRates(reference.commissions, made));
    },
  });
}

/** An open Spot market without limits, collar or a commission of its own. */
export function plainMarket(
  marketId: string,
  baseAssetId: string,
  quoteAssetId: string,
): Omit<MarketConfiguration, 'fullName' | 'priceScale' | 'amountScale'> {
  return {
    marketId,
    displayName: `${baseAssetId}/${quoteAssetId}`.toUpperCase(),
    type: 'Spot',
    subtype: null,
    baseAssetId,
    quoteAssetId,
    minAmount: 0,
    maxAmount: null,
    maxPrice: null,
    priceDeviation: 0,
    slippageRate: NO_SLIPPAGE,
    feeRate: null,
    feeMinimum: 0n,
    internalTtl: RETRY_TTL_MS,
    externalTtl: RETRY_TTL_MS,
    status: 'Open',
    calendar: null,
  };
}

function updateMarket({ venue }: RouteContext): Route {
  return route({
    method: 'PUT',
    path: PATH,
    area: 'trading',
    operation: 'hide-markets',
    summary: 'Changes what is sent of a market; anything but `hidden` takes manage-markets.',
    body: MarketUpdate,
    example: { body: { hidden: true } },
    responses: { 200: MarketSettings },
    handler: async ({ params, body, session, now }) => {
      const { market_id: sentId } = params;
      const named = venue.reference.marketOf(sentId) ?? venue.reference.marketOf(fullId(sentId));
      if (named === undefined) {
        return refuse(Refusals.MarketUnknown, { field: 'market_id', value: params.market_id });
      }
      const known = named.configuration;
      const { marketId } = known;
      const { commissions } = venue.reference;
      const mayChangeAll = session.operations.has('manage-markets');
      if (!mayChangeAll) {
        const field = firstBeyondHidden(body, known, entryRates(commissions, named));
        if (field !== undefined) {
          return refuse(Refusals.FieldForbidden, { field, limit: 'manage-markets' });
        }
      }
      const allowed = mayChangeAll ? body : { hidden: body.hidden ?? null };
      const sent = changesOf(allowed, known);
      if (sent instanceof Refused) return sent;
      const changes = withOwnRates(commissions, named, sent);
      if (changes instanceof Refused) return changes;
      const { priceScale, amountScale } = known;
      const answer = await venue.cold(now, {
        type: 'ChangeMarket',
        marketId,
        priceScale,
        amountScale,
        changes: { ...changes, updatedAt: now },
      });
      if (answer instanceof Refused) return inWordsOf(NAMES, body, answer);
      const changed = venue.reference.market(named.index);
      return marketSettings(changed.configuration, entryRates(commissions, changed));
    },
  });
}

function fullId(marketId: string): string {
  return marketId.startsWith(PREFIX) ? marketId : `${PREFIX}${marketId}`;
}
