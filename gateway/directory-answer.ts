import { Refusals } from '../core/messages/refusals.ts';
import { DirectoryBusyError } from '../persistence/directory/index.ts';
import { Refused, refuse } from './http/refused.ts';

const BUSY_RETRY_SECONDS = 1;

/** What `use` makes of an answer that is not a refusal: at once where it is there, else when it comes. */
export function whenThere<T, U>(
  answer: T | Refused | Promise<T | Refused>,
  use: (answer: T) => U | Promise<U>,
): U | Refused | Promise<U | Refused> {
  if (!(answer instanceof Promise)) return answer instanceof Refused ? answer : use(answer);
  return answer.then((there) => (there instanceof Refused ? there : use(there)));
}

/** What the directory answers, or a refusal where it has too much to do. */
export async function orBusy<T>(answer: Promise<T>): Promise<T | Refused> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof DirectoryBusyError)) throw error;
    return refuse(Refusals.Overloaded, { retryAfterSeconds: BUSY_RETRY_SECONDS });
  }
}
