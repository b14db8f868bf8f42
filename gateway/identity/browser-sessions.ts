import type { Directory } from '../../persistence/directory/index.ts';
import type { TokenCookie } from './cookies.ts';
import { digestToken, type RandomSource } from './random.ts';

type SignInSession = NonNullable<Awaited<ReturnType<Directory['signInSessions']['find']>>>;

/** The sessions of browsers with the identity component: a cookie there, a row in the directory. */
export class BrowserSessions {
  readonly #directory: Directory;
  readonly #random: RandomSource;
  readonly #cookie: TokenCookie;

  constructor(directory: Directory, random: RandomSource, cookie: TokenCookie) {
    this.#directory = directory;
    this.#random = random;
    this.#cookie = cookie;
  }

  /** Signs a browser in under a new token, whatever it had before; answers its Set-Cookie. */
  async start(userId: string, cookies: string | undefined, now: number): Promise<string> {
    const token = this.#random.token();
    const before = this.#cookie.read(cookies);
    await this.#directory.signInSessions.start({
      tokenHash: digestToken(token),
      userId,
      at: now,
      expiresAt: now + this.#cookie.lifetimeMs,
      replaces: before === null ? null : digestToken(before),
    });
    return this.#cookie.give(token);
  }

  /** Who is signed in, and the digest that stands for this browser; null for nobody. */
  async find(
    cookies: string | undefined,
    now: number,
  ): Promise<(SignInSession & { readonly browserId: Uint8Array }) | null> {
    const token = this.#cookie.read(cookies);
    if (token === null) return null;
    const browserId = digestToken(token);
    const session = await this.#directory.signInSessions.find({ tokenHash: browserId, at: now });
    return session === null ? null : { ...session, browserId };
  }

  /** Signs the browser out if it is that user's; answers the Set-Cookie then. */
  async end(cookies: string | undefined, userId: string): Promise<string | null> {
    const token = this.#cookie.read(cookies);
    if (token === null) return null;
    const tokenHash = digestToken(token);
    const isEnded = await this.#directory.signInSessions.end({ tokenHash, userId });
    return isEnded ? this.#cookie.take() : null;
  }
}
