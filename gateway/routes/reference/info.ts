import { Type } from '@sinclair/typebox';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { type Route, route } from '../../http/route.ts';
import { Nullable, TimestampOutput } from '../../http/schema.ts';
import type { RouteContext } from '../context.ts';
import { type TimeZones, utcOffset } from './time-zones.ts';

export const Info = Type.Object({
  serverTime: TimestampOutput(),
  timeZoneId: Type.String({ description: "The platform's zone: Day orders end with its days." }),
  utcOffset: Type.String({ description: '+HH:MM, now.' }),
  rootAssetId: Nullable(Type.String({ description: 'What amounts in the RAT are in.' })),
});
export const TimeZone = Type.Object({
  id: Type.String({ description: 'IANA.' }),
  displayName: Type.String(),
  utcOffset: Type.String({ description: '+HH:MM, now.' }),
});

/** The server's time and time zones. */
export function infoRoutes(context: RouteContext, zones: TimeZones): Route[] {
  return [readInfo(context), listTimeZones(zones)];
}

export function infoForm({ venue, timeZone }: RouteContext, now: number) {
  return {
    serverTime: formatTimestamp(now),
    timeZoneId: timeZone,
    utcOffset: utcOffset(timeZone, now),
    rootAssetId: venue.reference.rootAsset?.assetId ?? null,
  };
}

function readInfo(context: RouteContext): Route {
  return route({
    method: 'GET',
    path: '/frontoffice/api/v3/info',
    area: 'trading',
    operation: 'trading-ui',
    summary: "The server's time and the platform's time zone.",
    responses: { 200: Info },
    handler: ({ now }) => infoForm(context, now),
  });
}

function listTimeZones(zones: TimeZones): Route {
  return route({
    method: 'GET',
    path: '/frontoffice/api/v3/info/time-zones',
    area: 'trading',
    operation: 'trading-ui',
    extension: true,
    summary: 'Every IANA time zone with its offset of now.',
    responses: { 200: Type.Array(TimeZone) },
    handler: ({ now }) => zones.list(now),
  });
}
