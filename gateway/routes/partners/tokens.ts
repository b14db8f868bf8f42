import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { APP_GRANT } from '../../../persistence/directory/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { Int32, OneOf } from '../../http/schema.ts';
import { authenticateClient, OauthRefusal } from '../../identity/index.ts';
import type { PartnerContext } from './context.ts';

const secretText = Type.Optional(Type.String({ maxLength: 256 }));

/** A token for an app, by its own credentials: in a Basic header or in the body, JSON or form. */
export function tokenRoute({ directory, appTokens }: PartnerContext): Route {
  return route({
    method: 'POST',
    path: '/tokens',
    area: 'partner',
    operation: 'none',
    rateClass: 'identity',
    summary: 'A token for an app (OAuth 2.0 client credentials)',
    bodyFormat: 'either',
    body: Type.Object(
      {
        grant_type: OneOf([APP_GRANT]),
        client_id: secretText,
        client_secret: secretText,
        scope: Type.Optional(
          Type.String({
            maxLength: 256,
            description: 'Of the scopes of the app, separated by blanks; all where it is left out.',
          }),
        ),
      },
      { additionalProperties: true },
    ),
    responseHeaders: { 'cache-control': 'no-store' },
    responses: {
      200: Type.Object({
        access_token: Type.String(),
        token_type: Type.Literal('Bearer'),
        expires_in: Int32({ description: 'Seconds' }),
        scope: Type.String({ description: 'What the token opens.' }),
      }),
    },
    handler: async ({ body, authorization, now }) => {
      const { client_id: formClientId, client_secret: formClientSecret } = body;
      const client = await orBusy(
        authenticateClient(directory, { authorization, formClientId, formClientSecret }),
      );
      if (client instanceof Refused) return client;
      if (client instanceof OauthRefusal) return credentialsRefused(client);
      if (!client.grantTypes.includes(APP_GRANT)) return unknownApp;
      const { clientId } = client;
      const scopes = scopesOf(body.scope, client.scopes);
      if (scopes instanceof Refused) return scopes;
      const issued = await appTokens.issue({ userId: clientId, clientId, scopes, roles: [] }, now);
      return {
        access_token: issued.token,
        token_type: 'Bearer' as const,
        expires_in: Math.floor((issued.expiresAt - issued.createdAt) / 1000),
        scope: scopes.join(' '),
      };
    },
  });
}

/** What is asked for, which must be among what the app has; all of it where nothing is asked for. */
function scopesOf(
  asked: string | undefined,
  allowed: readonly string[],
): readonly string[] | Refused {
  const wanted = new Set((asked ?? '').split(' ').filter(Boolean));
  if (wanted.size === 0) return allowed;
  const beyond = [...wanted].find((scope) => !allowed.includes(scope));
  if (beyond === undefined) return allowed.filter((scope) => wanted.has(scope));
  const limit = allowed.join(', ');
  return refuse(Refusals.NotOneOf, { field: 'scope', value: beyond, limit });
}

const unknownApp = refuse(Refusals.AppUnknown, {
  field: 'client_id',
  headers: { 'www-authenticate': 'Basic realm="tokens"' },
});

function credentialsRefused({ error }: OauthRefusal): Refused {
  if (error === 'invalid_client') return unknownApp;
  return refuse(Refusals.AppAuthenticationTwice, { field: 'client_id' });
}
