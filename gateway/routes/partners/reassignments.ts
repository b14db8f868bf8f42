import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { REASSIGNMENT_STATUSES, REASSIGNMENT_TYPES } from '../../../persistence/directory/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { Int32, Nullable, OneOf, TimestampOutput } from '../../http/schema.ts';
import type { PartnerContext } from './context.ts';
import { outcomeOf } from './refusals.ts';
import { by } from './resource-routes.ts';

const Uuid = Type.String({ format: 'uuid' });
const User = Type.Object({
  userId: Uuid,
  email: Nullable(Type.String()),
  name: Type.String(),
});
const MovedRelation = Type.Object({
  childUserId: Uuid,
  name: Type.String(),
  email: Nullable(Type.String()),
  isSubIb: Type.Boolean(),
  profileUuid: Uuid,
  directClients: Int32(),
  oldRelationId: Type.String(),
  newRelationId: Type.String(),
});
const ReassignmentForm = Type.Object({
  reassignmentId: Uuid,
  type: OneOf(REASSIGNMENT_TYPES),
  status: OneOf(REASSIGNMENT_STATUSES),
  sourceUserId: Uuid,
  targetUserId: Uuid,
  subjectUserId: Nullable(Uuid),
  sourceUser: User,
  targetUser: User,
  subjectUser: Nullable(User),
  movedRelations: Type.Array(MovedRelation, {
    description: 'The first 1,000; all of them are at /reassignments/{reassignmentId}/moves',
  }),
  promotionTargetUserId: Nullable(Uuid),
  errorMessage: Nullable(Type.String()),
  createTime: TimestampOutput(),
  updateTime: TimestampOutput(),
});

const LIST_MAX = 100;
const LIST_DEFAULT = 20;
const MOVES_MAX = 1000;
const OFFSET_MAX = 1_000_000;

/** Reassignments: users, or all children of one, get another parent. */
export function reassignmentRoutes(context: PartnerContext): Route[] {
  return [
    listRoute(context),
    readRoute(context),
    movesRoute(context),
    createRoute(context),
    decisionRoute(context, 'confirm', 'Confirms a reassignment: its work begins'),
    decisionRoute(context, 'cancel', 'Cancels a reassignment that has not begun'),
  ];
}

function listRoute({ directory }: PartnerContext): Route {
  return route({
    method: 'GET',
    path: '/reassignments',
    area: 'partner',
    operation: 'read',
    summary: 'Lists reassignments',
    query: Type.Object({
      limit: Type.Optional(Int32({ minimum: 1, maximum: LIST_MAX, default: LIST_DEFAULT })),
      offset: Type.Optional(Int32({ minimum: 0, maximum: OFFSET_MAX, default: 0 })),
      'filter[type]': Type.Optional(OneOf(REASSIGNMENT_TYPES)),
      'filter[status]': Type.Optional(OneOf(REASSIGNMENT_STATUSES)),
      'filter[users]': Type.Optional(
        Type.String({ format: 'uuid', description: 'The source or the target' }),
      ),
      sort_by: Type.Optional(OneOf(['createTime'])),
      sort_order: Type.Optional(OneOf(['asc', 'desc'], { description: 'desc by default' })),
    }),
    responses: {
      200: Type.Object({ total: Int32(), reassignments: Type.Array(ReassignmentForm) }),
    },
    handler: async ({ query }) => {
      const { limit = LIST_DEFAULT, offset = 0, sort_order: order = 'desc' } = query;
      return await orBusy(
        directory.partnerReassignments.list({
          limit,
          offset,
          order,
          type: query['filter[type]'],
          status: query['filter[status]'],
          user: query['filter[users]'],
        }),
      );
    },
  });
}

function readRoute({ directory }: PartnerContext): Route {
  return route({
    method: 'GET',
    path: '/reassignments/{reassignmentId}',
    area: 'partner',
    operation: 'read',
    extension: true,
    summary: 'Reads a reassignment',
    params: Type.Object({ reassignmentId: Uuid }),
    responses: { 200: ReassignmentForm },
    handler: async ({ params: { reassignmentId } }) => {
      const found = await orBusy(directory.partnerReassignments.get(reassignmentId));
      if (found !== null) return found;
      return refuse(Refusals.ResourceUnknown, { field: 'reassignmentId', value: reassignmentId });
    },
  });
}

function movesRoute({ directory }: PartnerContext): Route {
  return route({
    method: 'GET',
    path: '/reassignments/{reassignmentId}/moves',
    area: 'partner',
    operation: 'read',
    extension: true,
    summary: 'Lists what a reassignment has moved, in that order',
    params: Type.Object({ reassignmentId: Uuid }),
    query: Type.Object({
      after: Type.Optional(
        Type.String({ format: 'uuid', description: 'The last child of the page before' }),
      ),
      limit: Type.Optional(Int32({ minimum: 1, maximum: MOVES_MAX, default: LIST_MAX })),
    }),
    responses: {
      200: Type.Object({
        isExceeded: Type.Boolean(),
        movedRelations: Type.Array(MovedRelation),
      }),
    },
    handler: async ({ params: { reassignmentId: id }, query: { after, limit = LIST_MAX } }) => {
      const page = await orBusy(directory.partnerReassignments.moves({ id, after, limit }));
      if (page instanceof Refused) return page;
      if (page !== null) return { isExceeded: page.isExceeded, movedRelations: page.items };
      return refuse(Refusals.ResourceUnknown, { field: 'reassignmentId', value: id });
    },
  });
}

function createRoute({ directory, random }: PartnerContext): Route {
  return route({
    method: 'POST',
    path: '/reassignments',
    area: 'partner',
    operation: 'write',
    extension: true,
    summary: 'Creates a reassignment, which waits to be confirmed',
    body: Type.Object({
      type: OneOf(REASSIGNMENT_TYPES),
      sourceUserId: Uuid,
      targetUserId: Uuid,
      subjectUserId: Type.Optional(
        Nullable(Type.String({ format: 'uuid', description: 'Who moves, with single_user' })),
      ),
      promotionTargetUserId: Type.Optional(
        Nullable(
          Type.String({
            format: 'uuid',
            description: 'Where the target is put first, when it stands below what moves',
          }),
        ),
      ),
    }),
    responses: { 201: ReassignmentForm },
    handler: async ({ body, session, now }) =>
      await outcomeOf(
        directory.partnerReassignments.create({
          uuid: random.uuid(),
          type: body.type,
          sourceUserId: body.sourceUserId.toLowerCase(),
          targetUserId: body.targetUserId.toLowerCase(),
          subjectUserId: body.subjectUserId?.toLowerCase() ?? null,
          promotionTargetUserId: body.promotionTargetUserId?.toLowerCase() ?? null,
          ...by(session, now),
        }),
      ),
  });
}

function decisionRoute(
  { directory, wake }: PartnerContext,
  decision: 'confirm' | 'cancel',
  summary: string,
): Route {
  return route({
    method: 'POST',
    path: `/reassignments/{reassignmentId}/${decision}`,
    area: 'partner',
    operation: 'write',
    extension: true,
    summary,
    params: Type.Object({ reassignmentId: Uuid }),
    responses: { 200: ReassignmentForm },
    handler: async ({ params: { reassignmentId: id }, session, now }) => {
      const decided = directory.partnerReassignments[decision]({ id, ...by(session, now) });
      const reassignment = await outcomeOf(decided);
      if (!(reassignment instanceof Refused)) wake.reassignments();
      return reassignment;
    },
  });
}
