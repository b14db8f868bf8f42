import type { Refusal } from '../../core/messages/refusals.ts';

/** What a refusal says beyond its code: the placeholders of the catalogue's message. */
export interface RefusalDetails {
  /** The field as the client wrote it, with its path: `order.requestedAmount`. */
  readonly field?: string | undefined;
  /** The value that broke the rule. */
  readonly value?: string | number | bigint | undefined;
  /** What would have done. */
  readonly limit?: string | number | bigint | undefined;
  /** Seconds until a repeat makes sense: sent as Retry-After. */
  readonly retryAfterSeconds?: number | undefined;
  /** Close the connection behind the answer. */
  readonly close?: boolean | undefined;
  /** The whole body, where the refusal has one of its own in place of the area's. */
  readonly body?: object | undefined;
  /** Headers that go with the refusal, for example `www-authenticate` or `allow`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * A request that is answered with an entry of the catalogue. It may be returned (cheap) or thrown;
 * it is no `Error` and takes no stack: a refusal is an expected outcome.
 */
export class Refused {
  readonly refusal: Refusal;
  readonly details: RefusalDetails;

  constructor(refusal: Refusal, details: RefusalDetails) {
    this.refusal = refusal;
    this.details = details;
  }
}

const NO_DETAILS: RefusalDetails = {};

/** `return refuse(Refusals.AmountTooSmall, { field: 'order.requestedAmount', value, limit })`. */
export function refuse(refusal: Refusal, details: RefusalDetails = NO_DETAILS): Refused {
  return new Refused(refusal, details);
}
