import { type Static, Type } from '@sinclair/typebox';
import { parseDecimal, powerOfTen } from '../../../core/fixed-point/index.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import type { UserFilter } from '../../../persistence/directory/index.ts';
import { parseJson } from '../../../persistence/views/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { DecimalInput, Int32, Nullable, OneOf } from '../../http/schema.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import { DateInput, momentOf } from '../dates.ts';
import { USER_STATUSES, UserForm, userForm } from './user-forms.ts';

const TYPES = ['All', 'New', 'Verified', 'Unverified', 'Blocked', 'Admins', 'NoRoles'] as const;
const PER_PAGE = 20;
const PER_PAGE_MAX = 500;
const PAGE_MAX = 1_000_000;
const TEXT_LENGTH_MAX = 320;
const ROLES_MAX = 32;
const DEPOSIT_AMOUNT = 'Of all completed deposits, or of those in the time of DepositDate.';
const TRADING_VOLUME = 'Of all trades ever.';
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
  DepositDateFrom: DateInput('Of a completed deposit: a timestamp, or a date in UTC.'),
  DepositDateTo: DateInput('The same, inclusive; a date: to its end.'),
  DepositAmountFrom: Type.Optional(DecimalInput({ description: DEPOSIT_AMOUNT })),
  DepositAmountTo: Type.Optional(DecimalInput({ description: DEPOSIT_AMOUNT })),
  TradingVolumeFrom: Type.Optional(DecimalInput({ description: TRADING_VOLUME })),
  TradingVolumeTo: Type.Optional(DecimalInput({ description: TRADING_VOLUME })),
  ActivePeriodFrom: DateInput('Of the last sign-in: a timestamp, or a date in UTC.'),
  ActivePeriodTo: DateInput('The same, inclusive; a date: to its end.'),
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

/** A pair of bounds, both included. */
interface Range<T> {
  readonly from: T;
  readonly to: T;
}

/** The users of the venue, filtered and in pages. */
export function userListRoutes({ directory, views, venue }: RouteContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/back-api/backoffice/users',
      area: 'trading',
      operation: 'view-users',
      summary: 'Users, oldest first; filters add up. Amounts are in RAT at the latest prices.',
      query: Query,
      responses: { 200: Answer },
      handler: async ({ query, now }) => {
        const ranges = rangesOf(query);
        if (ranges instanceof Refused) return ranges;
        const among = await amongWhom({ views, venue }, ranges);
        if (among instanceof Refused) return among;
        const { Type: type = 'All', Roles: roles, page = 1, per_page = PER_PAGE } = query;
        const filter: UserFilter = {
          search: query.Search,
          status: query.Status,
          roles,
          signedInFrom: ranges.active?.from,
          signedInTo: ranges.active?.to,
          among,
          ...ofType(type, now),
          ...(type === 'Admins'
            ? { roles: roles?.filter((role) => role === 'Admin') ?? ['Admin'] }
            : {}),
        };
        const limit = per_page;
        const offset = (page - 1) * per_page;
        const answer = await orBusy(directory.userLists.page({ filter, limit, offset }));
        if (answer instanceof Refused) return answer;
        const { users } = answer;
        const userIds = users.map(({ id }) => id);
        const owners = await orBusy(directory.signedKeys.owners({ userIds, at: now }));
        if (owners instanceof Refused) return owners;
        return {
          filters: { type, roles: roles ?? null },
          paging: { page, per_page, total: answer.total },
          data: users.map((user) => userForm(user, owners.includes(user.id))),
        };
      },
    }),
  ];
}

interface Ranges {
  readonly depositedAt: Range<number> | null;
  readonly deposited: Range<string> | null;
  readonly traded: Range<string> | null;
  readonly active: Range<number> | null;
}

function rangesOf(query: Static<typeof Query>): Ranges | Refused {
  const depositedAt = period('DepositDate', query.DepositDateFrom, query.DepositDateTo);
  if (depositedAt instanceof Refused) return depositedAt;
  const active = period('ActivePeriod', query.ActivePeriodFrom, query.ActivePeriodTo);
  if (active instanceof Refused) return active;
  const { DepositAmountFrom, DepositAmountTo, TradingVolumeFrom, TradingVolumeTo } = query;
  const deposited = range('DepositAmount', DepositAmountFrom, DepositAmountTo, isLess);
  if (deposited instanceof Refused) return deposited;
  const traded = range('TradingVolume', TradingVolumeFrom, TradingVolumeTo, isLess);
  if (traded instanceof Refused) return traded;
  return { depositedAt, deposited, traded, active };
}

function period(
  name: string,
  sentFrom: string | undefined,
  sentTo: string | undefined,
): Range<number> | null | Refused {
  const from = momentOf(sentFrom, `${name}From`, 'beginning');
  if (from instanceof Refused) return from;
  const to = momentOf(sentTo, `${name}To`, 'end');
  if (to instanceof Refused) return to;
  return range(name, from ?? undefined, to ?? undefined, isBefore);
}

/** The bounds of a pair, which is given whole and in order or not at all. */
function range<T>(
  name: string,
  from: T | undefined,
  to: T | undefined,
  isLower: (a: T, b: T) => boolean,
): Range<T> | null | Refused {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) {
    const missing = from === undefined ? 'From' : 'To';
    return refuse(Refusals.FieldMissing, { field: `${name}${missing}` });
  }
  if (!isLower(to, from)) return { from, to };
  return refuse(Refusals.WindowReversed, { field: `${name}From`, limit: `${name}To` });
}

function isBefore(a: number, b: number): boolean {
  return a < b;
}

/** Of two decimals in the form of a request. */
function isLess(a: string, b: string): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  if (left === undefined || right === undefined) return false;
  const scale = Math.max(left.scale, right.scale);
  const leftUnits = left.coefficient * powerOfTen(scale - left.scale);
  return leftUnits < right.coefficient * powerOfTen(scale - right.scale);
}

/** What the venue knows of users' deposits and trades; nothing where nothing of it is asked. */
async function amongWhom(
  { views, venue }: Pick<RouteContext, 'views' | 'venue'>,
  { depositedAt, deposited, traded }: Ranges,
): Promise<UserFilter['among'] | Refused> {
  if (depositedAt === null && deposited === null && traded === null) return undefined;
  const request = { depositedAt, deposited, traded };
  const text = textOf(await views.userActivity(request, venue.durableSequence));
  if (text instanceof Refused) return text;
  return text === undefined ? [] : parseJson(text);
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
