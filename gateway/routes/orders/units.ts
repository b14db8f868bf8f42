import {
  formatUnits,
  NOT_A_DECIMAL,
  OFF_STEP,
  parseUnits,
  TOO_LARGE,
} from '../../../core/fixed-point/index.ts';
import { type Refusal, Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';

/** What a decimal with an exponent beyond all measure is told. */
const DECIMAL_FORM = 'a decimal with an exponent of at most 400';

interface UnitRefusals {
  readonly notPositive: Refusal;
  readonly offStep: Refusal;
  readonly tooLarge: Refusal;
}

const AMOUNT: UnitRefusals = {
  notPositive: Refusals.AmountNotPositive,
  offStep: Refusals.AmountOffStep,
  tooLarge: Refusals.AmountTooLarge,
};
const LOTS: UnitRefusals = { ...AMOUNT, offStep: Refusals.LotOffStep };
const PRICE: UnitRefusals = {
  notPositive: Refusals.PriceNotPositive,
  offStep: Refusals.PriceOffStep,
  tooLarge: Refusals.PriceTooLarge,
};

/** An amount in steps of 10^-scale, at least one. */
export function amountUnits(text: string, scale: number, field: string): number | Refused {
  return positiveUnits(text, scale, 1, field, AMOUNT);
}

/** Lots in steps of 10^-scale: a multiple of `lotStep` of them, at least one. */
export function lotUnits(
  text: string,
  scale: number,
  lotStep: number,
  field: string,
): number | Refused {
  return positiveUnits(text, scale, lotStep, field, LOTS);
}

/** A price in ticks of 10^-scale, at least one. */
export function priceUnits(text: string, scale: number, field: string): number | Refused {
  return positiveUnits(text, scale, 1, field, PRICE);
}

/** The same, where it may be left out: 0 then. */
export function priceUnitsOrNone(
  text: string | null | undefined,
  scale: number,
  field: string,
): number | Refused {
  return text === undefined || text === null ? 0 : priceUnits(text, scale, field);
}

function positiveUnits(
  text: string,
  scale: number,
  step: number,
  field: string,
  refusals: UnitRefusals,
): number | Refused {
  const units = parseUnits(text, scale);
  if (units > 0 && units % step === 0) return units;
  if (units === OFF_STEP || units > 0) {
    return refuse(refusals.offStep, { field, value: text, limit: formatUnits(step, scale) });
  }
  if (units === TOO_LARGE) {
    const limit = formatUnits(Number.MAX_SAFE_INTEGER, scale);
    return refuse(refusals.tooLarge, { field, value: text, limit });
  }
  if (units === NOT_A_DECIMAL) {
    return refuse(Refusals.BadFormat, { field, value: text, limit: DECIMAL_FORM });
  }
  return refuse(refusals.notPositive, { field, value: text });
}
