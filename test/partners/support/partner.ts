import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Answer, ApiClient } from '../../support/api-client.ts';
import type { TestServer } from '../../support/server.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** The body of an answer: fields are looked at by name. */
export type Body = Readonly<Record<string, string>>;

export interface PartnerRefusal {
  readonly message: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

/** The demo apps, whose secrets follow from their names. */
export const FULL = 'demo-partner';
export const READING = 'demo-partner-read';

export function basic(clientId: string, secret = `${clientId}-secret`): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
}

export async function appToken(
  server: TestServer,
  clientId: string,
  secret?: string,
): Promise<string> {
  const answer = await server
    .anonymous()
    .post<{ access_token?: string }>(
      '/tokens',
      { grant_type: 'client_credentials' },
      { headers: { authorization: basic(clientId, secret) } },
    );
  const { access_token: token } = answer.body;
  if (token === undefined) throw new Error(`no token for ${clientId}: ${answer.text}`);
  return token;
}

/** A client that acts as an app. */
export async function app(server: TestServer, clientId = FULL): Promise<ApiClient> {
  return server.anonymous().with({ token: await appToken(server, clientId) });
}

/** The body of an answer with this status; says what came where it is another. */
export function bodyOf<T = Body>(answer: Answer, status: number): T {
  expect(answer.status, answer.text).toBe(status);
  return answer.body as T;
}

/** A refusal in the partner area's shape, with this code and naming this field. */
export function expectRefused(answer: Answer, status: number, code: string, field: string): void {
  expect({ status: answer.status, code: answer.code }, answer.text).toEqual({ status, code });
  const { message, errors } = answer.body as PartnerRefusal;
  expect(message).toMatch(/^\S.*\.$/s);
  expect(errors).toEqual({ [field]: [message] });
}

/** Makes a user of the partner network with a profile of its own; answers its id. */
export async function newUser(client: ApiClient, name: string): Promise<string> {
  const profile = bodyOf(
    await client.post('/profiles', { firstName: name, lastName: 'Test' }),
    201,
  );
  const { profileId } = profile;
  await client.post(`/profiles/${profileId}/contacts`, {
    key: 'email',
    value: `${name.toLowerCase()}@partners.test`,
  });
  return bodyOf(await client.post('/users', { profileId }), 201)['userId'] ?? '';
}

/** Puts a user under another; answers the relation's id. */
export async function putUnder(client: ApiClient, child: string, parent: string): Promise<string> {
  const relation = { childUserId: child, parentUserId: parent };
  return bodyOf(await client.post('/relations', relation), 201)['relationId'] ?? '';
}

export interface Node {
  readonly nodeId: string;
  readonly userId: string;
  readonly level: number;
  readonly children: readonly Node[];
}

/** The chain below a user. */
export async function chainOf(client: ApiClient, userId: string): Promise<Node> {
  const list = bodyOf<{ nodes: Node[] }>(await client.get(`/nodes?userId=${userId}`), 200);
  return bodyOf<Node>(await client.get(`/nodes/${list.nodes[0]?.nodeId}`), 200);
}

/** A chain as its users and their levels: `[alice, 0, [[bob, 1, []]]]`. */
export type Shape = readonly [userId: string, level: number, children: readonly Shape[]];

export function shapeOf({ userId, level, children }: Node): Shape {
  return [userId, level, children.map(shapeOf)];
}

/** What the API document says of one field of a body. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly FieldSchema[];
}

export interface BodySchema {
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly 'x-extension'?: boolean;
            readonly requestBody?: {
              readonly content: Readonly<Record<string, { readonly schema: BodySchema }>>;
            };
            readonly responses: Readonly<
              Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>
            >;
          }
        >
      >
    >
  >;
}

/** Holds answers against the API document that the server itself publishes. */
export class AnswerCheck {
  readonly document: OpenApi;
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly known = new Map<string, ValidateFunction>();

  private constructor(document: OpenApi) {
    this.document = document;
  }

  static async of(client: ApiClient): Promise<AnswerCheck> {
    return new AnswerCheck((await client.get<OpenApi>('/openapi.json')).body);
  }

  /** What the document says of the body that a request takes. */
  bodySchema(method: string, template: string): BodySchema {
    const operation = this.document.paths[template]?.[method.toLowerCase()];
    const schema = operation?.requestBody?.content['application/json']?.schema;
    if (schema === undefined) throw new Error(`${method} ${template} takes no body`);
    return schema;
  }

  /** `template` is the path as it is declared: `/groups/{groupId}`. */
  expectDeclared(method: string, template: string, answer: Answer): void {
    const key = `${method.toLowerCase()} ${template} ${answer.status}`;
    const validate = this.known.get(key) ?? this.compile(method, template, answer.status);
    this.known.set(key, validate);
    expect(validate(answer.body), `${key}: ${this.ajv.errorsText(validate.errors)}`).toBe(true);
  }

  private compile(method: string, template: string, status: number): ValidateFunction {
    const operation = this.document.paths[template]?.[method.toLowerCase()];
    const schema = operation?.responses[String(status)]?.content?.['application/json']?.schema;
    if (schema === undefined) throw new Error(`${method} ${template} declares no ${status}`);
    return this.ajv.compile(closed(schema) as object);
  }
}

/** Objects with named fields hold no others, and all of them. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return 'properties' in copy && 'type' in copy && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}
