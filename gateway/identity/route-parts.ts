import { Refusals } from '../../core/messages/refusals.ts';
import { DirectoryBusyError } from '../../persistence/directory/index.ts';
import { type Refused, refuse } from '../http/refused.ts';

/** Headers of answers that carry tokens, codes or cookies. */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** A directory that cannot take any more is an overloaded venue. */
export async function unlessBusy<Result>(work: Promise<Result>): Promise<Result | Refused> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DirectoryBusyError) {
      return refuse(Refusals.Overloaded, { retryAfterSeconds: 1 });
    }
    throw error;
  }
}
