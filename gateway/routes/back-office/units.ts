import { formatUnits, parseUnits } from '../../../core/fixed-point/index.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';

/** A decimal of a request in units of 10^-scale; refused, naming `field`, where it is not exact. */
export function unitsOf(text: string, scale: number, field: string): number | Refused {
  const units = parseUnits(text, scale);
  if (units >= 0) return units;
  const limit = `a multiple of ${formatUnits(1, scale)}, not below 0`;
  return refuse(Refusals.ConfigurationInvalid, { field, value: text, limit });
}

/** What was given: null and a field left out both keep what there is. */
export function given<T extends object>(
  values: { readonly [K in keyof T]?: T[K] | null | undefined },
): Partial<T> {
  const entries = Object.entries(values).filter(([, value]) => value != null);
  return Object.fromEntries(entries) as Partial<T>;
}

/** The same refusal with its field as the caller wrote it. */
export function inWordsOf(names: Readonly<Record<string, string>>, refused: Refused): Refused {
  const { refusal, details } = refused;
  const { field = '' } = details;
  return new Refused(refusal, { ...details, field: names[field] ?? field });
}
