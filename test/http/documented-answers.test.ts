import { describe, expect, it } from 'vitest';
import { type ApiDocument, DocumentedAnswers } from '../support/documented-answers.ts';
import { useServer } from '../support/use-server.ts';

/** What every answer that a test gets is held against. */
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const thing = {
  type: 'object',
  required: ['amount'],
  properties: { amount: { type: 'string', format: 'decimal' } },
};
const document: ApiDocument = {
  paths: {
    '/things/{id}': {
      get: { responses: { 200: json(thing), default: { $ref: '#/components/responses/refusal' } } },
      delete: { responses: { 200: {} } },
    },
    '/things/best': { get: { responses: { 200: json({ type: 'boolean' }) } } },
  },
  components: { responses: { refusal: json({ type: 'object', required: ['code'] }) } },
};
const server = useServer();

const faultOf = (method: string, path: string, status: number, text: string) => {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const answer = { status, text, headers };
  return new DocumentedAnswers(document).fault(method, path, answer);
};

describe('answers', () => {
  it.each([
    ['GET', '/things/1?x=2', 200, '{"amount":"1.5"}'],
    ['GET', '/things/best', 200, 'true'],
    ['GET', '/things/1', 404, '{"code":"TR0001"}'],
    ['DELETE', '/things/1', 200, ''],
    ['GET', '/elsewhere', 200, '{}'],
  ])('fit: %s %s %i %s', (method, path, status, text) => {
    expect(faultOf(method, path, status, text)).toBeUndefined();
  });

  it.each([
    ['GET', '/things/1', 200, '{"amount":1.5}'],
    ['GET', '/things/1', 200, '{"amount":"1.50"}'],
    ['GET', '/things/1', 200, '{"amount":"1e3"}'],
    ['GET', '/things/1', 200, '{}'],
    ['GET', '/things/1', 200, '{"amount":"1","secret":"x"}'],
    ['GET', '/things/1', 404, '{"message":"none"}'],
    ['GET', '/things/best', 200, '{"amount":"1"}'],
    ['GET', '/things/best', 500, '{}'],
    ['DELETE', '/things/1', 200, '{}'],
  ])('do not fit: %s %s %i %s', (method, path, status, text) => {
    expect(faultOf(method, path, status, text)).not.toBeUndefined();
  });

  it('of the server are held against its own document', async () => {
    const alice = await server().trader('alice');
    expect((await alice.get('/frontoffice/api/v3/accounts')).status).toBe(200);
    const answer = await alice.get('/frontoffice/api/v3/assets');
    expect(() => alice.check('GET', '/frontoffice/api/v3/accounts', answer)).toThrow(
      /not as documented/,
    );
  });
});
