import { type Static, Type } from '@sinclair/typebox';
import { Refusals } from '../../core/messages/refusals.ts';
import { formatTimestamp } from '../../core/messages/timestamp.ts';
import type { ApiKey, Directory } from '../../persistence/directory/index.ts';
import { orBusy } from '../directory-answer.ts';
import { SIGNED_IN } from '../http/authorisation.ts';
import { isNetwork } from '../http/networks.ts';
import { Refused, refuse } from '../http/refused.ts';
import { created } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { Nullable, OneOf, TimestampInput, TimestampOutput } from '../http/schema.ts';
import { API_KEY_PREFIX, type ApiKeySessions } from './api-key-sessions.ts';
import { digestToken, type RandomSource } from './random.ts';
import { revokeKeyRoute } from './revoke-key-route.ts';
import { NO_STORE } from './route-parts.ts';

const PATH = '/identity/api-keys';
/** Live keys of one user. */
const KEYS_MAX = 20;
const NETWORKS_MAX = 20;
const HINT_LENGTH = API_KEY_PREFIX.length + 6;

const ApiKeyBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  scopes: Type.Array(OneOf(['read', 'trade']), {
    minItems: 1,
    maxItems: 2,
    description: 'read: everything that changes nothing; trade: all of the front office',
  }),
  ipAllowlist: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: NETWORKS_MAX,
      description: 'Addresses and networks, such as 203.0.113.7 or 10.0.0.0/8; none: anywhere',
    }),
  ),
  expiresAt: Type.Optional(Nullable(TimestampInput())),
});

const ApiKeyFields = {
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'The first characters of the key' }),
  scopes: Type.Array(Type.String()),
  ipAllowlist: Type.Array(Type.String()),
  createdAt: TimestampOutput(),
  expiresAt: Nullable(TimestampOutput()),
  lastUsedAt: Nullable(TimestampOutput()),
};
const ApiKeyResponse = Type.Object(ApiKeyFields);
const NewApiKeyResponse = Type.Object({
  ...ApiKeyFields,
  key: Type.String({ description: 'Sent as a Bearer token. Shown this once' }),
});

export interface ApiKeyRouteParts {
  readonly directory: Directory;
  readonly sessions: ApiKeySessions;
  readonly random: RandomSource;
}

/** Keys for traders' programs. A key itself cannot come here. */
export function apiKeyRoutes(parts: ApiKeyRouteParts): Route[] {
  return [listRoute(parts), createRoute(parts), revokeRoute(parts)];
}

function listRoute({ directory }: ApiKeyRouteParts): Route {
  return route({
    method: 'GET',
    path: PATH,
    area: 'identity',
    operation: SIGNED_IN,
    extension: true,
    summary: "The user's API keys, without the keys themselves",
    responses: { 200: Type.Object({ apiKeys: Type.Array(ApiKeyResponse) }) },
    handler: async ({ session, now }) => {
      const keys = await orBusy(directory.apiKeys.list({ userId: session.userId, at: now }));
      return keys instanceof Refused ? keys : { apiKeys: keys.map(toResponse) };
    },
  });
}

function createRoute({ directory, random }: ApiKeyRouteParts): Route {
  return route({
    method: 'POST',
    path: PATH,
    area: 'identity',
    operation: SIGNED_IN,
    extension: true,
    summary: 'Makes an API key for the front office',
    body: ApiKeyBody,
    responseHeaders: NO_STORE,
    responses: { 201: NewApiKeyResponse },
    handler: async ({ body, session, now }) => {
      if (!session.operations.has('trading-ui')) {
        return refuse(Refusals.Forbidden, { limit: 'trading-ui' });
      }
      const refused = refusalOf(body, now);
      if (refused !== undefined) return refused;
      const key = API_KEY_PREFIX + random.token();
      const fields = {
        id: random.uuid(),
        name: body.name,
        hint: key.slice(0, HINT_LENGTH),
        canTrade: body.scopes.includes('trade'),
        networks: body.ipAllowlist ?? [],
        expiresAt: body.expiresAt ?? null,
      };
      const { userId } = session;
      const actor = `user:${userId}` as const;
      const keyHash = digestToken(key);
      const input = { ...fields, userId, keyHash, actor, at: now, keysMax: KEYS_MAX };
      const isMade = await orBusy(directory.apiKeys.create(input));
      if (isMade instanceof Refused) return isMade;
      if (!isMade) return refuse(Refusals.TooManyItems, { field: 'apiKeys', limit: KEYS_MAX });
      return created({ ...toResponse({ ...fields, createdAt: now, lastUsedAt: null }), key });
    },
  });
}

function revokeRoute({ directory, sessions }: ApiKeyRouteParts): Route {
  return revokeKeyRoute({
    path: PATH,
    summary: 'Revokes an API key, at once',
    revoke: (key) => directory.apiKeys.revoke(key),
    forget: () => sessions.forget(),
  });
}

function refusalOf(
  { ipAllowlist = [], expiresAt = null }: Static<typeof ApiKeyBody>,
  now: number,
): Refused | undefined {
  const at = ipAllowlist.findIndex((name) => !isNetwork(name));
  if (at >= 0) {
    const [field, value] = [`ipAllowlist[${at}]`, ipAllowlist[at]];
    return refuse(Refusals.BadFormat, { field, value, limit: 'an address or a network' });
  }
  if (expiresAt === null || expiresAt > now) return undefined;
  const value = formatTimestamp(expiresAt);
  return refuse(Refusals.OutOfRange, { field: 'expiresAt', value, limit: 'in the future' });
}

function toResponse(key: ApiKey) {
  const { id, name, hint, canTrade, networks, createdAt, expiresAt, lastUsedAt } = key;
  return {
    id,
    name,
    hint,
    scopes: canTrade ? ['read', 'trade'] : ['read'],
    ipAllowlist: [...networks],
    createdAt: formatTimestamp(createdAt),
    expiresAt: expiresAt === null ? null : formatTimestamp(expiresAt),
    lastUsedAt: lastUsedAt === null ? null : formatTimestamp(lastUsedAt),
  };
}
