import { Refusals } from '../messages/refusals.ts';
import { type Denial, deny } from './denial.ts';

/** A setting that is refused, with what would do. */
export function invalid(field: string, value: unknown, limit: string): Denial {
  return deny(Refusals.ConfigurationInvalid, field, String(value), limit);
}

export function isIntegerWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}
