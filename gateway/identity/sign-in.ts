import { type Directory, emailKey, type User } from '../../persistence/directory/index.ts';
import { addressPrefix } from '../http/address-prefix.ts';
import { type AttemptBudget, AttemptLimiter } from './attempt-limiter.ts';
import { GateFullError } from './bounded-gate.ts';
import type { PasswordHasher } from './password-hasher.ts';

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly remoteAddress: string;
  /** UTC milliseconds. */
  readonly now: number;
}

export type SignInResult =
  | { readonly outcome: 'signed-in'; readonly user: User }
  /** No such user, another password, or a user who may not sign in: nobody is told which. */
  | { readonly outcome: 'wrong-credentials' }
  | { readonly outcome: 'too-many-attempts'; readonly retryAfterSeconds: number };

export interface SignInOptions {
  readonly directory: Directory;
  readonly passwords: PasswordHasher;
  readonly limits?: SignInLimits;
  /** Monotonic milliseconds: limits must not follow jumps of the wall clock. */
  readonly monotonicNow: () => number;
}

export interface SignInLimits {
  /** For one user from one address. */
  readonly perUserAndAddress: AttemptBudget;
  /** For one address, whoever it tries. */
  readonly perAddress: AttemptBudget;
}

/** The burst exceeds the hashing queue, so that right passwords sent in parallel do not run it out. */
const DEFAULT_SIGN_IN_LIMITS: SignInLimits = {
  perUserAndAddress: { burst: 20, intervalMs: 6_000 },
  perAddress: { burst: 100, intervalMs: 600 },
};

const RETRY_WHEN_BUSY_SECONDS = 1;
/** The longest address that mail knows is shorter; what is longer belongs to nobody. */
const EMAIL_LENGTH_MAX = 320;

/** Checks an email and a password: the first step of every way to sign in. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #byUserAndAddress: AttemptLimiter;
  readonly #byAddress: AttemptLimiter;

  constructor(options: SignInOptions) {
    const limits = options.limits ?? DEFAULT_SIGN_IN_LIMITS;
    this.#options = options;
    this.#byUserAndAddress = new AttemptLimiter(limits.perUserAndAddress);
    this.#byAddress = new AttemptLimiter(limits.perAddress);
  }

  /** Only failures use up the budget: whoever knows the password is never shut out by using it. */
  async attempt(attempt: SignInAttempt): Promise<SignInResult> {
    const address = addressPrefix(attempt.remoteAddress);
    const userAndAddress = `${address} ${emailKey(attempt.email.slice(0, EMAIL_LENGTH_MAX))}`;
    const waitMs = this.#takeBudget(address, userAndAddress);
    if (waitMs > 0) return tooMany(Math.ceil(waitMs / 1_000));
    const result = await this.#check(attempt);
    if (result.outcome !== 'wrong-credentials') {
      this.#byAddress.giveBack(address);
      this.#byUserAndAddress.giveBack(userAndAddress);
    }
    return result;
  }

  #takeBudget(address: string, userAndAddress: string): number {
    const now = this.#options.monotonicNow();
    const waitMs = this.#byAddress.take(address, now);
    if (waitMs > 0) return waitMs;
    const userWaitMs = this.#byUserAndAddress.take(userAndAddress, now);
    if (userWaitMs > 0) this.#byAddress.giveBack(address);
    return userWaitMs;
  }

  async #check({ email, password, now }: SignInAttempt): Promise<SignInResult> {
    const { directory, passwords } = this.#options;
    const credentials = await directory.users.findCredentials(email);
    try {
      const verification = await passwords.verify(password, credentials?.passwordHash ?? null);
      if (!verification.matches || credentials === null) return { outcome: 'wrong-credentials' };
      const { user } = credentials;
      if (user.status === 'Terminated') return { outcome: 'wrong-credentials' };
      const { rehashed } = verification;
      await directory.users.recordSignIn({
        userId: user.id,
        at: now,
        ...(rehashed === undefined ? {} : { rehashedPassword: rehashed }),
      });
      return { outcome: 'signed-in', user };
    } catch (error) {
      if (error instanceof GateFullError) return tooMany(RETRY_WHEN_BUSY_SECONDS);
      throw error;
    }
  }
}

function tooMany(retryAfterSeconds: number): SignInResult {
  return { outcome: 'too-many-attempts', retryAfterSeconds };
}
