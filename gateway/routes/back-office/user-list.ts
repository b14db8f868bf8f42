import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import type { UserFilter } from '../../../persistence/directory/index.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { Int32, Nullable, OneOf, TimestampInput } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import { orBusy } from '../directory-answer.ts';
import { USER_STATUSES, UserForm, userForm } from './user-forms.ts';

const TYPES = ['All', 'New', 'Verified', 'Unverified', 'Blocked', 'Admins', 'NoRoles'] as const;
const PER_PAGE = 20;
const PER_PAGE_MAX = 500;
const PAGE_MAX = 1_000_000;
const TEXT_LENGTH_MAX = 320;
const ROLES_MAX = 32;
/** How long a user is new. */
const NEW_MS = 7 * 24 * 60 * 60 * 1000;

const Query = Type.Object({
  Search: Type.Optional(
    Type.String({ maxLength: TEXT_LENGTH_MAX, description: 'Part of the email or nickname.' }),
  ),
  Type: Type.Optional(OneOf(TYPES, { default: 'All' })),
  Status: Type.Optional(OneOf(USER_STATUSES)),
  Roles: Type.Optional(
    Type.Array(Type.String({ maxLength: TEXT_LENGTH_MAX }), {
      maxItems: ROLES_MAX,
      description: 'Any of them.',
    }),
  ),
  ActivePeriodFrom: Type.Optional(TimestampInput({ description: 'Of the last sign-in.' })),
  ActivePeriodTo: Type.Optional(TimestampInput({ description: 'Of the last sign-in.' })),
  page: Type.Optional(Int32({ minimum: 1, maximum: PAGE_MAX, default: 1 })),
  per_page: Type.Optional(Int32({ minimum: 1, maximum: PER_PAGE_MAX, default: PER_PAGE })),
});

const Answer = Type.Object({
  filters: Type.Object({ type: OneOf(TYPES), roles: Nullable(Type.Array(Type.String())) }),
  paging: Type.Object({
    page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer(),
  }),
  data: Type.Array(UserForm),
});

/** The users of the venue, filtered and in pages. */
export function userListRoutes({ directory }: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/back-api/backoffice/users',
      area: 'trading',
      operation: 'view-users',
      summary: 'Users, oldest first; filters add up.',
      query: Query,
      responses: { 200: Answer },
      handler: async ({ query, now }) => {
        const { Type: type = 'All', Roles: roles, page = 1, per_page = PER_PAGE } = query;
        const { ActivePeriodFrom: from, ActivePeriodTo: to } = query;
        if ((from === undefined) !== (to === undefined)) {
          const field = from === undefined ? 'ActivePeriodFrom' : 'ActivePeriodTo';
          return refuse(Refusals.FieldMissing, { field });
        }
        if (from !== undefined && to !== undefined && from > to) {
          const details = { field: 'ActivePeriodFrom', limit: 'ActivePeriodTo' };
          return refuse(Refusals.WindowReversed, details);
        }
        const filter: UserFilter = {
          search: query.Search,
          status: query.Status,
          roles,
          signedInFrom: from,
          signedInTo: to,
          ...ofType(type, now),
          ...(type === 'Admins'
            ? { roles: roles?.filter((role) => role === 'Admin') ?? ['Admin'] }
            : {}),
        };
        const limit = per_page;
        const offset = (page - 1) * per_page;
        const answer = await orBusy(directory.userLists.page({ filter, limit, offset }));
        if (answer instanceof Refused) return answer;
        return {
          filters: { type, roles: roles ?? null },
          paging: { page, per_page, total: answer.total },
          data: answer.users.map(userForm),
        };
      },
    }),
  ];
}

function ofType(type: (typeof TYPES)[number], now: number): UserFilter {
  switch (type) {
    case 'New':
      return { createdFrom: now - NEW_MS };
    case 'Verified':
      return { isEmailConfirmed: true };
    case 'Unverified':
      return { isEmailConfirmed: false };
    case 'Blocked':
      return { statusNot: 'Active' };
    case 'NoRoles':
      return { hasRoles: false };
    default:
      return {};
  }
}
