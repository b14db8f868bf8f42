import { STATUS_CODES } from 'node:http';
import type { TObject, TSchema } from '@sinclair/typebox';
import { type Refusal, Refusals, refusalCode } from '../../core/messages/refusals.ts';
import { pathSchema, successStatusOf } from './compiled-route.ts';
import { errorBody } from './error-body.ts';
import { errorSchema } from './error-schema.ts';
import { Examples, type Vocabulary } from './examples.ts';
import { refuse } from './refused.ts';
import type { Area, Route } from './route.ts';
import { CONVERT, REFUSAL } from './schema.ts';

/** The OpenAPI 3.1 document of a route table: everything in it is read from the declarations. */

type Json = Record<string, unknown>;

/** Keywords that steer this server and tell a client nothing. */
const INTERNAL: ReadonlySet<string> = new Set([CONVERT, REFUSAL]);

function published(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(published);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => !INTERNAL.has(name));
  return Object.fromEntries(entries.map(([name, part]) => [name, published(part)]));
}

function parameters(
  examples: Examples,
  place: 'path' | 'query' | 'header',
  schema: TObject | undefined,
): Json[] {
  if (schema === undefined) return [];
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path' || (required.has(name) && !('default' in part)),
    schema: published(part),
    example: examples.of(part, name),
  }));
}

const ACCOUNT_HEADER: Json = {
  name: 'accountId',
  in: 'header',
  required: true,
  description: 'The trading account that the request acts for.',
  schema: { type: 'string' },
  example: '100001',
};

const MEDIA_TYPES = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  either: ['application/json', 'application/x-www-form-urlencoded'],
} as const;

function requestBody(examples: Examples, route: Route): Json | undefined {
  const { body, bodyFormat, example: written } = route;
  if (body === undefined) return undefined;
  const content = { schema: published(body), example: written?.body ?? examples.of(body) };
  const mediaTypes = MEDIA_TYPES[bodyFormat ?? 'json'].map((type) => [type, content]);
  return { required: true, content: Object.fromEntries(mediaTypes) };
}

function response(status: string, schema: TSchema | null, example: unknown): Json {
  const description = STATUS_CODES[status] ?? status;
  if (schema === null) return { description };
  const { contentMediaType = 'application/json' } = schema as { contentMediaType?: string };
  return { description, content: { [contentMediaType]: { schema: published(schema), example } } };
}

function responses(examples: Examples, route: Route): Json {
  const { area, responses: declared } = route;
  const success = String(successStatusOf(route));
  const answers = Object.entries(declared).map(([status, schema]) => {
    const written = status === success ? route.example?.answer : undefined;
    const example = written ?? (schema === null ? undefined : examples.of(schema));
    return [status, response(status, schema, example)];
  });
  return {
    ...Object.fromEntries(answers),
    default: { $ref: `#/components/responses/${area}Refusal` },
  };
}

function security({ area, operation }: Route): Json[] {
  if (operation === 'none') return [];
  return area === 'signed' ? [{ key: [], sign: [] }] : [{ bearer: [] }];
}

/** `post_frontoffice_api_v3_orders`: stable as long as the path is. */
function operationId({ method, path }: Route): string {
  return `${method.toLowerCase()}${path.replaceAll('}', '').replace(/[^A-Za-z0-9]+/g, '_')}`;
}

function operation(examples: Examples, route: Route): Json {
  const body = requestBody(examples, route);
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.area],
    ...(route.extension ? { 'x-extension': true } : {}),
    ...(route.operation === 'none' ? {} : { 'x-required-operation': route.operation }),
    security: security(route),
    parameters: [
      ...parameters(examples, 'path', pathSchema(route)),
      ...parameters(examples, 'query', route.query),
      ...(route.account ? [ACCOUNT_HEADER] : []),
      ...parameters(examples, 'header', route.headers),
    ],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responses(examples, route),
  };
}

function catalogue(): Json[] {
  return Object.values<Refusal>(Refusals)
    .sort((left, right) => left.code - right.code)
    .map((refusal) => ({
      code: refusalCode(refusal),
      name: refusal.name,
      status: refusal.status,
      message: refusal.message,
    }));
}

/** What a refusal looks like, in the shape of each area. */
const SHOWN_REFUSAL = refuse(Refusals.FieldMissing, { field: 'name' });

function refusalResponses(routes: readonly Route[]): Json {
  const areas = [...new Set<Area>(routes.map(({ area }) => area))];
  const described = areas.map((area) => [
    `${area}Refusal`,
    {
      description: 'A refusal; its code is in the catalogue of this document.',
      headers: { 'x-error-code': { schema: { type: 'string', pattern: '^TR[0-9]{4}$' } } },
      content: {
        'application/json': {
          schema: errorSchema(area),
          example: JSON.parse(errorBody(area, SHOWN_REFUSAL)),
        },
      },
    },
  ]);
  return Object.fromEntries(described);
}

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** The whole document, ready to be serialised; the vocabulary is what its examples are made of. */
export function openApiDocument(
  routes: readonly Route[],
  info: OpenApiInfo,
  vocabulary: Vocabulary = {},
): Json {
  const examples = new Examples(vocabulary);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, {
      [route.method.toLowerCase()]: operation(examples, route),
    });
  }
  return {
    openapi: '3.1.0',
    info: { ...info, 'x-refusals': catalogue() },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        key: { type: 'apiKey', in: 'header', name: 'Key' },
        sign: { type: 'apiKey', in: 'header', name: 'Sign' },
      },
      responses: refusalResponses(routes),
    },
  };
}
