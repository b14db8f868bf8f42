import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';
import {
  AnswerCheck,
  app,
  bodyOf,
  expectRefused,
  type Fields,
  READING,
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

const NAMES = [
  'profiles',
  'contacts',
  'groups',
  'resources',
  'users',
  'relations',
  'links',
  'providers',
  'drivers',
  'languages',
  'symbols',
  'preferences',
  'savingsPrograms',
];

function sampleOf(name: string): Sample {
  const sample = ground.samples.find((each) => each.name === name);
  if (sample === undefined) throw new Error(`there is no sample of ${name}`);
  return sample;
}

/** What was written is there; lists and objects hold at least what was written to them. */
function expectWritten(sample: Sample, record: Fields, written: Fields): void {
  const seen = Object.entries(written).filter(([name]) => !sample.hidden?.includes(name));
  expect(record).toMatchObject(Object.fromEntries(seen));
}

const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';
const unknownId = ({ idName }: Sample) =>
  ['userId', 'savingsProgram'].includes(idName) ? UNKNOWN_UUID : '999999';

describe.each(NAMES)('%s', (name) => {
  let id = '';
  let created: Fields = {};
  const sample = () => sampleOf(name);
  const list = () => listPath(sample(), ground.ids);
  const item = () => `${list()}/${id}`;
  const itemTemplate = () => `${sample().template}/{${sample().idName}}`;

  it('are created with every field, and answered in the declared shape', async () => {
    const answer = await client.post(list(), sample().creation);
    created = bodyOf<Fields>(answer, 201);
    check.expectDeclared('POST', sample().template, answer);
    expectWritten(sample(), created, sample().creation);
    id = String(created[sample().idField]);
  });

  it('are read by id and found in their list', async () => {
    const answer = await client.get(item());
    expect(bodyOf<Fields>(answer, 200)).toEqual(created);
    check.expectDeclared('GET', itemTemplate(), answer);
    const all = await client.get(`${list()}?limit=100`);
    const page = bodyOf<Record<string, Fields[]>>(all, 200);
    check.expectDeclared('GET', sample().template, all);
    expect(page[name]).toContainEqual(created);
    expect(page['isExceeded']).toBe(false);
  });

  it('change in what is named, and in nothing else', async () => {
    const { change, creation, changedBy } = sample();
    const isWhole = changedBy === 'PUT';
    const sent = isWhole ? { ...creation, ...change } : change;
    const answer = await client.send(changedBy, item(), sent);
    const changed = bodyOf<Fields>(answer, 200);
    check.expectDeclared(changedBy, itemTemplate(), answer);
    const timeField = 'updateTime' in created ? 'updateTime' : 'updatedAt';
    expect(String(changed[timeField]) >= String(created[timeField])).toBe(true);
    expectWritten(sample(), changed, change);
    const untouched = ({ [timeField]: _, childUser, parentUser, levels, ...rest }: Fields) =>
      Object.fromEntries(Object.entries(rest).filter(([field]) => !(field in change)));
    expect(untouched(changed)).toEqual(untouched(created));
    created = bodyOf<Fields>(await client.get(item()), 200);
    expect(created).toEqual(changed);
  });

  it('refuse a field that they do not know, and change nothing', async () => {
    const body = { ...sample().creation, surprise: 1 };
    expectRefused(await client.post(list(), body), 400, 'TR0010', 'surprise');
    const { changedBy } = sample();
    expectRefused(await client.send(changedBy, item(), body), 400, 'TR0010', 'surprise');
    expect(bodyOf(await client.get(item()), 200)).toEqual(created);
  });

  it('refuse a second one of what may be there once', async () => {
    const { unique, creation, change } = sample();
    if (unique === undefined) return;
    const answer = await client.post(list(), { ...creation, ...change, [unique]: created[unique] });
    expectRefused(answer, 409, 'TR0702', unique);
  });

  it('are unknown under an id that does not exist', async () => {
    const { idName, changedBy, creation } = sample();
    const path = `${list()}/${unknownId(sample())}`;
    const refusals = [
      await client.get(path),
      await client.send(changedBy, path, creation),
      await client.del(path),
    ];
    for (const answer of refusals) expectRefused(answer, 404, 'TR0700', idName);
  });

  it('are read, but not written, by an app that only reads', async () => {
    const reader = await app(server(), READING);
    expect((await reader.get(item())).status).toBe(200);
    const { changedBy, creation } = sample();
    const refused = [
      await reader.post(list(), creation),
      await reader.send(changedBy, item(), creation),
      await reader.del(item()),
    ];
    for (const { status, code, text } of refused) {
      expect({ status, code }, text).toEqual({ status: 403, code: 'TR0101' });
    }
    expect(bodyOf(await client.get(item()), 200)).toEqual(created);
  });

  it('are refused to users of the offices and to everybody without a token', async () => {
    const admin = await server().user('admin');
    expect(await admin.get(item())).toMatchObject({ status: 403, code: 'TR0101' });
    expect(await server().anonymous().get(item())).toMatchObject({ status: 401, code: 'TR0100' });
  });

  it('mark as extensions exactly the endpoints that the interface does not have', () => {
    const { original, changedBy, template } = sample();
    const declared: readonly (readonly [string, string, boolean])[] = [
      ['get', template, false],
      ['post', template, original.includes('POST')],
      ['get', itemTemplate(), original.includes('GET')],
      [changedBy.toLowerCase(), itemTemplate(), original.includes(changedBy)],
      ['delete', itemTemplate(), false],
    ];
    for (const [method, path, isOriginal] of declared) {
      const operation = check.document.paths[path]?.[method];
      expect(operation, `${method} ${path}`).toBeDefined();
      expect(operation?.['x-extension'] ?? false, `${method} ${path}`).toBe(!isOriginal);
    }
  });
});

describe('all of it', () => {
  it('is as it was after a crash', async () => {
    const readAll = async () => {
      const bodies: unknown[] = [];
      for (const sample of ground.samples) {
        bodies.push((await client.get(`${listPath(sample, ground.ids)}?limit=100`)).body);
      }
      return bodies;
    };
    const before = await readAll();
    await server().kill('SIGKILL');
    await server().restart();
    expect(await readAll()).toEqual(before);
  });
});

describe('credentials of rate drivers', () => {
  it('are answered as the user name alone, and lie nowhere in clear', async () => {
    const { providerId } = ground.ids;
    const { drivers } = bodyOf<{ drivers: Fields[] }>(
      await client.get(`/rates/${providerId}/drivers`),
      200,
    );
    expect(drivers[0]?.['credentials']).toEqual({ username: 'feed' });
    const path = `/rates/${providerId}/drivers/${drivers[0]?.['driverId']}`;
    const changed = await client.patch(path, { credentials: { password: 'feed-password-2' } });
    expect(bodyOf<Fields>(changed, 200)['credentials']).toEqual({ username: 'feed' });
    expect(changed.text).not.toContain('feed-password');
    for (const file of ['directory.db', 'directory.db-wal']) {
      const bytes = readFileSync(join(server().dataDir, file));
      expect(bytes.includes('feed-password')).toBe(false);
    }
  });
});

describe('lists of a group', () => {
  it('keep the items that name their id, take new ones, and drop the others', async () => {
    const levels = [1, 2, 3].map((level) => ({ level, formulaValue: `v${level}` }));
    const group = bodyOf<Fields & { levels: Fields[] }>(
      await client.post('/groups', { name: 'Levels', levels }),
      201,
    );
    const [first, second] = group.levels;
    const path = `/groups/${group['groupId']}`;
    const changed = bodyOf<{ levels: Fields[] }>(
      await client.patch(path, {
        levels: [
          { levelId: first?.['levelId'], level: 2 },
          { levelId: second?.['levelId'], level: 1 },
          { level: 9, formulaValue: 'new' },
        ],
      }),
      200,
    );
    expect(changed.levels).toMatchObject([
      { levelId: first?.['levelId'], uuid: first?.['uuid'], level: 2, formulaValue: 'v1' },
      { levelId: second?.['levelId'], uuid: second?.['uuid'], level: 1, formulaValue: 'v2' },
      { level: 9, formulaValue: 'new' },
    ]);
    const unchanged = bodyOf<{ levels: Fields[] }>(await client.patch(path, { formula: 'x' }), 200);
    expect(unchanged.levels).toEqual(changed.levels);
  });

  it('refuse an item of another group, a level twice, and a new item without its fields', async () => {
    const { groups } = bodyOf<{ groups: (Fields & { levels: Fields[] })[] }>(
      await client.get('/groups?limit=100'),
      200,
    );
    const foreign = groups.find(({ name }) => name === 'Gold')?.levels[0]?.['levelId'];
    const path = `/groups/${groups.find(({ name }) => name === 'Levels')?.['groupId']}`;
    const before = bodyOf(await client.get(path), 200);
    const level = { level: 4, formulaValue: 'x' };
    const patch = (levels: readonly Fields[]) => client.patch(path, { levels });
    expectRefused(
      await patch([level, { levelId: foreign, level: 1 }]),
      400,
      'TR0701',
      'levels[1].levelId',
    );
    expectRefused(await patch([level, level]), 409, 'TR0702', 'levels');
    expectRefused(await patch([level, { level: 5 }]), 400, 'TR0008', 'levels[1].formulaValue');
    expect(bodyOf(await client.get(path), 200)).toEqual(before);
  });
});

describe('decimals', () => {
  it('are answered plain, however they were written, and refused where they are negative', async () => {
    const { profileId } = ground.ids;
    const user = bodyOf(
      await client.post('/users', { profileId, ratio: 9e-5, masterRatio: '+01.50' }),
      201,
    );
    expect(user).toMatchObject({ ratio: '0.00009', masterRatio: '1.5' });
    for (const ratio of ['-1', '1e-19', '1e40']) {
      expectRefused(await client.post('/users', { profileId, ratio }), 400, 'TR0015', 'ratio');
    }
  });
});

describe('references', () => {
  it('are refused where they name nothing', async () => {
    const { profileId } = ground.ids;
    const cases: readonly (readonly [string, Fields, string])[] = [
      ['/users', { profileId: '999999' }, 'profileId'],
      ['/users', { profileId: 'abc' }, 'profileId'],
      ['/users', { profileId, groupId: '0' }, 'groupId'],
      ['/relations', { childUserId: UNKNOWN_UUID, parentUserId: UNKNOWN_UUID }, 'childUserId'],
      ['/links', { name: 'l', uri: 'https://a.test', userId: UNKNOWN_UUID }, 'userId'],
    ];
    for (const [path, body, field] of cases) {
      expectRefused(await client.post(path, body), 400, 'TR0701', field);
    }
  });

  it('keep what they name from being removed', async () => {
    const { profileId, groupId, providerId, parent } = ground.ids;
    const cases: readonly (readonly [string, string])[] = [
      [`/profiles/${profileId}`, 'profileId'],
      [`/groups/${groupId}`, 'groupId'],
      [`/rates/${providerId}`, 'providerId'],
      [`/users/${parent}`, 'userId'],
    ];
    for (const [path, field] of cases) {
      expectRefused(await client.del(path), 409, 'TR0703', field);
    }
  });

  it('are nothing of the path where the path names another owner', async () => {
    const contact = bodyOf<{ contacts: Fields[] }>(
      await client.get(`/profiles/${ground.ids['profileId']}/contacts`),
      200,
    ).contacts[0];
    const foreign = `/profiles/1/contacts/${contact?.['contactId']}`;
    expectRefused(await client.get(foreign), 404, 'TR0700', 'contactId');
    expectRefused(await client.patch(foreign, { value: 'x' }), 404, 'TR0700', 'contactId');
    expectRefused(await client.get('/profiles/999999/contacts'), 404, 'TR0700', 'profileId');
    expectRefused(
      await client.post('/profiles/999999/contacts', { key: 'a', value: 'b' }),
      404,
      'TR0700',
      'profileId',
    );
  });
});

describe('lists', () => {
  it('page by the id of the last item, without gaps or repeats', async () => {
    const whole = bodyOf<{ profiles: Fields[] }>(await client.get('/profiles?limit=100'), 200);
    const paged: Fields[] = [];
    for (let after = ''; ; ) {
      const path = `/profiles?limit=2${after === '' ? '' : `&after=${after}`}`;
      const page = bodyOf<{ profiles: Fields[]; isExceeded: boolean }>(await client.get(path), 200);
      paged.push(...page.profiles);
      if (!page.isExceeded) break;
      after = String(page.profiles.at(-1)?.['profileId']);
    }
    expect(paged).toEqual(whole.profiles);
    expect(paged.length).toBeGreaterThan(2);
    const beyond = bodyOf<Fields>(await client.get('/profiles?after=999999'), 200);
    expect(beyond).toEqual({ isExceeded: false, profiles: [] });
  });

  it('go on behind an item that has been removed, and do not end at a made-up one', async () => {
    const made: string[] = [];
    for (const name of ['Cursor 1', 'Cursor 2', 'Cursor 3']) {
      made.push(String(bodyOf(await client.post('/symbols', { name }), 201)['symbolId']));
    }
    const [, last, next] = made;
    expect((await client.del(`/symbols/${last}`)).status).toBe(204);
    const { symbols } = bodyOf<{ symbols: Fields[] }>(
      await client.get(`/symbols?after=${last}`),
      200,
    );
    expect(symbols.map(({ symbolId }) => symbolId)).toEqual([next]);
    const uuid = '00000000-0000-4000-8000-000000000000';
    for (const path of ['/symbols?after=x', `/users?after=${uuid}`, '/savings-programs?after=1']) {
      expectRefused(await client.get(path), 400, 'TR0701', 'after');
    }
    expectRefused(await client.get('/nodes?after=x'), 400, 'TR0012', 'after');
  });

  it('are narrowed by their filters', async () => {
    const { parent, other, child } = ground.ids;
    const under = async (userId: string | undefined) =>
      bodyOf<{ relations: Fields[] }>(await client.get(`/relations?parentUserId=${userId}`), 200)
        .relations;
    expect(await under(other)).toMatchObject([{ childUserId: child }]);
    expect(await under(other?.toUpperCase())).toHaveLength(1);
    expect(await under(parent)).toEqual([]);
    const odd = await client.get('/relations?childUserId=someone');
    expectRefused(odd, 400, 'TR0012', 'childUserId');
    expectRefused(await client.get('/relations?limit=0'), 400, 'TR0015', 'limit');
    expectRefused(await client.get('/relations?user=1'), 400, 'TR0010', 'user');
  });
});

describe('removing', () => {
  it('takes a resource away, and what belongs to it', async () => {
    const group = bodyOf(await client.post('/groups', { name: 'Short-lived' }), 201);
    const path = `/groups/${group['groupId']}`;
    await client.post(`${path}/resources`, { languageCode: 'en', key: 'a', value: 'b' });
    expect((await client.del(path)).status).toBe(204);
    expectRefused(await client.get(path), 404, 'TR0700', 'groupId');
    expectRefused(await client.get(`${path}/resources`), 404, 'TR0700', 'groupId');
  });
});
