import { formatDecimal, formatUnits, parseDecimal } from '../../../core/fixed-point/index.ts';
import type { MarketConfiguration } from '../../../core/messages/configuration.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import type { EntryRates } from './commission-entry.ts';
import { marketSettings, RATE_SCALE, SHARE_SCALE } from './market-forms.ts';
import type { MarketUpdate } from './market-schemas.ts';
import { given, unitsOf } from './units.ts';

type Changes = { -readonly [K in keyof MarketConfiguration]?: MarketConfiguration[K] };

/** Fields that may say nothing but 0. */
const NEVER_CHARGED = ['base_fee', 'maker_fee_limit', 'taker_fee_limit'] as const;
/** The rate of takers has two names. */
const COMMISSIONS = [
  ['quote_fee', 'feeRate'],
  ['taker_fee', 'feeRate'],
  ['maker_fee', 'makerFeeRate'],
] as const;

/**
 * What an update changes of a market's configuration. Figures that count in a scale which changes are
 * converted; one that does not fit the new scale must be sent with it.
 */
export function changesOf(
  update: MarketUpdate,
  known: MarketConfiguration,
): Partial<MarketConfiguration> | Refused {
  const { price_scale: priceScale, amount_scale: amountScale, status, side, hidden } = update;
  const changes: Changes = given<MarketConfiguration>({
    priceScale,
    amountScale,
    status,
    side,
    hidden,
  });
  return (
    refuseScaleOfLots(amountScale, known) ??
    putFigures(changes, update, known) ??
    putShare(changes, update.price_deviation) ??
    putCommission(changes, update) ??
    changes
  );
}

/** What counts in lots has the decimals of its step, which these forms do not know. */
function refuseScaleOfLots(
  amountScale: number | null | undefined,
  known: MarketConfiguration,
): Refused | undefined {
  if (known.margin === undefined || amountScale == null || amountScale === known.amountScale) {
    return undefined;
  }
  const limit = `${known.amountScale}, the decimals of its lot step`;
  return refuse(Refusals.ConfigurationInvalid, {
    field: 'amount_scale',
    value: amountScale,
    limit,
  });
}

function putFigures(
  changes: Changes,
  update: MarketUpdate,
  known: MarketConfiguration,
): Refused | undefined {
  const { priceScale = known.priceScale, amountScale = known.amountScale } = changes;
  const inPrices = { from: known.priceScale, to: priceScale };
  const inAmounts = { from: known.amountScale, to: amountScale };
  const minAmount = figure(update.min_amount, known.minAmount, inAmounts, 'min_amount');
  if (minAmount instanceof Refused) return minAmount;
  const maxAmount = figure(null, known.maxAmount ?? 0, inAmounts, 'amount_scale');
  if (maxAmount instanceof Refused) return maxAmount;
  const minPrice = figure(update.min_price, known.minPrice ?? 0, inPrices, 'min_price');
  if (minPrice instanceof Refused) return minPrice;
  const maxPrice = figure(update.max_price, known.maxPrice ?? 0, inPrices, 'max_price');
  if (maxPrice instanceof Refused) return maxPrice;
  if (minAmount !== known.minAmount) changes.minAmount = minAmount;
  if (maxAmount !== (known.maxAmount ?? 0)) changes.maxAmount = maxAmount;
  if (minPrice !== (known.minPrice ?? 0)) changes.minPrice = minPrice;
  if (maxPrice !== (known.maxPrice ?? 0)) changes.maxPrice = maxPrice === 0 ? null : maxPrice;
  return undefined;
}

function figure(
  sent: string | null | undefined,
  known: number,
  { from, to }: { readonly from: number; readonly to: number },
  field: string,
): number | Refused {
  if (sent != null) return unitsOf(sent, to, field);
  return from === to ? known : unitsOf(formatUnits(known, from), to, field);
}

function putShare(changes: Changes, sent: string | null | undefined): Refused | undefined {
  if (sent == null) return undefined;
  const share = unitsOf(sent, SHARE_SCALE, 'price_deviation');
  if (share instanceof Refused) return share;
  changes.priceDeviation = share;
  return undefined;
}

/** Two names of one rate must say the same. */
function putCommission(changes: Changes, update: MarketUpdate): Refused | undefined {
  for (const field of NEVER_CHARGED) {
    const value = update[field];
    if (value == null || canonical(value) === '0') continue;
    return refuse(Refusals.ConfigurationInvalid, { field, value, limit: '0' });
  }
  for (const [field, name] of COMMISSIONS) {
    const value = update[field];
    if (value == null) continue;
    const rate = unitsOf(value, RATE_SCALE, field);
    if (rate instanceof Refused) return rate;
    const earlier = changes[name];
    if (earlier != null && earlier !== rate) {
      const limit = `${formatUnits(earlier, RATE_SCALE)}, as quote_fee`;
      return refuse(Refusals.ConfigurationInvalid, { field, value, limit });
    }
    changes[name] = rate;
  }
  return undefined;
}

/** The first field, as they were sent, that would change and is not `hidden`; `rates` as in settings. */
export function firstBeyondHidden(
  update: MarketUpdate,
  known: MarketConfiguration,
  rates: EntryRates,
): string | undefined {
  const settings: Readonly<Record<string, unknown>> = marketSettings(known, rates);
  const sent = Object.entries(update) as [string, unknown][];
  const beyond = sent.find(
    ([field, value]) =>
      field !== 'hidden' && value != null && canonical(value) !== canonical(settings[field]),
  );
  return beyond?.[0];
}

function canonical(value: unknown): string {
  const text = String(value);
  const decimal = parseDecimal(text);
  return decimal === undefined ? text : formatDecimal(decimal);
}
