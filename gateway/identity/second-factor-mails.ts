import { AttemptLimiter } from './attempt-limiter.ts';
import type { Mailer } from './mailer.ts';

/** Mails to one user: five at once, then one a minute. */
const MAIL_BUDGET = { burst: 5, intervalMs: 60_000 };

export type MailResult =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'too-many-mails'; readonly retryAfterSeconds: number }
  /** The mail could not be handed over; the operator has been told. */
  | { readonly outcome: 'mail-failed' };

export interface SecondFactorMailsOptions {
  readonly mailer: Mailer;
  readonly monotonicNow: () => number;
  readonly onError: (error: unknown) => void;
}

/** Mails codes to users, so many at a time. */
export class SecondFactorMails {
  readonly #options: SecondFactorMailsOptions;
  readonly #limiter = new AttemptLimiter(MAIL_BUDGET);

  constructor(options: SecondFactorMailsOptions) {
    this.#options = options;
  }

  async send(
    user: { readonly id: string; readonly email: string },
    code: string,
    minutes: number,
  ): Promise<MailResult> {
    const { mailer, monotonicNow, onError } = this.#options;
    const waitMs = this.#limiter.take(user.id, monotonicNow());
    if (waitMs > 0) {
      return { outcome: 'too-many-mails', retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    }
    try {
      await mailer.send({ to: user.email, subject: 'Your code', text: textOf(code, minutes) });
      return { outcome: 'sent' };
    } catch (error) {
      onError(error);
      return { outcome: 'mail-failed' };
    }
  }
}

function textOf(code: string, minutes: number): string {
  return [
    `Your code is ${code}.`,
    `It is good for one use within ${minutes} minutes.`,
    'If you did not just sign in or change your settings, somebody knows your password: change it.',
    '',
  ].join('\n');
}
