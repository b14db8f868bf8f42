import { createHash, timingSafeEqual } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { OneOf, TextOutput } from '../../http/schema.ts';

export interface OperationsContext {
  readonly version: string;
  /** Seconds since the venue began to trade. */
  readonly uptime: () => number;
  readonly durableSequence: () => number;
  readonly metricsMediaType: string;
  readonly metrics: () => Promise<string>;
  /** What the reader of the metrics has to bring; undefined: nothing. */
  readonly metricsToken: string | undefined;
}

const Health = Type.Object({
  status: OneOf(['ok']),
  version: Type.String(),
  uptimeSeconds: Type.Integer(),
  durableSequence: Type.Integer({ description: 'Every event up to here is on disk.' }),
});

/**
 * For those who run the venue. Neither tells of anybody's business, so neither needs an access token;
 * the metrics may have a token of their own.
 */
export function operationsRoutes(context: OperationsContext): Route[] {
  return [readHealth(context), readMetrics(context)];
}

function readHealth({ version, uptime, durableSequence }: OperationsContext): Route {
  return route({
    method: 'GET',
    path: '/health',
    area: 'operations',
    operation: 'none',
    extension: true,
    summary: 'Answers 200 as long as the venue is ready to trade.',
    responseHeaders: { 'cache-control': 'no-store' },
    responses: { 200: Health },
    handler: () => ({
      status: 'ok' as const,
      version,
      uptimeSeconds: uptime(),
      durableSequence: durableSequence(),
    }),
  });
}

function readMetrics({ metrics, metricsMediaType, metricsToken }: OperationsContext): Route {
  const wanted = metricsToken === undefined ? undefined : digestOf(`Bearer ${metricsToken}`);
  return route({
    method: 'GET',
    path: '/metrics',
    area: 'operations',
    operation: 'none',
    extension: true,
    rateClass: 'guest',
    summary:
      'Figures in the text form of Prometheus. Where the venue has a METRICS_TOKEN, it is the bearer token here.',
    responseHeaders: { 'cache-control': 'no-store' },
    responses: { 200: TextOutput(metricsMediaType) },
    handler: ({ authorization }) => {
      const isRefused = wanted !== undefined && !timingSafeEqual(digestOf(authorization), wanted);
      return isRefused ? refuse(Refusals.Unauthorised) : metrics();
    },
  });
}

/** Digests are of one length and tell nothing of where two texts begin to differ. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
