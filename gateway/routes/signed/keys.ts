import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import type { SignedKey } from '../../../persistence/directory/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { type Session, SIGNED_IN } from '../../http/authorisation.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { created } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { Nullable, TimestampOutput } from '../../http/schema.ts';
import { revokeKeyRoute, systemRandom } from '../../identity/index.ts';
import { mainAccountOf } from '../../signed/main-account.ts';
import type { Signed } from '../../signed/signed.ts';
import { secretContext } from '../../signed/signed-sessions.ts';
import type { RouteContext } from '../context.ts';

const PATH = '/identity/signed-keys';
/** Live keys of one user. */
const KEYS_MAX = 20;
/** What every public part begins with, so that people and scanners recognise one. */
const KEY_PREFIX = 'mbs_';

const KeyBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  accountId: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 32,
        description: 'The account that its orders are for: the account Main unless named.',
      }),
    ),
  ),
});

const KeyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  accountId: Type.String(),
  key: Type.String({ description: 'What the header Key says.' }),
  createdAt: TimestampOutput(),
  lastUsedAt: Nullable(TimestampOutput()),
};
const KeyResponse = Type.Object(KeyFields);
const NewKeyResponse = Type.Object({
  ...KeyFields,
  secret: Type.String({ description: 'What requests are signed with. Shown this once.' }),
});

interface KeyContext {
  readonly directory: RouteContext['directory'];
  readonly venue: RouteContext['venue'];
  readonly resolveAccount: RouteContext['resolveAccount'];
  readonly signed: Signed;
}

/** A trader's keys for the signed interface. A key itself cannot come here. */
export function signedKeyRoutes(context: KeyContext): Route[] {
  return [list(context), create(context), revoke(context)];
}

function list({ directory }: KeyContext): Route {
  return route({
    method: 'GET',
    path: PATH,
    area: 'identity',
    operation: SIGNED_IN,
    extension: true,
    summary: "The user's keys for the signed interface, without their secrets",
    responses: { 200: Type.Object({ signedKeys: Type.Array(KeyResponse) }) },
    handler: async ({ session }) => {
      const keys = await orBusy(directory.signedKeys.list(session.userId));
      return keys instanceof Refused ? keys : { signedKeys: keys.map(toResponse) };
    },
  });
}

function create(context: KeyContext): Route {
  const { directory, signed } = context;
  return route({
    method: 'POST',
    path: PATH,
    area: 'identity',
    operation: SIGNED_IN,
    extension: true,
    summary: 'Makes a key for the signed interface',
    body: KeyBody,
    responseHeaders: { 'cache-control': 'no-store', pragma: 'no-cache' },
    responses: { 201: NewKeyResponse },
    handler: async ({ body, session, now }) => {
      if (!session.operations.has('trading-ui')) {
        return refuse(Refusals.Forbidden, { limit: 'trading-ui' });
      }
      const accountId = await accountOf(context, session, body.accountId ?? undefined);
      if (accountId instanceof Refused) return accountId;
      const id = systemRandom.uuid();
      const key = KEY_PREFIX + systemRandom.token();
      const secret = systemRandom.token();
      const fields = { id, name: body.name, accountId, key };
      const isMade = await orBusy(
        directory.signedKeys.create({
          ...fields,
          userId: session.userId,
          sealedSecret: signed.secrets.seal(secret, secretContext(id)),
          keysMax: KEYS_MAX,
          actor: `user:${session.userId}`,
          at: now,
        }),
      );
      if (isMade instanceof Refused) return isMade;
      if (!isMade) return refuse(Refusals.TooManyItems, { field: 'signedKeys', limit: KEYS_MAX });
      // Whoever tried the key before it existed is not to be refused from memory.
      signed.sessions.forget();
      return created({ ...toResponse({ ...fields, createdAt: now, lastUsedAt: null }), secret });
    },
  });
}

function revoke({ directory, signed }: KeyContext): Route {
  return revokeKeyRoute({
    path: PATH,
    summary: 'Revokes a key for the signed interface, at once',
    revoke: (key) => directory.signedKeys.revoke(key),
    forget: () => signed.sessions.forget(),
  });
}

async function accountOf(
  { venue, resolveAccount }: KeyContext,
  session: Session,
  named: string | undefined,
): Promise<string | Refused> {
  if (named !== undefined) {
    const account = await resolveAccount(session, named);
    return account instanceof Refused ? account : account.accountId;
  }
  const main = mainAccountOf(venue.reference, session.userId);
  if (main !== undefined) return main.configuration.accountId;
  return refuse(Refusals.AccountUnknown, { field: 'accountId', value: '' });
}

function toResponse({ createdAt, lastUsedAt, ...key }: SignedKey) {
  return {
    ...key,
    createdAt: formatTimestamp(createdAt),
    lastUsedAt: lastUsedAt === null ? null : formatTimestamp(lastUsedAt),
  };
}
