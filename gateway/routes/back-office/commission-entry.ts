import type { CommissionSchedule } from '../../../core/clearing/index.ts';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { MarketConfiguration } from '../../../core/messages/cold.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';
import { SIZE_SCALE } from './commission-forms.ts';

/** A market as its commissions are decided; index -1 while it has none. */
interface Market {
  readonly index: number;
  readonly configuration: MarketConfiguration;
}

/** What an account under the default profile that has not traded yet is charged, on notional, in 10^-8. */
export function entryRate(schedule: CommissionSchedule, market: Market): number {
  const decided = schedule.chargeOf(market, schedule.profileOf(undefined));
  const { type, size } =
    decided.type === 'Fixed'
      ? decided.charge
      : { type: decided.group.type, size: decided.group.tiers[0]?.size ?? 0 };
  return type === 'Percent' ? size : 0;
}

/**
 * The changes without a rate that says nothing new; refused where the market's own rate would change
 * and nobody would be charged it, because a rule or a group comes before.
 */
export function withOwnRate<C extends Partial<MarketConfiguration>>(
  schedule: CommissionSchedule,
  market: Market,
  changes: C,
): C | Refused {
  const { feeRate } = changes;
  if (feeRate == null) return changes;
  const now = entryRate(schedule, market);
  if (feeRate === now) return { ...changes, feeRate: market.configuration.feeRate };
  const changed = { ...market, configuration: { ...market.configuration, feeRate } };
  if (entryRate(schedule, changed) === feeRate) return changes;
  return refuse(Refusals.ConfigurationInvalid, {
    field: 'taker_fee',
    value: formatUnits(feeRate, SIZE_SCALE),
    limit: `${formatUnits(now, SIZE_SCALE)}, by a commission rule or group`,
  });
}
