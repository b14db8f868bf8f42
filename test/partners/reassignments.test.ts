import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';
import {
  AnswerCheck,
  app,
  bodyOf,
  chainOf,
  expectRefused,
  type Fields,
  newUser,
  putUnder,
  READING,
  shapeOf,
} from './support/partner.ts';
import { type Reassignment, Reassignments } from './support/reassignments.ts';

const server = useServer();
let client: ApiClient;
let check: AnswerCheck;
let { create, decide, created, settled } = {} as Reassignments;

beforeAll(async () => {
  client = await app(server());
  check = await AnswerCheck.of(client);
  ({ create, decide, created, settled } = new Reassignments(client));
});

const newUsers = (...names: readonly string[]) =>
  Promise.all(names.map((name) => newUser(client, name)));

async function done(fields: Fields): Promise<Reassignment> {
  const id = await created(fields);
  expect(bodyOf<Reassignment>(await decide(id, 'confirm'), 200).status).toBe('pending');
  return await settled(id);
}

describe('moving the children of a user', () => {
  it('waits to be confirmed, then moves them all with what is below them', async () => {
    const [source = '', target = '', first = '', second = '', leaf = ''] = await newUsers(
      'Source',
      'Target',
      'First',
      'Second',
      'Leaf',
    );
    const relations = [
      await putUnder(client, first, source),
      await putUnder(client, second, source),
    ];
    await putUnder(client, leaf, first);
    const answer = await create({
      type: 'children',
      sourceUserId: source,
      targetUserId: target,
    });
    check.expectDeclared('POST', '/reassignments', answer);
    const waiting = bodyOf<Reassignment>(answer, 201);
    expect(waiting).toMatchObject({
      type: 'children',
      status: 'awaiting_confirmation',
      sourceUserId: source,
      targetUserId: target,
      subjectUserId: null,
      sourceUser: { userId: source, email: 'source@partners.test', name: 'Source Test' },
      targetUser: { userId: target, email: 'target@partners.test', name: 'Target Test' },
      subjectUser: null,
      movedRelations: [],
      promotionTargetUserId: null,
      errorMessage: null,
    });
    expect(shapeOf(await chainOf(client, target))).toEqual([target, 0, []]);

    const id = waiting.reassignmentId;
    check.expectDeclared(
      'POST',
      '/reassignments/{reassignmentId}/confirm',
      await decide(id, 'confirm'),
    );
    const completed = await settled(id);
    expect(completed).toMatchObject({
      status: 'completed',
      movedRelations: [
        { childUserId: first, isSubIb: true, directClients: 1, oldRelationId: relations[0] },
        { childUserId: second, isSubIb: false, directClients: 0, oldRelationId: relations[1] },
      ],
    });
    expect(shapeOf(await chainOf(client, source))).toEqual([source, 0, []]);
    expect(shapeOf(await chainOf(client, target))).toEqual([
      target,
      0,
      [
        [first, 1, [[leaf, 2, []]]],
        [second, 1, []],
      ],
    ]);
    for (const { childUserId, oldRelationId, newRelationId } of completed.movedRelations) {
      expectRefused(await client.get(`/relations/${oldRelationId}`), 404, 'TR0700', 'relationId');
      const relation = bodyOf(await client.get(`/relations/${newRelationId}`), 200);
      expect(relation).toMatchObject({ childUserId, parentUserId: target });
    }
  });

  it('puts a target that stands below the source elsewhere first, where that is said', async () => {
    const [top = '', source = '', target = '', sibling = ''] = await newUsers('T', 'S', 'X', 'Y');
    await putUnder(client, source, top);
    await putUnder(client, target, source);
    await putUnder(client, sibling, source);
    const fields = { type: 'children', sourceUserId: source, targetUserId: target };
    expectRefused(await create(fields), 409, 'TR0704', 'targetUserId');
    const reassignment = await done({ ...fields, promotionTargetUserId: top });
    expect(reassignment).toMatchObject({
      status: 'completed',
      promotionTargetUserId: top,
      movedRelations: [{ childUserId: target }, { childUserId: sibling }],
    });
    expect(shapeOf(await chainOf(client, top))).toEqual([
      top,
      0,
      [
        [source, 1, []],
        [target, 1, [[sibling, 2, []]]],
      ],
    ]);
  });

  it('leaves a target that is promoted to the source itself above its siblings', async () => {
    const [source = '', target = '', middle = '', sibling = ''] = await newUsers(
      'S',
      'T',
      'M',
      'B',
    );
    await putUnder(client, middle, source);
    await putUnder(client, target, middle);
    await putUnder(client, sibling, source);
    const fields = { type: 'children', sourceUserId: source, targetUserId: target };
    expectRefused(await create(fields), 409, 'TR0704', 'targetUserId');
    const under = { ...fields, promotionTargetUserId: middle };
    expectRefused(await create(under), 409, 'TR0704', 'targetUserId');
    const reassignment = await done({ ...fields, promotionTargetUserId: source });
    expect(reassignment.movedRelations).toMatchObject([
      { childUserId: target },
      { childUserId: middle },
      { childUserId: sibling },
    ]);
    const siblings = [
      [middle, 2, []],
      [sibling, 2, []],
    ];
    const chain = await chainOf(client, source);
    expect(shapeOf(chain)).toEqual([source, 0, [[target, 1, siblings]]]);
  });

  it('is completed at once where there are none', async () => {
    const [source = '', target = ''] = await newUsers('S', 'T');
    const fields = { type: 'children', sourceUserId: source, targetUserId: target };
    expect(await done(fields)).toMatchObject({ status: 'completed', movedRelations: [] });
  });
});

describe('moving a single user', () => {
  it('moves that user and leaves the others', async () => {
    const [source = '', target = '', subject = '', other = ''] = await newUsers('S', 'T', 'U', 'V');
    await putUnder(client, subject, source);
    await putUnder(client, other, source);
    const reassignment = await done({
      type: 'single_user',
      sourceUserId: source,
      targetUserId: target,
      subjectUserId: subject,
    });
    expect(reassignment).toMatchObject({
      status: 'completed',
      subjectUser: { userId: subject, name: 'U Test' },
      movedRelations: [{ childUserId: subject }],
    });
    expect(shapeOf(await chainOf(client, source))).toEqual([source, 0, [[other, 1, []]]]);
    expect(shapeOf(await chainOf(client, target))).toEqual([target, 0, [[subject, 1, []]]]);
  });
});

describe('a reassignment is refused', () => {
  let [source, target, subject]: string[] = [];

  beforeAll(async () => {
    [source, target, subject] = await newUsers('S', 'T', 'U');
    await putUnder(client, subject ?? '', source ?? '');
  });

  it('where its users do not exist, are missing, or do not go with its type', async () => {
    const unknown = randomUUID();
    const base = { sourceUserId: source, targetUserId: target };
    const children = { ...base, type: 'children' };
    const single = { ...base, type: 'single_user', subjectUserId: subject };
    const refuse = async (fields: Fields, status: number, code: string, field: string) =>
      expectRefused(await create(fields), status, code, field);
    await refuse({ ...children, sourceUserId: unknown }, 400, 'TR0701', 'sourceUserId');
    await refuse({ ...children, targetUserId: unknown }, 400, 'TR0701', 'targetUserId');
    await refuse({ ...children, promotionTargetUserId: unknown }, 400, 'TR0701', PROMOTION);
    await refuse({ ...children, subjectUserId: subject }, 400, 'TR0708', 'subjectUserId');
    await refuse({ ...single, subjectUserId: null }, 400, 'TR0008', 'subjectUserId');
    await refuse({ ...single, subjectUserId: target }, 409, 'TR0707', 'subjectUserId');
    await refuse({ ...children, targetUserId: source }, 409, 'TR0704', 'targetUserId');
    await refuse({ ...single, targetUserId: subject }, 409, 'TR0704', 'targetUserId');
    await refuse({ ...children, promotionTargetUserId: source }, 409, 'TR0707', 'targetUserId');
    await refuse({ ...base, type: 'all' }, 400, 'TR0011', 'type');
    await refuse({ ...children, sourceUserId: 'x' }, 400, 'TR0012', 'sourceUserId');
    await refuse({ ...children, surprise: 1 }, 400, 'TR0010', 'surprise');
  });

  it('in a state that its decision does not go with', async () => {
    const fields = { type: 'children', sourceUserId: source, targetUserId: target };
    const cancelled = await created(fields);
    expect(bodyOf<Reassignment>(await decide(cancelled, 'cancel'), 200).status).toBe('cancelled');
    for (const decision of ['cancel', 'confirm']) {
      expectRefused(await decide(cancelled, decision), 409, 'TR0709', 'reassignmentId');
    }
    const completed = await done(fields);
    for (const decision of ['cancel', 'confirm']) {
      const answer = await decide(completed.reassignmentId, decision);
      expectRefused(answer, 409, 'TR0709', 'reassignmentId');
    }
    for (const decision of ['cancel', 'confirm']) {
      expectRefused(await decide(randomUUID(), decision), 404, 'TR0700', 'reassignmentId');
    }
    const path = `/reassignments/${randomUUID()}`;
    for (const unknown of [path, `${path}/moves`]) {
      expectRefused(await client.get(unknown), 404, 'TR0700', 'reassignmentId');
    }
  });

  it('to an app that only reads', async () => {
    const reader = await app(server(), READING);
    const fields = { type: 'children', sourceUserId: source, targetUserId: target };
    expect(await reader.post('/reassignments', fields)).toMatchObject({ status: 403 });
    expect((await reader.get('/reassignments')).status).toBe(200);
  });
});

const PROMOTION = 'promotionTargetUserId';

describe('a reassignment fails', () => {
  it('where relations have changed since it was created, and moves nothing', async () => {
    const [source = '', target = '', child = ''] = await newUsers('S', 'T', 'U');
    await putUnder(client, child, source);
    const id = await created({ type: 'children', sourceUserId: source, targetUserId: target });
    await putUnder(client, target, child);
    const before = shapeOf(await chainOf(client, source));
    await decide(id, 'confirm');
    const failed = await settled(id);
    expect(failed.status).toBe('failed');
    expect(failed.errorMessage).toMatch(/would close on itself/);
    expect(failed.movedRelations).toEqual([]);
    expect(shapeOf(await chainOf(client, source))).toEqual(before);
  });
});

describe('the list', () => {
  interface List {
    readonly total: number;
    readonly reassignments: readonly Reassignment[];
  }
  const list = async (query = '') => {
    const answer = await client.get(`/reassignments${query}`);
    check.expectDeclared('GET', '/reassignments', answer);
    return bodyOf<List>(answer, 200);
  };

  it('has 20 items at most, newest first, unless the query says otherwise', async () => {
    const [source = '', target = ''] = await newUsers('S', 'T');
    const fields = { type: 'children', sourceUserId: source, targetUserId: target };
    for (let count = 0; count < 25; count++) await created(fields);
    const all = await list('?limit=100');
    expect(all.total).toBe(all.reassignments.length);
    expect((await list()).reassignments).toEqual(all.reassignments.slice(0, 20));
    const times = all.reassignments.map(({ createTime }) => String(createTime));
    expect(times).toEqual([...times].sort().reverse());
    const page = await list('?limit=3&offset=2&sort_by=createTime&sort_order=desc');
    expect(page).toEqual({ total: all.total, reassignments: all.reassignments.slice(2, 5) });
    const turned = await list('?limit=100&sort_order=asc');
    expect(turned.reassignments).toEqual([...all.reassignments].reverse());
    expect(await list('?offset=1000')).toEqual({ total: all.total, reassignments: [] });
  });

  it('is narrowed by type, status and user', async () => {
    const all = (await list('?limit=100')).reassignments;
    const expected = async (query: string, fits: (each: Reassignment) => boolean) => {
      const found = await list(`?limit=100&${query}`);
      expect(found.reassignments, query).toEqual(all.filter(fits));
      expect(found.reassignments.length, query).toBeGreaterThan(0);
      expect(found.total).toBe(found.reassignments.length);
    };
    await expected('filter[type]=single_user', ({ type }) => type === 'single_user');
    await expected('filter%5Bstatus%5D=failed', ({ status }) => status === 'failed');
    const user = all[0]?.['targetUserId'];
    await expected(
      `filter[users]=${user}`,
      ({ sourceUserId, targetUserId }) => sourceUserId === user || targetUserId === user,
    );
  });

  it('refuses what it does not know', async () => {
    const refuse = async (query: string, code: string, field: string) =>
      expectRefused(await client.get(`/reassignments?${query}`), 400, code, field);
    await refuse('limit=0', 'TR0015', 'limit');
    await refuse('limit=x', 'TR0009', 'limit');
    await refuse('offset=-1', 'TR0015', 'offset');
    await refuse('filter[type]=x', 'TR0011', 'filter[type]');
    await refuse('filter[status]=x', 'TR0011', 'filter[status]');
    await refuse('filter[users]=x', 'TR0012', 'filter[users]');
    await refuse('sort_by=updateTime', 'TR0011', 'sort_by');
    await refuse('sort_order=up', 'TR0011', 'sort_order');
  });
});
