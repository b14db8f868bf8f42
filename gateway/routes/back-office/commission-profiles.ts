import { type Static, Type } from '@sinclair/typebox';
import { DEFAULT_PROFILE } from '../../../core/clearing/index.ts';
import type { CommissionProfile } from '../../../core/messages/commissions.ts';
import { Refused } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { idsIn, NumericId } from './commission-forms.ts';

const PROFILES = '/back-api/backoffice/v2/commission-profiles';
const NAME_LENGTH_MAX = 100;

const ProfileForm = Type.Object({
  commissionProfileId: Type.String(),
  name: Type.String(),
  isDefault: Type.Boolean({ description: 'That of every account that was given no other.' }),
});

/** Commission profiles: each has rules of its own, each account has one. */
export function commissionProfileRoutes(context: RouteContext): Route[] {
  return [
    listProfiles(context),
    createProfile(context),
    removeProfile(context),
    assignProfile(context),
  ];
}

function listProfiles({ venue }: RouteContext): Route {
  return route({
    method: 'GET',
    path: PROFILES,
    area: 'trading',
    operation: 'view-commission-rules',
    extension: true,
    summary: 'Every commission profile, the default one first.',
    responses: { 200: Type.Array(ProfileForm) },
    handler: () => venue.reference.commissions.profiles.map(profileForm),
  });
}

function createProfile({ venue }: RouteContext): Route {
  return route({
    method: 'POST',
    path: PROFILES,
    area: 'trading',
    operation: 'manage-commission-rules',
    extension: true,
    summary: 'Makes a profile; its default rule starts as that of the default profile.',
    body: Type.Object({ name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX }) }),
    responses: { 201: ProfileForm },
    handler: async ({ body, now }) => {
      const { name } = body;
      const command = { type: 'CreateCommissionProfile', name } as const;
      const created = await venue.cold<{ profileId: number }>(now, command);
      if (created instanceof Refused) return created;
      return profileForm({ profileId: created.profileId, name, rules: [] });
    },
  });
}

function removeProfile({ venue }: RouteContext): Route {
  return route({
    method: 'DELETE',
    path: `${PROFILES}/{commissionProfileId}`,
    area: 'trading',
    operation: 'manage-commission-rules',
    extension: true,
    summary: 'Removes a profile with its rules; not one that an account has, nor the default one.',
    responses: { 200: null },
    handler: async ({ params, now }) => {
      const ids = idsIn(params);
      if (ids instanceof Refused) return ids;
      const { commissionProfileId: profileId } = ids;
      const removed = await venue.cold(now, { type: 'RemoveCommissionProfile', profileId });
      return removed instanceof Refused ? removed : undefined;
    },
  });
}

function assignProfile({ venue }: RouteContext): Route {
  return route({
    method: 'PUT',
    path: '/back-api/backoffice/v2/accounts/{accountId}/commission-profile',
    area: 'trading',
    operation: 'manage-commission-rules',
    extension: true,
    summary: 'Gives an account a profile; orders placed from now on follow its rules.',
    body: Type.Object({ commissionProfileId: NumericId() }),
    responses: { 200: null },
    handler: async ({ params, body, now }) => {
      const assigned = await venue.cold(now, {
        type: 'AssignCommissionProfile',
        accountId: params.accountId,
        profileId: Number(body.commissionProfileId),
      });
      return assigned instanceof Refused ? assigned : undefined;
    },
  });
}

function profileForm({ profileId, name }: CommissionProfile): Static<typeof ProfileForm> {
  const isDefault = profileId === DEFAULT_PROFILE;
  return { commissionProfileId: String(profileId), name, isDefault };
}
