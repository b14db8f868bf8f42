import { Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { Transfer } from '../../../core/messages/cold-events.ts';
import { TRANSFER_STATUSES, TRANSFER_TYPES } from '../../../core/messages/enums.ts';
import type { TransferAnswer } from '../../../core/messages/queries.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import {
  DecimalInput,
  DecimalOutput,
  Nullable,
  OneOf,
  TimestampOutput,
} from '../../http/schema.ts';
import type { Reference } from '../../venue/reference.ts';
import type { Callbacks } from '../../webhooks/index.ts';
import type { RouteContext } from '../context.ts';

const ID_LENGTH_MAX = 128;
const URL_LENGTH_MAX = 2048;

const Id = Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX });
const CallbackUrl = Type.Optional(
  Nullable(
    Type.String({
      format: 'uri',
      maxLength: URL_LENGTH_MAX,
      description:
        'A public http or https address. Each state of the transfer is posted to it as JSON, signed as Standard Webhooks has it, until it answers 2xx.',
    }),
  ),
);
const VersionHeader = Type.Object({
  'x-api-version': Type.Optional(
    Type.String({ description: 'Taken and not looked at: the path names the version.' }),
  ),
});

const CreationBody = Type.Object({
  deduplicationId: Type.String({
    minLength: 1,
    maxLength: ID_LENGTH_MAX,
    description: 'Names the transfer for ever: sent again, it gets the first answer again.',
  }),
  accountId: Id,
  assetId: Id,
  amount: DecimalInput(),
  callbackUrl: CallbackUrl,
});
const DecisionBody = Type.Object({ accountId: Id, transferId: Id, callbackUrl: CallbackUrl });

const TransferForm = Type.Object({
  transferId: Type.String(),
  deduplicationId: Type.String(),
  assetId: Type.String(),
  type: OneOf(TRANSFER_TYPES),
  status: OneOf(TRANSFER_STATUSES),
  amount: DecimalOutput(),
  createdAt: TimestampOutput(),
  updatedAt: TimestampOutput(),
});

/** Money that comes in and goes out. */
export function transferRoutes(context: RouteContext): Route[] {
  return [
    creation(context, 'Deposit', 'deposit', 'Books a deposit: it is available at once.'),
    creation(context, 'Withdraw', 'withdrawal', 'Asks for a withdrawal: its amount is held.'),
    decision(context, 'ConfirmWithdrawal', 'withdrawal-confirm', 'The held amount leaves.'),
    decision(context, 'CancelWithdrawal', 'withdrawal-cancel', 'The held amount is free again.'),
  ];
}

function creation(
  { venue, callbacks }: RouteContext,
  type: 'Deposit' | 'Withdraw',
  name: string,
  summary: string,
): Route {
  return route({
    method: 'POST',
    path: `/back-api/backoffice/transfers/${name}`,
    area: 'trading',
    operation: 'manage-transfers',
    summary,
    headers: VersionHeader,
    body: CreationBody,
    responses: { 201: TransferForm },
    handler: async ({ body, now }) => {
      const refused = checkCallback(callbacks, body.callbackUrl);
      if (refused !== undefined) return refused;
      const answer = await venue.cold<TransferAnswer>(now, { type, ...body });
      if (answer instanceof Refused) return answer;
      callbacks.changed();
      return transferForm(answer.transfer, venue.reference);
    },
  });
}

function decision(
  { venue, callbacks }: RouteContext,
  type: 'ConfirmWithdrawal' | 'CancelWithdrawal',
  name: string,
  summary: string,
): Route {
  return route({
    method: 'POST',
    path: `/back-api/backoffice/transfers/${name}`,
    area: 'trading',
    operation: 'manage-transfers',
    summary,
    headers: VersionHeader,
    body: DecisionBody,
    responses: { 200: null },
    handler: async ({ body, now }) => {
      const { transferId } = body;
      if (!/^[1-9][0-9]{0,15}$/.test(transferId)) {
        return refuse(Refusals.TransferUnknown, { field: 'transferId', value: transferId });
      }
      const refused = checkCallback(callbacks, body.callbackUrl);
      if (refused !== undefined) return refused;
      const answer = await venue.cold<object>(now, { type, ...body });
      if (answer instanceof Refused) return answer;
      callbacks.changed();
      return undefined;
    },
  });
}

function checkCallback(callbacks: Callbacks, url: string | null | undefined): Refused | undefined {
  if (url === null || url === undefined) return undefined;
  const reason = callbacks.refusalOf(url);
  if (reason === undefined) return undefined;
  return refuse(Refusals.ConfigurationInvalid, { field: 'callbackUrl', value: url, limit: reason });
}

function transferForm(transfer: Transfer, reference: Reference) {
  const { assetId, scale } = reference.asset(transfer.asset);
  return {
    transferId: String(transfer.transferId),
    deduplicationId: transfer.deduplicationId,
    assetId,
    type: transfer.type,
    status: transfer.status,
    amount: formatUnits(transfer.amount, scale),
    createdAt: formatTimestamp(transfer.createdAt),
    updatedAt: formatTimestamp(transfer.updatedAt),
  };
}
