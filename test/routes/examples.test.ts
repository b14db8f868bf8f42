import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { FORMATS } from '../../gateway/http/formats.ts';
import { app } from '../partners/support/partner.ts';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';

/** Every example of the API document is one that its own schema takes, and there is one for everything. */
interface Media {
  readonly schema: object;
  readonly example?: unknown;
}
interface Operation {
  readonly tags: readonly string[];
  readonly parameters: readonly (Media & {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
  })[];
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

  it.each([
    ['POST', '/groups', 201],
    ['POST', '/savings-programs', 201],
    ['POST', '/profiles', 201],
    ['POST', '/rates', 201],
    ['POST', '/symbols', 201],
    ['POST', '/banners/languages', 201],
    ['POST', '/clients', 201],
    ['POST', '/exports/async', 202],
    ['POST', '/back-api/backoffice/v2/markets', 201],
    ['PATCH', '/back-api/backoffice/v2/markets/{marketId}', 200],
    ['POST', '/back-api/backoffice/v2/markets/{marketId}/index-price', 204],
    ['POST', '/back-api/backoffice/v2/dynamic-commission-groups', 201],
    ['PUT', '/back-api/backoffice/v2/internal-assets/{id}', 200],
    ['PUT', '/back-api/backoffice/v2/markets-categories', 200],
    ['POST', '/back-api/backoffice/user', 200],
    ['GET', '/back-api/api/v2/account_trades/', 200],
    ['GET', '/back-api/api/v2/last_trades', 200],
    ['GET', '/back-api/backoffice/users', 200],
    ['GET', '/marketdata/api/v4/instruments/{marketSymbol}/funding', 200],
    ['GET', '/marketdata/api/v4/instruments/{marketSymbol}/prices', 200],
    ['GET', '/marketdata/api/v4/guest/instruments/{marketSymbol}/funding', 200],
  ])('has an example of %s %s that may be sent as it is', async (method, template, status) => {
    const { parameters, requestBody } = document.paths[template]?.[method.toLowerCase()] ?? {};
    const query = new URLSearchParams();
    let path = template;
    for (const { name, in: place, required, example } of parameters ?? []) {
      if (place === 'path') path = path.replace(`{${name}}`, String(example));
      else if (place === 'query' && required) query.set(name, String(example));
    }
    const { example } = requestBody?.content['application/json'] ?? {};
    const isPartners = document.paths[template]?.[method.toLowerCase()]?.tags.some((tag) =>
      ['partner', 'export'].includes(tag),
    );
    const client = isPartners ? await app(server()) : await server().user('admin');
    const answer = await client.send(method, `${path}?${query}`, example);
    expect(answer.status, answer.text).toBe(status);
  });
});
