import type { Session } from '../http/authorisation.ts';

/**
 * Sessions by the text of their Authorization header, in two generations: when the young one is full
 * it becomes the old one, and the old one is dropped. What is in use moves back to the young one as it
 * is found. So the usual request costs one lookup, and the cache never holds more than twice its size.
 */
export class SessionCache {
  readonly #generationSize: number;
  #young = new Map<string, Session>();
  #old = new Map<string, Session>();

  constructor(generationSize: number) {
    this.#generationSize = generationSize;
  }

  get(authorization: string, now: number): Session | undefined {
    const session = this.#young.get(authorization) ?? this.#promote(authorization);
    if (session === undefined || session.expiresAt > now) return session;
    this.#young.delete(authorization);
    return undefined;
  }

  set(authorization: string, session: Session): void {
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(authorization, session);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  #promote(authorization: string): Session | undefined {
    const session = this.#old.get(authorization);
    if (session === undefined) return undefined;
    this.#old.delete(authorization);
    this.set(authorization, session);
    return session;
  }
}
