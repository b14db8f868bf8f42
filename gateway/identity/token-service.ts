import type {
  CodeRedemptionRefusal,
  Directory,
  RefreshRefusal,
  User,
} from '../../persistence/directory/index.ts';
import type { AccessTokens, IssuedToken } from './access-tokens.ts';
import type { IdTokens } from './id-tokens.ts';
import { digestToken, type RandomSource } from './random.ts';

/** The scopes that ask for a refresh token and for an ID token. */
const OFFLINE_ACCESS = 'offline_access';
const OPENID = 'openid';
const BACK_OFFICE_SCOPE = 'BackOffice';

export interface TokenSet {
  readonly accessToken: IssuedToken;
  /** Null where offline_access was not asked for. */
  readonly refreshToken: IssuedToken | null;
  /** What the access token is good for. */
  readonly scopes: readonly string[];
  /** Only for a code, where openid was asked for. */
  readonly idToken?: string;
}

export interface CodeRequest {
  readonly code: string;
  /** The challenge that the shown verifier makes. */
  readonly codeChallenge: string;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly now: number;
}

export type CodeResult =
  | { readonly outcome: 'redeemed'; readonly tokens: TokenSet }
  | { readonly outcome: CodeRedemptionRefusal };

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
  readonly idTokens: IdTokens;
  readonly random: RandomSource;
  /** How long a refresh token lives unused. */
  readonly refreshTokenLifetimeMs: number;
  /** How long a sign-in lives, however often it is refreshed. */
  readonly signInLifetimeMs: number;
}

/**
 * Whoever is halted or frozen administers nothing. Their sign-ins keep the scope: once they are active
 * again, the next refresh opens it.
 */
function openTo({ status }: User, scopes: readonly string[]): readonly string[] {
  return status === 'Active' ? scopes : scopes.filter((scope) => scope !== BACK_OFFICE_SCOPE);
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
    const open = openTo(user, scopes);
    const accessToken = await this.#issueAccessToken(user, clientId, open, now);
    return { accessToken, refreshToken, scopes: open };
  }

  async redeem({
    code,
    codeChallenge,
    redirectUri,
    clientId,
    now,
  }: CodeRequest): Promise<CodeResult> {
    const { directory, idTokens } = this.#options;
    const { token: refreshToken, ...family } = this.#newFamily(now);
    const redemption = await directory.authorizationCodes.redeem({
      codeHash: digestToken(code),
      clientId,
      redirectUri,
      codeChallenge,
      at: now,
      family,
      familyScope: OFFLINE_ACCESS,
    });
    if (redemption.outcome !== 'redeemed') return redemption;
    const { user, nonce, authenticatedAt, hasFamily } = redemption;
    const scopes = openTo(user, redemption.scopes);
    const accessToken = await this.#issueAccessToken(user, clientId, scopes, now);
    const tokens: TokenSet = { accessToken, refreshToken: hasFamily ? refreshToken : null, scopes };
    if (!scopes.includes(OPENID)) return { outcome: 'redeemed', tokens };
    const idToken = await idTokens.issue(
      {
        userId: user.id,
        clientId,
        nonce,
        authenticatedAt,
        accessToken: accessToken.token,
        expiresAt: accessToken.expiresAt,
      },
      now,
    );
    return { outcome: 'redeemed', tokens: { ...tokens, idToken } };
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
    const granted = openTo(rotation.user, scopes ?? rotation.familyScopes);
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
    const { token, ...family } = this.#newFamily(now);
    await this.#options.directory.refreshTokens.startFamily({
      ...family,
      userId: user.id,
      clientId,
      scopes,
      issuedAt: now,
    });
    return token;
  }

  /** A first refresh token and the row that it starts, before either is anybody's. */
  #newFamily(now: number) {
    const { random, refreshTokenLifetimeMs, signInLifetimeMs } = this.#options;
    const token = random.token();
    const familyExpiresAt = now + signInLifetimeMs;
    const expiresAt = Math.min(now + refreshTokenLifetimeMs, familyExpiresAt);
    return {
      token: { token, createdAt: now, expiresAt } satisfies IssuedToken,
      familyId: random.uuid(),
      tokenHash: digestToken(token),
      expiresAt,
      familyExpiresAt,
    };
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
