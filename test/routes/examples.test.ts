import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { FORMATS } from '../../gateway/http/formats.ts';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';

/** Every example of the API document is one that its own schema takes, and there is one for everything. */
interface Media {
  readonly schema: object;
  readonly example?: unknown;
}
interface Operation {
  readonly parameters: readonly (Media & { readonly name: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Operation['responses'] };
}

const server = useServer();
let document: Document;
let alice: ApiClient;

beforeAll(async () => {
  document = (await server().anonymous().get<Document>('/openapi.json')).body;
  alice = await server().trader('alice');
});

function described(): (readonly [name: string, media: Media])[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, requestBody, responses }]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const contents = [
        ...Object.entries(requestBody?.content ?? {}),
        ...Object.values(responses).flatMap(({ content = {} }) => Object.entries(content)),
      ];
      return [
        ...parameters.map((parameter) => [`${name} ${parameter.name}`, parameter] as const),
        ...contents.map(([type, media]) => [`${name} ${type}`, media] as const),
      ];
    }),
  );
}

function judge(): (media: Media) => string | undefined {
  const ajv = new Ajv2020({ strict: false });
  for (const [name, { pattern }] of Object.entries(FORMATS)) {
    ajv.addFormat(name, pattern ?? true);
  }
  return ({ schema, example }) => {
    if (example === undefined) return 'no example';
    const validate = ajv.compile(schema);
    const fits = validate(example);
    ajv.removeSchema();
    return fits ? undefined : JSON.stringify([validate.errors?.[0], example]);
  };
}

describe('the API document', () => {
  it('has an example of every parameter, body and answer, and each fits its schema', () => {
    const fault = judge();
    const faults = described().flatMap(([name, media]) => {
      const found = fault(media);
      return found === undefined ? [] : [`${name}: ${found}`];
    });
    expect(faults).toEqual([]);
    expect(described().length).toBeGreaterThan(500);
  });

  it('has an example of a refusal in the shape of each area', () => {
    const fault = judge();
    const contents = Object.values(document.components.responses).flatMap(({ content = {} }) =>
      Object.values(content),
    );
    expect(contents.length).toBeGreaterThan(5);
    expect(contents.map(fault).filter((found) => found !== undefined)).toEqual([]);
  });

  it.each([
    ['/frontoffice/api/v3/orders', 201],
    ['/frontoffice/api/cfd/v4/orders', 200],
    ['/frontoffice/api/perpetual/v4/orders', 200],
    ['/frontoffice/api/cfd/v4/stop-orders', 200],
    ['/frontoffice/api/perpetual/v4/stop-orders', 200],
    ['/frontoffice/api/v3/stop-orders', 200],
    ['/frontoffice/api/v3/order-data', 200],
    ['/frontoffice/api/cfd/v4/order-data', 200],
    ['/frontoffice/api/perpetual/v4/order-data', 200],
    ['/frontoffice/api/v3/guest/order-data', 200],
    ['/frontoffice/api/cfd/v4/guest/order-data', 200],
    ['/frontoffice/api/perpetual/v4/guest/order-data', 200],
    ['/frontoffice/api/v4/order-list', 200],
    ['/frontoffice/api/v4/orders/closed-positions', 200],
  ])('has a body for POST %s that may be sent as it is', async (path, status) => {
    const { requestBody } = document.paths[path]?.['post'] ?? {};
    const { example } = requestBody?.content['application/json'] ?? {};
    const answer = await alice.post(path, example);
    expect(answer.status, answer.text).toBe(status);
  });
});
