import { AttemptLimiter } from './attempt-limiter.ts';
import {
  isSameDigest,
  matchingStep,
  newAuthenticatorSecret,
  newMailCode,
  normaliseCode,
} from './one-time-codes.ts';
import type { SecretBox } from './secret-box.ts';

/** What a code is judged by: the digest of a mailed one, or the sealed seed of an authenticator. */
export interface CodeReference {
  readonly userId: string;
  readonly codeHash: Uint8Array | null;
  readonly secret: Uint8Array | null;
  /** The newest time step that was taken. */
  readonly lastStep: number | null;
}

export type CodeVerdict =
  /** `step` is the time step of an authenticator's code, null for a mailed one. */
  | { readonly outcome: 'right'; readonly step: number | null }
  | { readonly outcome: 'wrong-code' }
  | { readonly outcome: 'too-many-attempts'; readonly retryAfterSeconds: number };

/** Wrong codes of one user, whatever they were for: ten at once, then one a minute. */
const BUDGET = { burst: 10, intervalMs: 60_000 };
const WRONG: CodeVerdict = { outcome: 'wrong-code' };

/** Makes and judges the codes of second factors. */
export class SecondFactorCodes {
  readonly #box: SecretBox;
  readonly #monotonicNow: () => number;
  readonly #limiter = new AttemptLimiter(BUDGET);

  constructor(box: SecretBox, monotonicNow: () => number) {
    this.#box = box;
    this.#monotonicNow = monotonicNow;
  }

  /** A code to mail, and what to keep of it. `context` is what it is good for. */
  newMailCode(context: string): { readonly code: string; readonly codeHash: Uint8Array } {
    const code = newMailCode();
    return { code, codeHash: this.#box.digest(code, context) };
  }

  /** The seed of a new authenticator, and what to keep of it. */
  newSecret(userId: string): { readonly secret: string; readonly sealed: Uint8Array } {
    const secret = newAuthenticatorSecret();
    return { secret, sealed: this.#box.seal(secret, sealContext(userId)) };
  }

  /** Also a code of a time step that was taken before is wrong. */
  judge(reference: CodeReference, text: string, context: string, now: number): CodeVerdict {
    const { userId } = reference;
    const waitMs = this.#limiter.take(userId, this.#monotonicNow());
    if (waitMs > 0) {
      return { outcome: 'too-many-attempts', retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    }
    const code = normaliseCode(text);
    const verdict = code === null ? WRONG : this.#check(reference, code, context, now);
    if (verdict.outcome === 'right') this.#limiter.giveBack(userId);
    return verdict;
  }

  #check(reference: CodeReference, code: string, context: string, now: number): CodeVerdict {
    const { userId, codeHash, secret, lastStep } = reference;
    if (secret === null) {
      const isRight = codeHash !== null && isSameDigest(this.#box.digest(code, context), codeHash);
      return isRight ? { outcome: 'right', step: null } : WRONG;
    }
    const step = matchingStep(this.#box.open(secret, sealContext(userId)), code, now);
    if (step === null || (lastStep !== null && step <= lastStep)) return WRONG;
    return { outcome: 'right', step };
  }
}

function sealContext(userId: string): string {
  return `authenticator ${userId}`;
}
