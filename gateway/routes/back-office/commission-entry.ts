import type { CommissionSchedule } from '../../../core/clearing/index.ts';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { MarketConfiguration } from '../../../core/messages/configuration.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';
import { SIZE_SCALE } from './commission-forms.ts';

/** A market as its commissions are decided; index -1 while it has none. */
interface Market {
  readonly index: number;
  readonly configuration: MarketConfiguration;
}

/** Fractions of notional in 10^-8. */
export interface EntryRates {
  readonly taker: number;
  readonly maker: number;
}

const BY_LOT: EntryRates = { taker: 0, maker: 0 };

/** What an account under the default profile that has not traded yet is charged on notional. */
export function entryRates(schedule: CommissionSchedule, market: Market): EntryRates {
  const decided = schedule.chargeOf(market, schedule.profileOf(undefined));
  if (decided.type === 'Fixed') {
    const { charge, makerSize } = decided;
    return charge.type === 'Percent' ? { taker: charge.size, maker: makerSize } : BY_LOT;
  }
  const [first] = decided.group.tiers;
  if (first === undefined || decided.group.type !== 'Percent') return BY_LOT;
  return { taker: first.size, maker: first.makerSize };
}

/**
 * The changes with both rates where one of them changes, and without any where they say nothing new.
 * Refused where nobody would be charged them, because a rule or a group comes before.
 */
export function withOwnRates<C extends Partial<MarketConfiguration>>(
  schedule: CommissionSchedule,
  market: Market,
  changes: C,
): C | Refused {
  const { feeRate, makerFeeRate, ...others } = changes;
  if (feeRate == null && makerFeeRate == null) return changes;
  const now = entryRates(schedule, market);
  // Makers and takers pay the same on margin: one of the two names is enough.
  const isSpot = market.configuration.type === 'Spot';
  const taker = feeRate ?? (isSpot ? null : makerFeeRate) ?? now.taker;
  const maker = makerFeeRate ?? (isSpot ? now.maker : taker);
  if (taker === now.taker && maker === now.maker) return others as C;
  const changed = { ...changes, feeRate: taker, makerFeeRate: maker };
  const configuration = { ...market.configuration, feeRate: taker, makerFeeRate: maker };
  const then = entryRates(schedule, { ...market, configuration });
  if (then.taker === taker && (then.maker === maker || !isSpot)) return changed;
  return refuse(Refusals.ConfigurationInvalid, {
    field: taker === now.taker ? 'maker_fee' : 'taker_fee',
    value: formatUnits(taker === now.taker ? maker : taker, SIZE_SCALE),
    limit: 'what a commission rule or group says',
  });
}
