/** What a cookie is for and how long a browser keeps it. */
export interface CookieOptions {
  readonly name: string;
  /** Sent to this path and below only. */
  readonly path: string;
  readonly lifetimeMs: number;
  /** Only ever sent over TLS; its name then says so, which browsers enforce. */
  readonly isSecure: boolean;
  /** Lax reaches a page that is navigated to from elsewhere; Strict never does. */
  readonly sameSite: 'Lax' | 'Strict';
}

/** A cookie that holds a random token: scripts cannot read it, and it stays on its own path. */
export class TokenCookie {
  readonly #name: string;
  readonly #lifetimeMs: number;
  readonly #attributes: string;

  constructor({ name, path, lifetimeMs, isSecure, sameSite }: CookieOptions) {
    this.#name = isSecure ? `__Secure-${name}` : name;
    this.#lifetimeMs = lifetimeMs;
    const secure = isSecure ? '; Secure' : '';
    this.#attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}${secure}`;
  }

  get lifetimeMs(): number {
    return this.#lifetimeMs;
  }

  /** The token in a Cookie header; null where it is missing, twice there or no token of ours. */
  read(header: string | undefined): string | null {
    const values = (header ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${this.#name}=`))
      .map((pair) => pair.slice(this.#name.length + 1));
    const [token] = values;
    return token !== undefined && values.length === 1 && /^[\w-]{43}$/.test(token) ? token : null;
  }

  /** The Set-Cookie value that gives it to a browser. */
  give(token: string): string {
    const seconds = Math.floor(this.#lifetimeMs / 1_000);
    return `${this.#name}=${token}; Max-Age=${seconds}; ${this.#attributes}`;
  }

  /** The Set-Cookie value that takes it away. */
  take(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }
}
