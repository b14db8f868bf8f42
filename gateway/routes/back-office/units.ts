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

/** What requests call a field of the configuration; of several names, the first that was sent. */
export type Names = Readonly<Record<string, string | readonly string[]>>;

/**
 * The same refusal in the words of the request: its field as the caller calls it, and a value as the
 * caller wrote it, not in the units that the configuration counts in.
 */
export function inWordsOf(names: Names, sent: object, refused: Refused): Refused {
  const { refusal, details } = refused;
  const { field = '' } = details;
  const called = [names[field] ?? field].flat();
  const name = called.find((path) => sentAt(sent, path) !== undefined) ?? called[0] ?? field;
  const isOfField = refusal === Refusals.ConfigurationInvalid;
  const value = (isOfField ? sentAt(sent, name) : undefined) ?? details.value;
  return new Refused(refusal, { ...details, field: name, value });
}

/** The text or number at a path such as `tiers[0].size`. */
function sentAt(sent: object, path: string): string | number | undefined {
  let value: unknown = sent;
  for (const part of path.split(/[.[\]]+/).filter(Boolean)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
