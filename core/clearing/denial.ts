import type { Refusal } from '../messages/refusals.ts';

/** Why a command changes nothing: a refusal of the catalogue and what fills its template. */
export interface Denial {
  readonly refusal: Refusal;
  readonly field: string;
  readonly value: string;
  readonly limit: string;
}

export function deny(refusal: Refusal, field = '', value = '', limit = ''): Denial {
  return { refusal, field, value, limit };
}
