import { type Static, Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import type { User } from '../../../persistence/directory/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { TimestampOutput, UuidInput } from '../../http/schema.ts';
import { createUser, GateFullError, systemRandom } from '../../identity/index.ts';
import type { RouteContext } from '../context.ts';
import { UserForm, userForm } from './user-forms.ts';

const PATH = '/back-api/backoffice/user';
const EMAIL_LENGTH_MAX = 320;
const NICKNAME_LENGTH_MAX = 64;
const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_LENGTH_MAX = 256;
const BUSY_RETRY_SECONDS = 1;

const Creation = Type.Object({
  nickname: Type.String({ minLength: 1, maxLength: NICKNAME_LENGTH_MAX }),
  email: Type.String({ maxLength: EMAIL_LENGTH_MAX, pattern: '^[^\\s@]+@[^\\s@]+$' }),
  password: Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX }),
});
const Created = Type.Object({
  id: Type.String({ format: 'uuid' }),
  email: Type.String(),
  roles: Type.Array(Type.String()),
  nickname: Type.String(),
  createdAt: TimestampOutput(),
});
const UserId = Type.Object({ userId: UuidInput() });

/** Users: made and read. Who may do what is the identity component's. */
export function userRoutes(context: RouteContext): Route[] {
  return [
    createUserRoute(context),
    readUser(context),
    readSelf(context, PATH),
    { ...readSelf(context, `${PATH}/`), extension: true },
  ];
}

function createUserRoute({ directory, passwords }: RouteContext): Route {
  return route({
    method: 'POST',
    path: PATH,
    area: 'trading',
    operation: 'manage-users',
    summary: 'Makes a user without roles, who may do nothing before they have one.',
    body: Creation,
    responses: { 200: Created },
    handler: async ({ body, session, now }) => {
      const creation = createUser(
        { directory, passwords, random: systemRandom },
        { ...body, roles: [], isEmailConfirmed: false, actor: `user:${session.userId}`, at: now },
      );
      const user = await orBusy(creation.catch(refuseWhenFull));
      if (user instanceof Refused) return user;
      if (user === null) {
        return refuse(Refusals.AlreadyExists, { field: 'email', value: body.email });
      }
      return createdForm(user);
    },
  });
}

function createdForm({ id, email, roles, nickname, createdAt }: User): Static<typeof Created> {
  return { id, email, roles: [...roles], nickname, createdAt: formatTimestamp(createdAt) };
}

/** Hashing has a bounded queue. */
function refuseWhenFull(error: unknown): Refused {
  if (!(error instanceof GateFullError)) throw error;
  return refuse(Refusals.Overloaded, { retryAfterSeconds: BUSY_RETRY_SECONDS });
}

function readUser({ directory }: RouteContext): Route {
  return route({
    method: 'GET',
    path: `${PATH}/{userId}`,
    area: 'trading',
    operation: 'view-users',
    summary: 'The profile of a user.',
    params: UserId,
    responses: { 200: UserForm },
    handler: ({ params, now }) => profileOf(directory, params.userId, now),
  });
}

/** The same without an id, which clients leave out with or without the slash before it. */
function readSelf({ directory }: RouteContext, path: string): Route {
  return route({
    method: 'GET',
    path,
    area: 'trading',
    operation: 'view-common',
    summary: 'The profile of the caller.',
    responses: { 200: UserForm },
    handler: ({ session, now }) => profileOf(directory, session.userId, now),
  });
}

async function profileOf(directory: RouteContext['directory'], userId: string, now: number) {
  const user = await orBusy(directory.users.get(userId));
  if (user instanceof Refused) return user;
  if (user === null) return refuse(Refusals.UserUnknown, { field: 'userId', value: userId });
  const owners = await orBusy(directory.signedKeys.owners({ userIds: [user.id], at: now }));
  return owners instanceof Refused ? owners : userForm(user, owners.length > 0);
}
