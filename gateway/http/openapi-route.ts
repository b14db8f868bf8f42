import type { Vocabulary } from './examples.ts';
import { type OpenApiInfo, openApiDocument } from './openapi.ts';
import { type Route, route } from './route.ts';
import { TextOutput } from './schema.ts';

/** These routes and `GET /openapi.json`, which describes them and itself. */
export function withOpenApi(
  routes: readonly Route[],
  info: OpenApiInfo,
  vocabulary: Vocabulary = {},
): readonly Route[] {
  const described: Route[] = [...routes];
  const openApi = route({
    method: 'GET',
    path: '/openapi.json',
    area: 'operations',
    operation: 'none',
    summary: 'This document',
    extension: true,
    responses: { 200: TextOutput('application/json') },
    handler: () => text,
  });
  described.push(openApi);
  const text = JSON.stringify(openApiDocument(described, info, vocabulary));
  return described;
}
