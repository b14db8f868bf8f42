import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { ODD_VALUES, placesIn, withPart } from '../support/bad-values.ts';
import { inParallel } from '../support/parallel.ts';
import { useServer } from '../support/use-server.ts';
import {
  AnswerCheck,
  app,
  type BodySchema,
  bodyOf,
  type FieldSchema,
  type Fields,
  type PartnerRefusal,
} from './support/partner.ts';
import { type Ground, listPath, prepare, type Sample } from './support/samples.ts';

const server = useServer();
let client: ApiClient;
let check: AnswerCheck;
let ground: Ground;

beforeAll(async () => {
  client = await app(server());
  check = await AnswerCheck.of(client);
  ground = await prepare(client);
});

const WIDTH = 8;
/** The samples by their place, as a table of tests has to be known before the server runs. */
const PLACES = Array.from({ length: 13 }, (_, index) => index);

function typesOf({ type, anyOf = [] }: FieldSchema): readonly string[] {
  const own = type === undefined ? [] : [type].flat();
  return [...own, ...anyOf.flatMap(typesOf)];
}

/** Values that break what is declared of a field, and the code of the refusal that names it. */
function badValues(field: FieldSchema): readonly (readonly [unknown, string | undefined])[] {
  const types = typesOf(field);
  const cases: (readonly [unknown, string | undefined])[] = [];
  if (!types.includes('null')) cases.push([null, undefined]);
  if (!types.includes('object')) cases.push([{ a: 1 }, 'TR0009']);
  if (!types.includes('array')) cases.push([['a'], 'TR0009']);
  if (!types.includes('boolean')) cases.push([true, 'TR0009']);
  if (!types.includes('string')) cases.push(['text', 'TR0009']);
  if (types.includes('string') && !types.includes('number')) cases.push([7, 'TR0009']);
  if (field.maxLength !== undefined) cases.push(['x'.repeat(field.maxLength + 1), undefined]);
  if (field.minimum !== undefined) cases.push([field.minimum - 1, undefined]);
  if (field.maximum !== undefined) cases.push([field.maximum + 1, undefined]);
  if (types.includes('integer')) cases.push([1.5, 'TR0009']);
  if (field.enum !== undefined) cases.push(['nonsense', 'TR0011']);
  if (field.format !== undefined && types.includes('string')) cases.push(['a b', 'TR0012']);
  if (field.pattern !== undefined) cases.push(['§', 'TR0012']);
  return cases;
}

/** A refusal in the partner area's shape; answers the fields that it names. */
function refusedFields(answer: Answer, sent: unknown): readonly string[] {
  const what = `${JSON.stringify(sent).slice(0, 300)} got ${answer.text}`;
  expect(answer.status, what).toBeGreaterThanOrEqual(400);
  expect(answer.status, what).toBeLessThan(500);
  expect(answer.code, what).toMatch(/^TR\d{4}$/);
  const { message, errors, ...rest } = answer.body as PartnerRefusal;
  expect(rest).toEqual({});
  expect(message).toMatch(/^\S.*\.$/s);
  return Object.keys(errors);
}

describe.each(PLACES)('resource %i', (place) => {
  let sample: Sample;
  let list = '';
  let item = '';
  let before: Fields = {};

  beforeAll(async () => {
    const found = ground.samples[place];
    if (found === undefined) throw new Error(`there is no sample ${place}`);
    sample = found;
    list = listPath(sample, ground.ids);
    const created = bodyOf<Fields>(await client.post(list, sample.creation), 201);
    item = `${list}/${created[sample.idField]}`;
    before = bodyOf<Fields>(await client.get(item), 200);
  });

  const requests = () =>
    [
      ['POST', list, sample.template],
      [sample.changedBy, item, `${sample.template}/{${sample.idName}}`],
    ] as const;

  async function eachField(
    bad: (
      name: string,
      field: FieldSchema,
      schema: BodySchema,
    ) => readonly (readonly [unknown, string | undefined])[],
  ): Promise<number> {
    let sent = 0;
    for (const [method, path, template] of requests()) {
      const schema = check.bodySchema(method, template);
      for (const [name, field] of Object.entries(schema.properties)) {
        for (const [value, code] of bad(name, field, schema)) {
          const body = { ...sample.creation, [name]: value };
          const answer = await client.send(method, path, body);
          expect(refusedFields(answer, body), `${method} ${template}`).toEqual([name]);
          if (code !== undefined) expect(answer.code, JSON.stringify(body)).toBe(code);
          sent++;
        }
      }
    }
    expect(bodyOf<Fields>(await client.get(item), 200)).toEqual(before);
    return sent;
  }

  it('names every field that is not as declared, and changes nothing', async () => {
    expect(await eachField((_, field) => badValues(field))).toBeGreaterThan(5);
  });

  it('names every required field that is missing', async () => {
    const sent = await eachField((name, _, { required = [] }) =>
      required.includes(name) ? [[undefined, 'TR0008']] : [],
    );
    expect(sent).toBeGreaterThan(0);
  });

  it('takes or refuses any odd value in any place, and lives', async () => {
    const bodies = placesIn(sample.creation).flatMap((path) =>
      ODD_VALUES.filter((_, index) => index % 3 === path.length % 3).map((value) =>
        withPart(sample.creation, path, value),
      ),
    );
    await inParallel(bodies, WIDTH, async (body) => {
      const answer = await client.send(sample.changedBy, `${list}/999999`, body);
      refusedFields(answer, body);
    });
    await inParallel(bodies.slice(0, 120), WIDTH, async (body) => {
      const answer = await client.post(list, body);
      if (answer.status !== 201) refusedFields(answer, body);
    });
    expect(bodyOf<Fields>(await client.get(item), 200)).toEqual(before);
  });
});

describe('bodies that are none', () => {
  it('are refused in the shape of the area', async () => {
    for (const body of ['{', 'null', '[]', '1', '{"name":1,"name":2}', '\u0000']) {
      refusedFields(await client.post('/groups', body), body);
    }
    const headers = { 'content-type': 'text/plain' };
    const answer = await client.post('/groups', '{"name":"x"}', { headers });
    expect(answer).toMatchObject({ status: 415, code: 'TR0032' });
    expect(refusedFields(answer, '')).toEqual([]);
  });
});
