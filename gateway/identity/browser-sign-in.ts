import type { BrowserSessions } from './browser-sessions.ts';
import type { SignIn, SignInAttempt, SignInResult } from './sign-in.ts';

export interface BrowserSignInAttempt extends SignInAttempt {
  /** The Cookie header. */
  readonly cookies: string | undefined;
}

export type BrowserSignInResult =
  | { readonly outcome: 'signed-in'; readonly setCookie: string }
  | Exclude<SignInResult, { readonly outcome: 'signed-in' }>;

/** Signs browsers in to the identity component. */
export class BrowserSignIn {
  readonly #signIn: SignIn;
  readonly #sessions: BrowserSessions;

  constructor(signIn: SignIn, sessions: BrowserSessions) {
    this.#signIn = signIn;
    this.#sessions = sessions;
  }

  async attempt({ cookies, ...attempt }: BrowserSignInAttempt): Promise<BrowserSignInResult> {
    const result = await this.#signIn.attempt(attempt);
    if (result.outcome !== 'signed-in') return result;
    const setCookie = await this.#sessions.start(result.user.id, cookies, attempt.now);
    return { outcome: 'signed-in', setCookie };
  }
}
