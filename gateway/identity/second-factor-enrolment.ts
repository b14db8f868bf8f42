import type { Directory, SecondFactorProvider, User } from '../../persistence/directory/index.ts';
import { authenticatorUri } from './one-time-codes.ts';
import type { CodeVerdict, SecondFactorCodes } from './second-factor-codes.ts';
import type { MailResult, SecondFactorMails } from './second-factor-mails.ts';
import type { SignIn, SignInResult } from './sign-in.ts';

const ENROLMENT_MINUTES = 10;
const ATTEMPTS = 5;

/** Why the owner of a token could not be believed to be the user. */
type ProofRefusal = Exclude<SignInResult, { readonly outcome: 'signed-in' }> | WrongCode;

type WrongCode = Exclude<CodeVerdict, { readonly outcome: 'right' }>;

export type ConfirmResult = { readonly outcome: 'confirmed' } | WrongCode;

export type EnrolmentResult =
  | {
      readonly outcome: 'begun';
      readonly provider: SecondFactorProvider;
      /** Of an authenticator, shown this once. */
      readonly secret?: string;
      readonly uri?: string;
    }
  | ProofRefusal
  | Exclude<MailResult, { readonly outcome: 'sent' }>;

export type DisableResult =
  | { readonly outcome: 'disabled' }
  | { readonly outcome: 'not-enabled' }
  | ProofRefusal;

/** What a change of the second factor takes besides an access token, which may have been stolen. */
export interface Proof {
  readonly userId: string;
  readonly password: string;
  /** Of the authenticator in use, where one is. */
  readonly code: string | undefined;
  readonly remoteAddress: string;
  readonly now: number;
}

export interface SecondFactorEnrolmentsOptions {
  readonly directory: Directory;
  readonly codes: SecondFactorCodes;
  readonly mails: SecondFactorMails;
  readonly signIn: SignIn;
}

/** Users choose their second factor, show that it works, and take it away again. */
export class SecondFactorEnrolments {
  readonly #options: SecondFactorEnrolmentsOptions;

  constructor(options: SecondFactorEnrolmentsOptions) {
    this.#options = options;
  }

  async begin(proof: Proof, provider: SecondFactorProvider): Promise<EnrolmentResult> {
    const { directory, codes, mails } = this.#options;
    const user = await this.#prove(proof);
    if (!('id' in user)) return user;
    const authenticator = provider === 'Authenticator' ? codes.newSecret(user.id) : null;
    const mailed = provider === 'Email' ? codes.newMailCode(contextOf(user.id)) : null;
    await directory.secondFactors.beginEnrolment({
      userId: user.id,
      provider,
      secret: authenticator?.sealed ?? null,
      codeHash: mailed?.codeHash ?? null,
      attempts: ATTEMPTS,
      expiresAt: proof.now + ENROLMENT_MINUTES * 60_000,
    });
    if (mailed !== null) {
      const sent = await mails.send(user, mailed.code, ENROLMENT_MINUTES);
      if (sent.outcome !== 'sent') return sent;
    }
    if (authenticator === null) return { outcome: 'begun', provider };
    const { secret } = authenticator;
    return { outcome: 'begun', provider, secret, uri: authenticatorUri(secret, user.email) };
  }

  /** Also where nothing waits to be confirmed the code is wrong. */
  async confirm(userId: string, code: string, now: number): Promise<ConfirmResult> {
    const { directory, codes } = this.#options;
    const { secondFactors } = directory;
    const enrolment = await secondFactors.takeEnrolmentAttempt({ userId, at: now });
    if (enrolment === null) return { outcome: 'wrong-code' };
    const reference = { ...enrolment, userId, lastStep: null };
    const verdict = codes.judge(reference, code, contextOf(userId), now);
    if (verdict.outcome !== 'right') return verdict;
    const { step } = verdict;
    const actor = `user:${userId}` as const;
    const isMine = await secondFactors.confirmEnrolment({ userId, step, actor, at: now });
    return isMine ? { outcome: 'confirmed' } : { outcome: 'wrong-code' };
  }

  async disable(proof: Proof): Promise<DisableResult> {
    const user = await this.#prove(proof);
    if (!('id' in user)) return user;
    const { directory } = this.#options;
    const actor = `user:${user.id}` as const;
    const administration = { userId: user.id, actor, at: proof.now };
    const isDisabled = await directory.secondFactors.disable(administration);
    return { outcome: isDisabled ? 'disabled' : 'not-enabled' };
  }

  /** The password again, within the limits of signing in, and the code of an authenticator. */
  async #prove(proof: Proof): Promise<User | ProofRefusal> {
    const { directory, codes, signIn } = this.#options;
    const { userId, password, code, remoteAddress, now } = proof;
    const user = await directory.users.get(userId);
    if (user === null) return { outcome: 'wrong-credentials' };
    const result = await signIn.attempt({ email: user.email, password, remoteAddress, now });
    if (result.outcome !== 'signed-in') return result;
    const factor = await directory.secondFactors.get(userId);
    if (factor?.provider !== 'Authenticator') return user;
    const reference = { ...factor, userId, codeHash: null };
    const verdict = codes.judge(reference, code ?? '', '', now);
    return verdict.outcome === 'right' ? user : verdict;
  }
}

function contextOf(userId: string): string {
  return `enrolment ${userId}`;
}
