import {
  divide,
  formatQuotient,
  formatUnits,
  parseDecimal,
  powerOfTen,
} from '../../../core/fixed-point/index.ts';
import { Side } from '../../../core/messages/enums.ts';
import type { Scales } from '../../../core/messages/order-view.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { priceUnits } from './units.ts';

/** Ways to say where a trigger is: see `distanceOf`. */
export const TRIGGER_TYPES = ['Price', 'Rate', 'Points', 'Pnl'] as const;

/** Decimal places of conversion rates, and of rates of the entry price as they are shown. */
const RATE_SCALE = 12;
const SHOWN_RATE_SCALE = 8;

/** What a trigger is measured from. */
export interface TriggerBasis {
  /** Ticks. */
  readonly entry: number;
  /** Of the order. */
  readonly side: number;
  readonly quantity: number;
  /** Root asset for one of the quote asset, in 10^-12. */
  readonly rate: bigint;
  readonly scales: Scales;
}

interface TriggerSize {
  readonly triggerType: (typeof TRIGGER_TYPES)[number];
  readonly triggerSize: string;
}

/**
 * A trigger in all four ways. What lies between two ticks is rounded to the nearer, and the other
 * figures are those of that price. The profit or loss is rounded down.
 */
export function pricedTrigger(
  trigger: TriggerSize,
  basis: TriggerBasis,
  name: 'stopLoss' | 'takeProfit',
) {
  const field = `order.${name}.triggerSize`;
  const direction = (basis.side === Side.Buy) === (name === 'takeProfit') ? 1n : -1n;
  const distance = distanceOf(trigger, basis, direction, field);
  if (distance instanceof Refused) return distance;
  const entry = BigInt(basis.entry);
  const price = entry + direction * distance;
  const details = { field, value: trigger.triggerSize };
  if (price <= 0n) return refuse(Refusals.TriggerBelowZero, details);
  if (price > BigInt(Number.MAX_SAFE_INTEGER)) {
    const limit = formatUnits(Number.MAX_SAFE_INTEGER, basis.scales.price);
    return refuse(Refusals.PriceTooLarge, { ...details, limit });
  }
  if (distance <= 0n) {
    const limit = formatUnits(entry, basis.scales.price);
    return refuse(Refusals.TriggerWrongSide, { ...details, limit });
  }
  const profit = name === 'takeProfit' ? distance : -distance;
  const { commission } = basis.scales;
  return {
    price: formatUnits(price, basis.scales.price),
    rate: formatQuotient(distance, entry, SHOWN_RATE_SCALE, 'half-up'),
    points: Number(distance),
    pnl: formatQuotient(profit * tickValue(basis), tickUnit(basis), commission, 'floor'),
  };
}

/** How far from the entry, in ticks; negative where a price is on the wrong side. */
function distanceOf(
  { triggerType, triggerSize }: TriggerSize,
  basis: TriggerBasis,
  direction: bigint,
  field: string,
): bigint | Refused {
  if (triggerType === 'Price') {
    const price = priceUnits(triggerSize, basis.scales.price, field);
    return price instanceof Refused ? price : direction * BigInt(price - basis.entry);
  }
  const size = parseDecimal(triggerSize);
  if (size === undefined || size.coefficient <= 0n) {
    return refuse(Refusals.AmountNotPositive, { field, value: triggerSize });
  }
  const one = powerOfTen(size.scale);
  if (triggerType === 'Rate') return divide(BigInt(basis.entry) * size.coefficient, one, 'half-up');
  if (triggerType === 'Pnl') {
    return divide(size.coefficient * tickUnit(basis), one * tickValue(basis), 'half-up');
  }
  if (size.scale === 0) return size.coefficient;
  return refuse(Refusals.AmountOffStep, { field, value: triggerSize, limit: 1 });
}

/** What one tick is worth for the whole order: `tickValue` / `tickUnit` of the root asset. */
function tickValue({ quantity, rate, scales }: TriggerBasis): bigint {
  return BigInt(quantity) * BigInt(scales.lotSize) * rate;
}

function tickUnit({ scales }: TriggerBasis): bigint {
  return powerOfTen(scales.price + scales.amount + RATE_SCALE);
}
