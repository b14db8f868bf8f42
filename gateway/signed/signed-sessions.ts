import { Refusals, refusalCode } from '../../core/messages/refusals.ts';
import { type Directory, DirectoryBusyError } from '../../persistence/directory/index.ts';
import type { Authoriser, Session } from '../http/authorisation.ts';
import { type Refused, refuse } from '../http/refused.ts';
import type { RoleTable, SecretBox } from '../identity/index.ts';
import { isSignedWith } from './signature.ts';

/** A key is looked up again after so long, as long as an access token lives. */
const CACHED_MS = 30_000;
const CACHED_MAX = 10_000;
const LOOKUPS_PENDING_MAX = 256;
const KEY_LENGTH_MAX = 128;
/** Keys are for trading programs: they open the front office and nothing else. */
const SCOPES = ['FrontOffice'];
/** What signatures under unknown keys are compared with, so that both take as long. */
const NOBODYS_SECRET = 'nobody';

/** A session of the signed interface: `keyId` is whose nonces count. */
export interface SignedSession extends Session {
  readonly keyId: string;
  readonly accountId: string;
}

interface Opened {
  readonly session: SignedSession;
  readonly secret: string;
  isUseRecorded: boolean;
}

/** An unknown key and a wrong signature read the same. */
const unauthorised = refuse(Refusals.Unauthorised, {
  body: {
    errors: [
      {
        code: refusalCode(Refusals.Unauthorised),
        message: 'A known key and the signature of this very request are required.',
      },
    ],
  },
});
const forbidden = refuse(Refusals.Forbidden, { limit: 'trading-ui' });
const overloaded = refuse(Refusals.Overloaded, { retryAfterSeconds: 1 });

/** What a key's secret is sealed as. */
export function secretContext(keyId: string): string {
  return `signed key ${keyId}`;
}

/** Judges signatures. Keys are looked up once in a while and forgotten when anything about them changes. */
export class SignedSessions implements Pick<Authoriser, 'authoriseSigned'> {
  private readonly directory: Directory;
  private readonly roles: RoleTable;
  private readonly secrets: SecretBox;
  private readonly known = new Map<string, Opened>();
  private readonly pending = new Map<string, Promise<Opened | Refused>>();
  /** Counts the changes: what was looked up before one is not kept after it. */
  private epoch = 0;

  constructor(directory: Directory, roles: RoleTable, secrets: SecretBox) {
    this.directory = directory;
    this.roles = roles;
    this.secrets = secrets;
  }

  authoriseSigned(
    key: string,
    sign: string,
    payload: string,
    now: number,
  ): Session | Refused | Promise<Session | Refused> {
    if (key === '' || key.length > KEY_LENGTH_MAX || sign === '') return unauthorised;
    const judge = (outcome: Opened | Refused) => this.judge(outcome, sign, payload, now);
    const known = this.known.get(key);
    if (known !== undefined && known.session.expiresAt > now) return judge(known);
    let pending = this.pending.get(key);
    if (pending === undefined) {
      if (this.pending.size >= LOOKUPS_PENDING_MAX) return overloaded;
      pending = this.open(key, now);
      this.pending.set(key, pending);
    }
    return pending.then(judge);
  }

  /** Must be called after every change of keys, roles and users, before it is acknowledged. */
  forget(): void {
    this.epoch += 1;
    this.known.clear();
    this.pending.clear();
  }

  private judge(
    outcome: Opened | Refused,
    sign: string,
    payload: string,
    now: number,
  ): Session | Refused {
    if (!('session' in outcome)) {
      isSignedWith(NOBODYS_SECRET, payload, sign);
      return outcome;
    }
    const { session, secret } = outcome;
    if (!isSignedWith(secret, payload, sign)) return unauthorised;
    if (!session.operations.has('trading-ui')) return forbidden;
    if (!outcome.isUseRecorded) {
      outcome.isUseRecorded = true;
      // When a key was last used is a courtesy: a request never fails for it.
      const use = { id: session.keyId, at: now };
      this.directory.signedKeys.recordUse(use).catch(() => undefined);
    }
    return session;
  }

  private async open(key: string, now: number): Promise<Opened | Refused> {
    const { epoch } = this;
    try {
      const found = await this.directory.signedKeys.find(key);
      if (found === null || found.user.status === 'Terminated') return unauthorised;
      const { user } = found;
      const { id, accountId } = found.key;
      const session: SignedSession = {
        keyId: id,
        accountId,
        userId: user.id,
        clientId: `signed-key:${id}`,
        operations: this.roles.operationsOf(user.roles, SCOPES),
        expiresAt: now + CACHED_MS,
        isByKey: true,
      };
      const secret = this.secrets.open(found.sealedSecret, secretContext(id));
      const opened = { session, secret, isUseRecorded: false };
      if (epoch === this.epoch) this.keep(key, opened);
      return opened;
    } catch (error) {
      if (error instanceof DirectoryBusyError) return overloaded;
      throw error;
    } finally {
      if (epoch === this.epoch) this.pending.delete(key);
    }
  }

  /** The key that was looked up first makes room. */
  private keep(key: string, opened: Opened): void {
    this.known.delete(key);
    this.known.set(key, opened);
    if (this.known.size <= CACHED_MAX) return;
    const oldest = this.known.keys().next();
    if (!oldest.done) this.known.delete(oldest.value);
  }
}
