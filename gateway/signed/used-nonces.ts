import { Refusals } from '../../core/messages/refusals.ts';
import type { Directory, UsedNonce } from '../../persistence/directory/index.ts';
import { type Refused, refuse } from '../http/refused.ts';

/** How long a nonce stays used. */
export const NONCE_WINDOW_MS = 22_000;
/** Nonces that one key, and all keys together, may use within the window. */
const OF_ONE_KEY_MAX = 100_000;
const OF_ALL_KEYS_MAX = 1_000_000;

const BUSY_RETRY_SECONDS = 1;

interface Note {
  readonly used: UsedNonce;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Which nonces were used within the window, by key. A nonce counts once it is on disk: a request that
 * was carried out is never carried out again, whatever crashes in between. What arrives during a write
 * shares the next one.
 */
export class UsedNonces {
  private readonly directory: Pick<Directory, 'signedNonces'>;
  /** When each was used, earliest first; `key:nonce`. */
  private readonly times = new Map<string, UsedNonce>();
  private readonly counts = new Map<string, number>();
  private waiting: Note[] = [];
  private isWriting = false;

  constructor(directory: Pick<Directory, 'signedNonces'>) {
    this.directory = directory;
  }

  /** Takes up what was used before a restart. */
  async load(now: number): Promise<void> {
    const recent = await this.directory.signedNonces.since(now - NONCE_WINDOW_MS);
    for (const used of recent) this.remember(used);
  }

  /** Uses up the nonce (canonical digits); resolves when that is durable. */
  async use(keyId: string, nonce: string, now: number): Promise<Refused | undefined> {
    this.forget(now);
    if (this.times.has(nameOf(keyId, nonce))) {
      const limit = NONCE_WINDOW_MS / 1000;
      return refuse(Refusals.NonceUsed, { field: 'nonce', value: nonce, limit });
    }
    if ((this.counts.get(keyId) ?? 0) >= OF_ONE_KEY_MAX) {
      const limit = BUSY_RETRY_SECONDS;
      return refuse(Refusals.TooManyRequests, { limit, retryAfterSeconds: limit });
    }
    if (this.times.size >= OF_ALL_KEYS_MAX) {
      return refuse(Refusals.Overloaded, { retryAfterSeconds: BUSY_RETRY_SECONDS });
    }
    const used = { keyId, nonce, usedAt: now };
    this.remember(used);
    await this.note(used);
    return undefined;
  }

  private remember(used: UsedNonce): void {
    const { keyId, nonce } = used;
    this.times.set(nameOf(keyId, nonce), used);
    this.counts.set(keyId, (this.counts.get(keyId) ?? 0) + 1);
  }

  private forget(now: number): void {
    for (const [name, { keyId, usedAt }] of this.times) {
      if (usedAt > now - NONCE_WINDOW_MS) return;
      this.times.delete(name);
      const left = (this.counts.get(keyId) ?? 0) - 1;
      if (left > 0) this.counts.set(keyId, left);
      else this.counts.delete(keyId);
    }
  }

  private note(used: UsedNonce): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ used, resolve, reject });
      if (!this.isWriting) void this.write();
    });
  }

  private async write(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const notes = this.waiting;
      this.waiting = [];
      const used = notes.map((note) => note.used);
      const keepFrom = Math.min(...used.map(({ usedAt }) => usedAt)) - NONCE_WINDOW_MS;
      try {
        await this.directory.signedNonces.use({ used, keepFrom });
        for (const { resolve } of notes) resolve();
      } catch (error) {
        for (const { reject } of notes) reject(error);
      }
    }
    this.isWriting = false;
  }
}

function nameOf(keyId: string, nonce: string): string {
  return `${keyId}:${nonce}`;
}
