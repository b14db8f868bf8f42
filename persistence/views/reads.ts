declare const content: unique symbol;

/** The JSON text of a `T`: it can go into a response as it is, or through `parseJson`. */
export type JsonOf<T> = string & { readonly [content]?: T };

export function parseJson<T>(json: JsonOf<T>): T {
  return JSON.parse(json) as T;
}

/** What became of a read. */
export type Read<T> =
  | { readonly kind: 'answer'; readonly json: JsonOf<T> }
  /** The account has no such thing. */
  | { readonly kind: 'missing' }
  /** The views did not catch up in time, or are being built anew: answer 503, try later. */
  | { readonly kind: 'lagging' }
  /** Too many reads are waiting already: answer 503, try later. */
  | { readonly kind: 'busy' };

export const MISSING = { kind: 'missing' } as const;
export const LAGGING = { kind: 'lagging' } as const;
export const BUSY = { kind: 'busy' } as const;
