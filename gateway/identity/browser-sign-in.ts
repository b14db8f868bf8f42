import type { BrowserSessions } from './browser-sessions.ts';
import type {
  ChallengeResult,
  SecondFactorChallenges,
  SecondStep,
  SecondStepResult,
} from './second-factor-challenge.ts';
import type { SignIn, SignInAttempt, SignInResult } from './sign-in.ts';

export interface BrowserSignInAttempt extends SignInAttempt {
  /** The Cookie header. */
  readonly cookies: string | undefined;
}

interface SignedIn {
  readonly outcome: 'signed-in';
  readonly setCookie: string;
}

export type FirstStepResult =
  | SignedIn
  | ChallengeResult
  | Exclude<SignInResult, { readonly outcome: 'signed-in' }>;

export type LastStepResult = SignedIn | Exclude<SecondStepResult, { readonly outcome: 'verified' }>;

/** Signs browsers in to the identity component: a password, and a code where the user wants one. */
export class BrowserSignIn {
  readonly #signIn: SignIn;
  readonly #sessions: BrowserSessions;
  readonly #challenges: SecondFactorChallenges;

  constructor(signIn: SignIn, sessions: BrowserSessions, challenges: SecondFactorChallenges) {
    this.#signIn = signIn;
    this.#sessions = sessions;
    this.#challenges = challenges;
  }

  async attempt({ cookies, ...attempt }: BrowserSignInAttempt): Promise<FirstStepResult> {
    const result = await this.#signIn.attempt(attempt);
    if (result.outcome !== 'signed-in') return result;
    const { user } = result;
    if (user.twoFactorEnabled) return await this.#challenges.issue(user, attempt.now);
    const setCookie = await this.#sessions.start(user.id, cookies, attempt.now);
    return { outcome: 'signed-in', setCookie };
  }

  async secondStep(step: SecondStep): Promise<LastStepResult> {
    const result = await this.#challenges.verify(step);
    if (result.outcome !== 'verified') return result;
    const setCookie = await this.#sessions.start(result.userId, step.cookies, step.now);
    return { outcome: 'signed-in', setCookie };
  }
}
