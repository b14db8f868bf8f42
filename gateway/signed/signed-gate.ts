import { Refusals } from '../../core/messages/refusals.ts';
import type { AccountReference, Authoriser, Session } from '../http/authorisation.ts';
import { Refused, refuse } from '../http/refused.ts';
import { momentOf } from './moment.ts';
import type { SignedSession } from './signed-sessions.ts';
import type { UsedNonces } from './used-nonces.ts';

/** How far `ts` may be from the time of the venue, either way. */
const SKEW_MS_MAX = 5000;
const NONCE_MIN = -(2n ** 63n);
const NONCE_MAX = 2n ** 64n - 1n;

/** What every signed request says of itself. */
export interface Freshness {
  readonly ts: string | number;
  /** Digits, perhaps with a minus. */
  readonly nonce: string;
}

/** Lets each signed request in once, and at its time. */
export class SignedGate {
  private readonly nonces: UsedNonces;
  private readonly resolveAccount: Authoriser['resolveAccount'];

  constructor(nonces: UsedNonces, resolveAccount: Authoriser['resolveAccount']) {
    this.nonces = nonces;
    this.resolveAccount = resolveAccount;
  }

  /** The account of the key, once the request is known to be fresh. */
  async admit(
    session: Session,
    { ts, nonce }: Freshness,
    now: number,
  ): Promise<AccountReference | Refused> {
    const moment = momentOf(ts);
    if (Number.isNaN(moment)) {
      const limit = 'YYYY-MM-DDTHH:MM:SS in UTC, or UNIX time in milliseconds';
      return refuse(Refusals.BadFormat, { field: 'ts', value: ts, limit });
    }
    if (Math.abs(moment - now) > SKEW_MS_MAX) {
      const limit = SKEW_MS_MAX / 1000;
      return refuse(Refusals.TimestampRefused, { field: 'ts', value: ts, limit });
    }
    const number = BigInt(nonce);
    if (number < NONCE_MIN || number > NONCE_MAX) {
      const limit = 'an integer of 64 bits';
      return refuse(Refusals.OutOfRange, { field: 'nonce', value: nonce, limit });
    }
    const { keyId, accountId } = signed(session);
    const account = await this.resolveAccount(session, accountId);
    if (account instanceof Refused) return account;
    return (await this.nonces.use(keyId, String(number), now)) ?? account;
  }
}

/** The server authorises routes of this area with signatures only. */
function signed(session: Session): SignedSession {
  if (!('keyId' in session)) throw new Error('the session is not of the signed interface');
  return session as SignedSession;
}
