import { Type } from '@sinclair/typebox';
import { Refusals } from '../../core/messages/refusals.ts';
import { orBusy } from '../directory-answer.ts';
import { SIGNED_IN } from '../http/authorisation.ts';
import { Refused, refuse } from '../http/refused.ts';
import { type Route, route } from '../http/route.ts';
import { UuidInput } from '../http/schema.ts';

export interface RevokeKeyRouteParts {
  /** Of the keys; the id of one follows it. */
  readonly path: string;
  readonly summary: string;
  /** False where the user has no such key. */
  readonly revoke: (key: {
    readonly id: string;
    readonly userId: string;
    readonly actor: `user:${string}`;
    readonly at: number;
  }) => Promise<boolean>;
  /** Sessions of keys are kept in memory: they go at once. */
  readonly forget: () => void;
}

/** Where users revoke a key of their own, of whatever kind. */
export function revokeKeyRoute({ path, summary, revoke, forget }: RevokeKeyRouteParts): Route {
  return route({
    method: 'DELETE',
    path: `${path}/{keyId}`,
    area: 'identity',
    operation: SIGNED_IN,
    extension: true,
    summary,
    params: Type.Object({ keyId: UuidInput() }),
    responses: { 200: null },
    handler: async ({ params: { keyId: id }, session: { userId }, now }) => {
      const isRevoked = await orBusy(revoke({ id, userId, actor: `user:${userId}`, at: now }));
      forget();
      if (isRevoked instanceof Refused) return isRevoked;
      if (isRevoked) return undefined;
      return refuse(Refusals.ResourceUnknown, { field: 'keyId', value: id });
    },
  });
}
