import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { APP_GRANT } from '../../../persistence/directory/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { Nullable, OneOf, TimestampOutput } from '../../http/schema.ts';
import { digestToken } from '../../identity/index.ts';
import type { PartnerContext } from './context.ts';
import { by, PAGE_QUERY, pageOf } from './resource-routes.ts';

const SCOPES = ['read', 'write'] as const;

const appForm = {
  clientId: Type.String(),
  name: Type.String(),
  redirectUri: Nullable(Type.String()),
  createTime: TimestampOutput(),
};
const AppForm = Type.Object({ ...appForm, scopes: Type.Array(OneOf(SCOPES)) });
const NewAppForm = Type.Object({
  ...appForm,
  secret: Type.String({ description: 'Shown this once: only a digest of it is kept' }),
  scopes: Type.Array(OneOf(SCOPES)),
});

/** Apps: programs that administer the partner area by tokens of their own. */
export function clientRoutes(context: PartnerContext): Route[] {
  return [createApp(context), listApps(context), readApp(context), removeApp(context)];
}

function createApp({ directory, random }: PartnerContext): Route {
  return route({
    method: 'POST',
    path: '/clients',
    area: 'partner',
    operation: 'write',
    summary: 'Creates an app; its secret is in this answer and nowhere else',
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 128 }),
      redirectUri: Type.Optional(
        Nullable(Type.String({ format: 'uri', minLength: 1, maxLength: 2048 })),
      ),
      scopes: Type.Optional(
        Type.Array(OneOf(SCOPES), {
          maxItems: SCOPES.length,
          description: 'What the app may do: read, or both, as by default',
        }),
      ),
    }),
    responses: { 201: NewAppForm },
    handler: async ({ body, session, now }) => {
      const clientId = `app-${random.uuid()}`;
      const secret = random.token();
      const scopes = SCOPES.filter((scope) => (body.scopes ?? SCOPES).includes(scope));
      if (scopes.length === 0) return refuse(Refusals.TooFewItems, { field: 'scopes', limit: 1 });
      if (!scopes.includes('read')) {
        const limit = 'read, or read and write';
        return refuse(Refusals.NotOneOf, { field: 'scopes', value: scopes.join(', '), limit });
      }
      const { redirectUri = null } = body;
      const registered = directory.oauthClients.register({
        clientId,
        name: body.name,
        secretHash: digestToken(secret),
        grantTypes: [APP_GRANT],
        scopes,
        redirectUris: redirectUri === null ? [] : [redirectUri],
        ...by(session, now),
      });
      const isNew = await orBusy(registered);
      if (isNew instanceof Refused) return isNew;
      const app = await orBusy(directory.partnerApps.get(clientId));
      if (app instanceof Refused) return app;
      if (app === null) throw new Error(`app ${clientId} vanished`);
      return { ...app, secret, scopes };
    },
  });
}

function listApps({ directory }: PartnerContext): Route {
  return route({
    method: 'GET',
    path: '/clients',
    area: 'partner',
    operation: 'read',
    extension: true,
    summary: 'Lists apps by their ids, without secrets',
    query: Type.Object(PAGE_QUERY),
    responses: { 200: pageOf('clients', AppForm) },
    handler: async ({ query: { after, limit = 20 } }) => {
      const page = await orBusy(directory.partnerApps.list({ after, limit }));
      if (page instanceof Refused) return page;
      return { isExceeded: page.isExceeded, clients: page.items };
    },
  });
}

function readApp({ directory }: PartnerContext): Route {
  return route({
    method: 'GET',
    path: '/clients/{clientId}',
    area: 'partner',
    operation: 'read',
    extension: true,
    summary: 'Reads an app, without its secret',
    responses: { 200: AppForm },
    handler: async ({ params: { clientId } }) => {
      const app = await orBusy(directory.partnerApps.get(clientId));
      if (app instanceof Refused) return app;
      if (app === null) return unknownClient(clientId);
      return { ...app, scopes: SCOPES.filter((scope) => app.scopes.includes(scope)) };
    },
  });
}

function removeApp({ directory }: PartnerContext): Route {
  return route({
    method: 'DELETE',
    path: '/clients/{clientId}',
    area: 'partner',
    operation: 'write',
    extension: true,
    summary: 'Removes an app; tokens that it holds end within their ten minutes',
    responses: { 204: null },
    handler: async ({ params: { clientId }, session, now }) => {
      const removed = await orBusy(directory.partnerApps.remove({ clientId, ...by(session, now) }));
      if (removed instanceof Refused) return removed;
      return removed ? undefined : unknownClient(clientId);
    },
  });
}

function unknownClient(clientId: string): Refused {
  return refuse(Refusals.ResourceUnknown, { field: 'clientId', value: clientId });
}
