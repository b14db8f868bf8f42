import { Type } from '@sinclair/typebox';
import { Refusals } from '../../core/messages/refusals.ts';
import { formatTimestamp } from '../../core/messages/timestamp.ts';
import { type Directory, WEBHOOK_STATUSES } from '../../persistence/directory/index.ts';
import { orBusy } from '../directory-answer.ts';
import { Refused, refuse } from '../http/refused.ts';
import { type Route, route } from '../http/route.ts';
import { Nullable, OneOf, TimestampOutput } from '../http/schema.ts';
import type { WebhookSecret, WebhookSecrets } from './secrets.ts';

const BACK_OFFICE = '/back-api/backoffice/v2';
const COMMON = { area: 'trading', operation: 'manage-transfers', extension: true } as const;
const NO_STORE = { 'cache-control': 'no-store' };

const Attempt = Type.Object({
  attempt: Type.Integer(),
  at: TimestampOutput(),
  durationMs: Type.Integer(),
  httpStatus: Nullable(Type.Integer()),
  error: Nullable(Type.String({ description: 'Why no answer came.' })),
});
const Delivery = Type.Object({
  callbackId: Type.String(),
  url: Type.String(),
  status: OneOf(WEBHOOK_STATUSES),
  payload: Type.String({ description: 'The body, exactly as it is sent.' }),
  createdAt: TimestampOutput(),
  nextAttemptAt: Nullable(TimestampOutput()),
  attempts: Type.Array(Attempt),
});
const Secrets = Type.Object({
  secrets: Type.Array(
    Type.Object({
      secret: Type.String({ description: 'whsec_ and the key in base64.' }),
      createdAt: TimestampOutput(),
      expiresAt: Nullable(TimestampOutput()),
    }),
    { description: 'Newest first; each of them signs.' },
  ),
});

export interface WebhookRouteParts {
  readonly directory: Directory;
  readonly secrets: WebhookSecrets;
}

/** What became of the calls to a transfer's callback address, and the keys that sign them. */
export function webhookRoutes({ directory, secrets }: WebhookRouteParts): Route[] {
  return [
    deliveriesRoute(directory),
    route({
      ...COMMON,
      method: 'GET',
      path: `${BACK_OFFICE}/webhook-secrets`,
      summary: 'The keys that calls to callback addresses are signed with.',
      responseHeaders: NO_STORE,
      responses: { 200: Secrets },
      handler: async ({ now }) => secretsForm(await orBusy(secrets.valid(now))),
    }),
    route({
      ...COMMON,
      method: 'POST',
      path: `${BACK_OFFICE}/webhook-secrets/rotate`,
      summary: 'Makes a new key; the one before signs beside it for a day.',
      responseHeaders: NO_STORE,
      responses: { 200: Secrets },
      handler: async ({ session, now }) =>
        secretsForm(await orBusy(secrets.rotate(session.userId, now))),
    }),
  ];
}

function deliveriesRoute(directory: Directory): Route {
  return route({
    ...COMMON,
    method: 'GET',
    path: `${BACK_OFFICE}/transfers/{transferId}/callbacks`,
    summary: 'The calls to the callback address of a transfer, with every attempt, oldest first.',
    responses: { 200: Type.Object({ callbacks: Type.Array(Delivery) }) },
    handler: async ({ params: { transferId } }) => {
      if (!/^[1-9][0-9]{0,14}$/.test(transferId)) {
        return refuse(Refusals.TransferUnknown, { field: 'transferId', value: transferId });
      }
      const deliveries = await orBusy(directory.webhooks.ofTransfer(Number(transferId)));
      if (deliveries instanceof Refused) return deliveries;
      return {
        callbacks: deliveries.map((delivery) => ({
          callbackId: String(delivery.id),
          url: delivery.url,
          status: delivery.status,
          payload: delivery.body,
          createdAt: formatTimestamp(delivery.createdAt),
          nextAttemptAt: timestamp(delivery.nextAttemptAt),
          attempts: delivery.attempts.map((attempt) => ({
            ...attempt,
            at: formatTimestamp(attempt.at),
          })),
        })),
      };
    },
  });
}

function secretsForm(secrets: readonly WebhookSecret[] | Refused) {
  if (secrets instanceof Refused) return secrets;
  return {
    secrets: secrets.map(({ secret, createdAt, expiresAt }) => ({
      secret,
      createdAt: formatTimestamp(createdAt),
      expiresAt: timestamp(expiresAt),
    })),
  };
}

function timestamp(time: number | null): string | null {
  return time === null ? null : formatTimestamp(time);
}
