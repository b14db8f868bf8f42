import type { Session } from '../http/authorisation.ts';

interface CachedSession {
  readonly authorization: string;
  readonly session: Session;
}

/** Long enough to be as good as unique: 192 bits of the signature. */
const KEY_LENGTH = 32;

/**
 * Sessions by the text of their Authorization header, in two generations: when the young one is full
 * it becomes the old one, and the old one is dropped. What is in use moves back to the young one as it
 * is found. So the usual request costs one lookup, and the cache never holds more than twice its size.
 *
 * The key is the end of the header, then the whole is compared: each request brings a new string, and
 * hashing all of it would cost several times as much as comparing it.
 */
export class SessionCache {
  readonly #generationSize: number;
  #young = new Map<string, CachedSession>();
  #old = new Map<string, CachedSession>();

  constructor(generationSize: number) {
    this.#generationSize = generationSize;
  }

  get(authorization: string, now: number): Session | undefined {
    const key = authorization.slice(-KEY_LENGTH);
    const cached = this.#young.get(key) ?? this.#promote(key);
    if (cached === undefined || cached.authorization !== authorization) return undefined;
    if (cached.session.expiresAt > now) return cached.session;
    this.#young.delete(key);
    return undefined;
  }

  set(authorization: string, session: Session): void {
    this.#insert(authorization.slice(-KEY_LENGTH), { authorization, session });
  }

  #insert(key: string, cached: CachedSession): void {
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, cached);
  }

  #promote(key: string): CachedSession | undefined {
    const cached = this.#old.get(key);
    if (cached === undefined) return undefined;
    this.#old.delete(key);
    this.#insert(key, cached);
    return cached;
  }
}
