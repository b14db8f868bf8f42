import { Refusals } from '../../core/messages/refusals.ts';
import { DirectoryBusyError } from '../../persistence/directory/index.ts';
import { type Refused, refuse } from '../http/refused.ts';

const BUSY_RETRY_SECONDS = 1;

/** What the directory answers, or a refusal where it has too much to do. */
export async function orBusy<T>(answer: Promise<T>): Promise<T | Refused> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof DirectoryBusyError)) throw error;
    return refuse(Refusals.Overloaded, { retryAfterSeconds: BUSY_RETRY_SECONDS });
  }
}
