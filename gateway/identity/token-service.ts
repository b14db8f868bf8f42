import type { Directory, RefreshRefusal, User } from '../../persistence/directory/index.ts';
import type { AccessTokens, IssuedToken } from './access-tokens.ts';
import { digestToken, type RandomSource } from './random.ts';

/** The scope that asks for a refresh token. */
const OFFLINE_ACCESS = 'offline_access';

export interface TokenSet {
  readonly accessToken: IssuedToken;
  /** Null where offline_access was not asked for. */
  readonly refreshToken: IssuedToken | null;
  /** What the access token is good for. */
  readonly scopes: readonly string[];
}

export interface RefreshRequest {
  readonly refreshToken: string;
  /** The client that authenticated itself; null at the endpoint that authenticates none. */
  readonly clientId: string | null;
  /** Fewer scopes than the sign-in had, or null for all of them. */
  readonly scopes: readonly string[] | null;
  readonly now: number;
}

export type RefreshResult =
  | { readonly outcome: 'refreshed'; readonly tokens: TokenSet & { refreshToken: IssuedToken } }
  | { readonly outcome: RefreshRefusal };

export interface TokenServiceOptions {
  readonly directory: Directory;
  readonly accessTokens: AccessTokens;
  readonly random: RandomSource;
  /** How long a refresh token lives unused. */
  readonly refreshTokenLifetimeMs: number;
  /** How long a sign-in lives, however often it is refreshed. */
  readonly signInLifetimeMs: number;
}

/** Used refresh tokens are remembered for so long; a later replay is refused as unknown. */
const USED_TOKEN_MEMORY_MS = 24 * 60 * 60 * 1_000;

/** Issues, refreshes and revokes tokens: what every grant and every endpoint shares. */
export class TokenService {
  readonly #options: TokenServiceOptions;

  constructor(options: TokenServiceOptions) {
    this.#options = options;
  }

  async signIn(
    user: User,
    clientId: string,
    scopes: readonly string[],
    now: number,
  ): Promise<TokenSet> {
    const refreshToken = scopes.includes(OFFLINE_ACCESS)
      ? await this.#startFamily(user, clientId, scopes, now)
      : null;
    const accessToken = await this.#issueAccessToken(user, clientId, scopes, now);
    return { accessToken, refreshToken, scopes };
  }

  async refresh({ refreshToken, clientId, scopes, now }: RefreshRequest): Promise<RefreshResult> {
    const { directory, random, refreshTokenLifetimeMs } = this.#options;
    const successor = random.token();
    const rotation = await directory.refreshTokens.rotate({
      tokenHash: digestToken(refreshToken),
      successorHash: digestToken(successor),
      clientId,
      requestedScopes: scopes,
      at: now,
      successorExpiresAt: now + refreshTokenLifetimeMs,
      forgetUsedBefore: now - USED_TOKEN_MEMORY_MS,
    });
    if (rotation.outcome !== 'rotated') return rotation;
    const granted = scopes ?? rotation.familyScopes;
    return {
      outcome: 'refreshed',
      tokens: {
        accessToken: await this.#issueAccessToken(rotation.user, rotation.clientId, granted, now),
        refreshToken: {
          token: successor,
          createdAt: now,
          expiresAt: rotation.successorExpiresAt,
        },
        scopes: granted,
      },
    };
  }

  /** Ends the sign-in that the refresh token belongs to, if it is this user's and this client's. */
  async revoke(refreshToken: string, userId: string, clientId: string, now: number): Promise<void> {
    await this.#options.directory.refreshTokens.revokeByToken({
      tokenHash: digestToken(refreshToken),
      userId,
      clientId,
      at: now,
    });
  }

  /** Ends all sign-ins of the user with that client. */
  async revokeAll(userId: string, clientId: string, now: number): Promise<void> {
    await this.#options.directory.refreshTokens.revokeAll({ userId, clientId, at: now });
  }

  async #startFamily(
    user: User,
    clientId: string,
    scopes: readonly string[],
    now: number,
  ): Promise<IssuedToken> {
    const { directory, random, refreshTokenLifetimeMs, signInLifetimeMs } = this.#options;
    const token = random.token();
    const familyExpiresAt = now + signInLifetimeMs;
    const expiresAt = Math.min(now + refreshTokenLifetimeMs, familyExpiresAt);
    await directory.refreshTokens.startFamily({
      familyId: random.uuid(),
      tokenHash: digestToken(token),
      userId: user.id,
      clientId,
      scopes,
      issuedAt: now,
      expiresAt,
      familyExpiresAt,
    });
    return { token, createdAt: now, expiresAt };
  }

  #issueAccessToken(
    user: User,
    clientId: string,
    scopes: readonly string[],
    now: number,
  ): Promise<IssuedToken> {
    const subject = { userId: user.id, clientId, scopes, roles: user.roles };
    return this.#options.accessTokens.issue(subject, now);
  }
}
