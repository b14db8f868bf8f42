import { type Static, Type } from '@sinclair/typebox';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import type { User } from '../../../persistence/directory/index.ts';
import { Nullable, OneOf, TimestampOutput } from '../../http/schema.ts';

export const USER_STATUSES = ['Active', 'Halted', 'Frozen', 'Terminated'] as const;

export const UserForm = Type.Object({
  id: Type.String({ format: 'uuid' }),
  email: Type.String(),
  roles: Type.Array(Type.String()),
  nickname: Type.String(),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  status: OneOf(USER_STATUSES),
  isActive: Type.Boolean(),
  isEmailConfirmed: Type.Boolean(),
  isPhoneConfirmed: Type.Boolean(),
  canWithdraw: Type.Boolean(),
  canDeposit: Type.Boolean(),
  twoFactorEnabled: Type.Boolean(),
  hasTradingApiKey: Type.Boolean(),
  country: Nullable(Type.Object({ id: Type.String(), name: Type.String(), code: Type.String() })),
  countryId: Nullable(Type.String()),
  location: Nullable(Type.String({ description: 'JSON text with country and code.' })),
  registrationDate: TimestampOutput(),
  lastSignInDate: Nullable(TimestampOutput()),
  createdAt: TimestampOutput(),
});

/** `hasTradingApiKey`: a key of either kind, for the signed interface or as a token. */
export function userForm(user: User, hasTradingApiKey: boolean): Static<typeof UserForm> {
  const { countryId, lastSignInAt, status } = user;
  const createdAt = formatTimestamp(user.createdAt);
  return {
    id: user.id,
    email: user.email,
    roles: [...user.roles],
    nickname: user.nickname,
    firstName: user.firstName,
    lastName: user.lastName,
    status,
    isActive: status === 'Active',
    isEmailConfirmed: user.isEmailConfirmed,
    isPhoneConfirmed: user.isPhoneConfirmed,
    canWithdraw: user.canWithdraw,
    canDeposit: user.canDeposit,
    twoFactorEnabled: user.twoFactorEnabled,
    hasTradingApiKey,
    country: countryId === null ? null : { id: countryId, name: countryId, code: countryId },
    countryId,
    location: countryId === null ? null : JSON.stringify({ country: countryId, code: countryId }),
    registrationDate: createdAt,
    lastSignInDate: lastSignInAt === null ? null : formatTimestamp(lastSignInAt),
    createdAt,
  };
}
