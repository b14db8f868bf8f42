import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import {
  EXPORT_FORMATS,
  EXPORT_STATUSES,
  EXPORT_SUBJECTS,
  type ExportFormat,
} from '../../../persistence/directory/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { Int32, Nullable, OneOf, TextOutput, TimestampOutput } from '../../http/schema.ts';
import type { PartnerContext } from './context.ts';
import { outcomeOf } from './refusals.ts';
import { by } from './resource-routes.ts';

const Uuid = Type.String({ format: 'uuid' });
const ExportId = Type.Object({ exportId: Uuid });

const ExportForm = Type.Object({
  exportId: Uuid,
  subject: OneOf(EXPORT_SUBJECTS),
  format: OneOf(EXPORT_FORMATS),
  status: OneOf(EXPORT_STATUSES),
  rows: Nullable(Int32()),
  bytes: Nullable(Int32()),
  errorMessage: Nullable(Type.String()),
  createTime: TimestampOutput(),
  updateTime: TimestampOutput(),
});

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
};

/** Exports: asked for, written in the background, read by a link. */
export function exportRoutes(context: PartnerContext): Route[] {
  return [
    createRoute(context),
    readRoute(context),
    signRoute(context),
    ...EXPORT_FORMATS.map((format) => fileRoute(context, format)),
  ];
}

function createRoute({ directory, random, wake }: PartnerContext): Route {
  return route({
    method: 'POST',
    path: '/exports/async',
    area: 'export',
    operation: 'read',
    extension: true,
    summary: 'Asks for an export, which is written in the background',
    body: Type.Object({ subject: OneOf(EXPORT_SUBJECTS), format: OneOf(EXPORT_FORMATS) }),
    responses: { 202: ExportForm },
    handler: async ({ body, session, now }) => {
      const job = await outcomeOf(
        directory.partnerExports.create({ uuid: random.uuid(), ...body, ...by(session, now) }),
      );
      if (!(job instanceof Refused)) wake.exports();
      return job;
    },
  });
}

function readRoute({ directory }: PartnerContext): Route {
  return route({
    method: 'GET',
    path: '/exports/async/{exportId}',
    area: 'export',
    operation: 'read',
    extension: true,
    summary: 'Reads how an export is getting on',
    params: ExportId,
    responses: { 200: ExportForm },
    handler: async ({ params: { exportId } }) => {
      const job = await orBusy(directory.partnerExports.get(exportId));
      return job ?? unknownExport(exportId);
    },
  });
}

function signRoute(context: PartnerContext): Route {
  const { directory, exportFiles, publicUrl, exportLinkSeconds } = context;
  return route({
    method: 'GET',
    path: '/exports/async/{exportId}/sign',
    area: 'export',
    operation: 'read',
    summary: 'A link by which the file of an export is read without a token, for ten minutes',
    params: ExportId,
    responseHeaders: { 'cache-control': 'no-store' },
    responses: { 200: Type.Object({ location: Type.String() }) },
    handler: async ({ params: { exportId }, now }) => {
      const job = await orBusy(directory.partnerExports.get(exportId));
      if (job instanceof Refused) return job;
      if (job === null) return unknownExport(exportId);
      if (job.status === 'expired') return gone(exportId);
      if (job.status !== 'completed') {
        const { status } = job;
        return refuse(Refusals.ExportNotReady, {
          field: 'exportId',
          value: exportId,
          limit: status,
        });
      }
      const link = exportFiles.sign(job, now + exportLinkSeconds * 1000);
      return { location: `${publicUrl}${link}` };
    },
  });
}

function fileRoute({ exportFiles }: PartnerContext, format: ExportFormat): Route {
  return route({
    method: 'GET',
    path: `/exports/files/${format}/{exportId}`,
    area: 'export',
    operation: 'none',
    extension: true,
    summary: `The ${format} file of an export, by a signed link`,
    params: ExportId,
    query: Type.Object({
      expires: Type.Integer({ minimum: 0, description: 'UTC milliseconds' }),
      signature: Type.String({ maxLength: 128 }),
    }),
    responseHeaders: { 'cache-control': 'private, no-store' },
    responses: { 200: TextOutput(MEDIA_TYPES[format]) },
    handler: async ({ params, query: { expires, signature }, now }) => {
      const name = { exportId: params.exportId.toLowerCase(), format };
      if (expires <= now || !exportFiles.isSigned(name, expires, signature)) {
        return refuse(Refusals.ExportLinkRefused, { field: 'signature' });
      }
      const text = await exportFiles.read(name);
      if (text === null) return gone(params.exportId);
      const disposition = `attachment; filename="${name.exportId}.${format}"`;
      return reply(200, text, { 'content-disposition': disposition });
    },
  });
}

function unknownExport(exportId: string): Refused {
  return refuse(Refusals.ResourceUnknown, { field: 'exportId', value: exportId });
}

function gone(exportId: string): Refused {
  return refuse(Refusals.ExportGone, { field: 'exportId', value: exportId });
}
