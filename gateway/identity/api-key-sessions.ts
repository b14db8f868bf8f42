import { Refusals } from '../../core/messages/refusals.ts';
import { type Directory, DirectoryBusyError } from '../../persistence/directory/index.ts';
import { type Operation, type Session, SIGNED_IN } from '../http/authorisation.ts';
import { Networks } from '../http/networks.ts';
import { type Refused, refuse } from '../http/refused.ts';
import { digestToken } from './random.ts';
import type { RoleTable } from './roles.ts';

/** What every API key begins with: so that people, and scanners for secrets, recognise one. */
export const API_KEY_PREFIX = 'mbk_';

/** A key is looked up again after so long, as long as an access token lives. */
const CACHED_MS = 30_000;
const CACHED_MAX = 10_000;
const LOOKUPS_PENDING_MAX = 256;
/** Keys are for trading programs: they open the front office and nothing else. */
const SCOPES = ['FrontOffice'];

interface KeySession {
  readonly id: string;
  readonly session: Session;
  readonly networks: Networks | null;
  isUseRecorded: boolean;
}

const unauthorised = refuse(Refusals.Unauthorised);
const overloaded = refuse(Refusals.Overloaded, { retryAfterSeconds: 1 });

/** Judges API keys, each looked up once in a while and forgotten when anything about it changes. */
export class ApiKeySessions {
  readonly #directory: Directory;
  readonly #roles: RoleTable;
  readonly #sessions = new Map<string, KeySession>();
  readonly #pending = new Map<string, Promise<KeySession | Refused>>();
  /** Counts the changes: what was looked up before one is not kept after it. */
  #epoch = 0;

  constructor(directory: Directory, roles: RoleTable) {
    this.#directory = directory;
    this.#roles = roles;
  }

  authorise(
    key: string,
    operation: Operation | typeof SIGNED_IN,
    now: number,
    address: string,
  ): Session | Refused | Promise<Session | Refused> {
    const known = this.#sessions.get(key);
    if (known !== undefined && known.session.expiresAt > now) {
      return this.#permit(known, operation, now, address);
    }
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      if (this.#pending.size >= LOOKUPS_PENDING_MAX) return overloaded;
      pending = this.#open(key, now);
      this.#pending.set(key, pending);
    }
    return pending.then((outcome) =>
      'session' in outcome ? this.#permit(outcome, operation, now, address) : outcome,
    );
  }

  /** Must be called after every change of keys, roles and users, before it is acknowledged. */
  forget(): void {
    this.#epoch += 1;
    this.#sessions.clear();
    this.#pending.clear();
  }

  /** A key that is shown from elsewhere is refused as one that does not exist. */
  #permit(
    known: KeySession,
    operation: Operation | typeof SIGNED_IN,
    now: number,
    address: string,
  ): Session | Refused {
    const { id, session, networks } = known;
    if (networks !== null && !networks.has(address)) return unauthorised;
    if (operation === SIGNED_IN || !session.operations.has(operation)) {
      return refuse(Refusals.Forbidden, { limit: operation });
    }
    if (!known.isUseRecorded) {
      known.isUseRecorded = true;
      // When a key was last used is a courtesy: a request never fails for it.
      this.#directory.apiKeys.recordUse({ id, at: now }).catch(() => undefined);
    }
    return session;
  }

  async #open(key: string, now: number): Promise<KeySession | Refused> {
    const epoch = this.#epoch;
    try {
      const found = await this.#directory.apiKeys.find({ keyHash: digestToken(key), at: now });
      if (found === null || found.user.status === 'Terminated') return unauthorised;
      const { user } = found;
      const { id, canTrade, networks, expiresAt } = found.key;
      const session: Session = {
        userId: user.id,
        clientId: `api-key:${id}`,
        operations: this.#roles.operationsOf(user.roles, SCOPES),
        expiresAt: Math.min(expiresAt ?? Number.POSITIVE_INFINITY, now + CACHED_MS),
        isByKey: true,
        ...(canTrade ? {} : { isReadOnly: true }),
      };
      const from = networks.length === 0 ? null : new Networks(networks);
      const opened = { id, session, networks: from, isUseRecorded: false };
      if (epoch === this.#epoch) this.#keep(key, opened);
      return opened;
    } catch (error) {
      if (error instanceof DirectoryBusyError) return overloaded;
      throw error;
    } finally {
      if (epoch === this.#epoch) this.#pending.delete(key);
    }
  }

  /** The key that was looked up first makes room. */
  #keep(key: string, opened: KeySession): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, opened);
    if (this.#sessions.size <= CACHED_MAX) return;
    const oldest = this.#sessions.keys().next();
    if (!oldest.done) this.#sessions.delete(oldest.value);
  }
}
