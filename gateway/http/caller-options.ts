/** Whose word is taken for where a caller is, and which countries are turned away. */
export interface CallerOptions {
  /** Addresses and networks (`10.0.0.0/8`) whose headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Headers that a trusted proxy sets, lower case; undefined where it sets none. */
  readonly countryHeader: string | undefined;
  readonly ipHeader: string | undefined;
  /** Upper-case ISO 3166 codes. */
  readonly blockedCountries: readonly string[];
}
