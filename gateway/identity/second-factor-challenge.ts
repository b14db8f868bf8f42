import type { Directory, SecondFactorProvider, User } from '../../persistence/directory/index.ts';
import type { TokenCookie } from './cookies.ts';
import { digestToken, type RandomSource } from './random.ts';
import type { CodeVerdict, SecondFactorCodes } from './second-factor-codes.ts';
import type { MailResult, SecondFactorMails } from './second-factor-mails.ts';

const ATTEMPTS = 5;

export type ChallengeResult =
  | {
      readonly outcome: 'second-factor-required';
      readonly provider: SecondFactorProvider;
      readonly message: string;
      readonly setCookie: string;
    }
  | Exclude<MailResult, { readonly outcome: 'sent' }>;

export interface SecondStep {
  readonly provider: SecondFactorProvider;
  readonly code: string;
  /** The Cookie header. */
  readonly cookies: string | undefined;
  readonly now: number;
}

export type SecondStepResult =
  | { readonly outcome: 'verified'; readonly userId: string }
  | Exclude<CodeVerdict, { readonly outcome: 'right' }>;

export interface SecondFactorChallengesOptions {
  readonly directory: Directory;
  readonly codes: SecondFactorCodes;
  readonly mails: SecondFactorMails;
  readonly random: RandomSource;
  readonly cookie: TokenCookie;
}

/** The step between the right password and being signed in, for users with a second factor. */
export class SecondFactorChallenges {
  readonly #options: SecondFactorChallengesOptions;

  constructor(options: SecondFactorChallengesOptions) {
    this.#options = options;
  }

  /** Asks for a code, which is mailed where the factor says so. */
  async issue(user: User, now: number): Promise<ChallengeResult> {
    const { directory, codes, mails, random, cookie } = this.#options;
    const factor = await directory.secondFactors.get(user.id);
    if (factor === null) throw new Error(`user ${user.id} has no second factor to ask for`);
    const { provider } = factor;
    const token = random.token();
    const mailed = provider === 'Email' ? codes.newMailCode(contextOf(token)) : null;
    await directory.secondFactorChallenges.issue({
      tokenHash: digestToken(token),
      userId: user.id,
      provider,
      codeHash: mailed?.codeHash ?? null,
      attempts: ATTEMPTS,
      at: now,
      expiresAt: now + cookie.lifetimeMs,
    });
    if (mailed !== null) {
      const sent = await mails.send(user, mailed.code, cookie.lifetimeMs / 60_000);
      if (sent.outcome !== 'sent') return sent;
    }
    return {
      outcome: 'second-factor-required',
      provider,
      message: messageOf(provider, user.email),
      setCookie: cookie.give(token),
    };
  }

  /** A wrong code, an old challenge and none at all are refused alike. */
  async verify({ provider, code, cookies, now }: SecondStep): Promise<SecondStepResult> {
    const { directory, codes, cookie } = this.#options;
    const token = cookie.read(cookies);
    if (token === null) return { outcome: 'wrong-code' };
    const tokenHash = digestToken(token);
    const challenge = await directory.secondFactorChallenges.takeAttempt({ tokenHash, at: now });
    if (challenge === null) return { outcome: 'wrong-code' };
    const verdict = codes.judge(challenge, code, contextOf(token), now);
    if (verdict.outcome !== 'right') return verdict;
    if (provider !== challenge.provider) return { outcome: 'wrong-code' };
    const { step } = verdict;
    const isMine = await directory.secondFactorChallenges.complete({ tokenHash, step });
    return isMine ? { outcome: 'verified', userId: challenge.userId } : { outcome: 'wrong-code' };
  }
}

/** A code is good for the browser that it was asked for, and for nothing else. */
function contextOf(token: string): string {
  return `sign-in ${token}`;
}

function messageOf(provider: SecondFactorProvider, email: string): string {
  if (provider === 'Authenticator') return 'Enter the code that your authenticator shows.';
  return `A code was sent to ${email.replace(/^(.).*(?=@)/, '$1***')}.`;
}
