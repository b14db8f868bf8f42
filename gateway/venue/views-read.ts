import { Refusals } from '../../core/messages/refusals.ts';
import type { JsonOf, Read } from '../../persistence/views/index.ts';
import { type Refused, refuse } from '../http/refused.ts';

const RETRY_SECONDS = 1;

/** What the views answered: JSON text, undefined where there is no such thing, or a refusal. */
export function textOf<T>(read: Read<T>): JsonOf<T> | Refused | undefined {
  switch (read.kind) {
    case 'answer':
      return read.json;
    case 'missing':
      return undefined;
    default:
      return refuse(Refusals.Overloaded, { retryAfterSeconds: RETRY_SECONDS });
  }
}
