import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { Refusals } from '../../core/messages/refusals.ts';
import { errorBody } from '../../gateway/http/error-body.ts';
import { errorSchema } from '../../gateway/http/error-schema.ts';
import { openApiDocument } from '../../gateway/http/openapi.ts';
import { withOpenApi } from '../../gateway/http/openapi-route.ts';
import { refuse } from '../../gateway/http/refused.ts';
import type { Area } from '../../gateway/http/route.ts';
import { HttpServer } from '../../gateway/http/server.ts';
import { demoAuthoriser, demoRoutes } from './support/demo.ts';

interface Operation {
  readonly parameters: { name: string; in: string; required: boolean }[];
  readonly requestBody?: { content: Record<string, { schema: object }> };
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
  readonly security: object[];
  readonly operationId: string;
}
interface Document {
  readonly openapi: string;
  readonly info: { 'x-refusals': { code: string; status: number }[] };
  readonly paths: Record<string, Record<string, Operation>>;
}

const info = { title: 'Demo', version: '1' };

function serialised(): Document {
  return JSON.parse(JSON.stringify(openApiDocument(demoRoutes, info))) as Document;
}

describe('the API document', () => {
  const { openapi, info: described, paths } = serialised();

  test('has every route under its path and method, with an id of its own', () => {
    expect(openapi).toBe('3.1.0');
    const operations = demoRoutes.map(
      ({ path, method }) => paths[path]?.[method.toLowerCase()] as Operation,
    );
    expect(operations.every((operation) => operation !== undefined)).toBe(true);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(demoRoutes.length);
  });

  test('says what a route takes', () => {
    const read = paths['/things/{thingId}']?.['get'] as Operation;
    const required = read.parameters.map(({ name, in: place, required: is }) => [name, place, is]);
    expect(required).toContainEqual(['thingId', 'path', true]);
    expect(required).toContainEqual(['limit', 'query', false]);
    expect(required).toContainEqual(['offset', 'query', false]);
    expect(required).toContainEqual(['accountId', 'header', true]);
    expect(required).toContainEqual(['x-api-version', 'header', false]);
    expect(read.security).toEqual([{ bearer: [] }]);
    expect(paths['/guest']?.['get']?.security).toEqual([]);
    expect(paths['/signed']?.['get']?.security).toEqual([{ key: [], sign: [] }]);
    const form = paths['/identity/connect/token']?.['post'] as Operation;
    expect(Object.keys(form.requestBody?.content ?? {})).toEqual([
      'application/x-www-form-urlencoded',
    ]);
  });

  test('holds valid schemas, and nothing of this server’s inside', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const operations of Object.values(paths)) {
      for (const { requestBody, responses } of Object.values(operations)) {
        const contents = [requestBody, ...Object.values(responses)].map((part) => part?.content);
        for (const content of contents) {
          for (const { schema } of Object.values(content ?? {})) ajv.compile(schema);
        }
      }
    }
    expect(JSON.stringify(paths)).not.toMatch(/x-convert|x-refusal"/);
  });

  test('lists the catalogue of refusals', () => {
    const codes = described['x-refusals'].map(({ code }) => code);
    expect(codes).toContain('TR0020');
    expect(codes).toHaveLength(Object.keys(Refusals).length);
    expect(codes).toEqual([...codes].sort());
  });

  test('describes the error bodies that are sent', () => {
    const ajv = new Ajv2020({ strict: false });
    const areas: Area[] = [
      'trading',
      'public',
      'operations',
      'identity',
      'partner',
      'export',
      'signed',
    ];
    const refused = refuse(Refusals.AmountTooSmall, { field: 'amount', value: 1, limit: 2 });
    for (const area of areas) {
      const fits = ajv.compile({ ...errorSchema(area), additionalProperties: false });
      expect([area, fits(JSON.parse(errorBody(area, refused)))]).toEqual([area, true]);
    }
  });

  test('is served, itself included', async () => {
    const routes = withOpenApi(demoRoutes, info);
    const server = new HttpServer({ routes, authoriser: demoAuthoriser });
    const port = await server.listen('127.0.0.1', 0);
    const response = await fetch(`http://127.0.0.1:${port}/openapi.json`);
    const document = (await response.json()) as Document;
    await server.close();
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(document.paths['/openapi.json']?.['get']).toMatchObject({ 'x-extension': true });
  });
});
