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
  shapeOf,
} from './support/partner.ts';

const server = useServer();
let client: ApiClient;
let check: AnswerCheck;

beforeAll(async () => {
  client = await app(server());
  check = await AnswerCheck.of(client);
});

const newUsers = (...names: readonly string[]) =>
  Promise.all(names.map((name) => newUser(client, name)));

describe('chains', () => {
  it('show everybody below a user, with the level that counts from the top', async () => {
    const [top = '', left = '', right = '', leaf = ''] = await newUsers('A', 'B', 'C', 'D');
    await putUnder(client, left, top);
    await putUnder(client, right, top);
    await putUnder(client, leaf, left);
    const branch = [left, 1, [[leaf, 2, []]]];
    expect(shapeOf(await chainOf(client, top))).toEqual([top, 0, [branch, [right, 1, []]]]);
    expect(shapeOf(await chainOf(client, left))).toEqual(branch);
  });

  it('follow a relation that changes, with all that stands below', async () => {
    const [top = '', middle = '', leaf = '', other = ''] = await newUsers('A', 'B', 'C', 'D');
    const relation = await putUnder(client, middle, top);
    await putUnder(client, leaf, middle);
    const path = `/relations/${relation}`;
    expect((await client.patch(path, { parentUserId: other })).status).toBe(200);
    expect(shapeOf(await chainOf(client, top))).toEqual([top, 0, []]);
    expect(shapeOf(await chainOf(client, other))).toEqual([
      other,
      0,
      [[middle, 1, [[leaf, 2, []]]]],
    ]);
    expect((await client.del(path)).status).toBe(204);
    expect(shapeOf(await chainOf(client, other))).toEqual([other, 0, []]);
    expect(shapeOf(await chainOf(client, middle))).toEqual([middle, 0, [[leaf, 1, []]]]);
  });

  it('never close on themselves', async () => {
    const [top = '', middle = '', leaf = ''] = await newUsers('A', 'B', 'C');
    const relation = await putUnder(client, middle, top);
    await putUnder(client, leaf, middle);
    const before = shapeOf(await chainOf(client, top));
    const create = (childUserId: string, parentUserId: string) =>
      client.post('/relations', { childUserId, parentUserId });
    expectRefused(await create(top, top), 409, 'TR0704', 'parentUserId');
    expectRefused(await create(top, leaf), 409, 'TR0704', 'parentUserId');
    const path = `/relations/${relation}`;
    expectRefused(await client.patch(path, { parentUserId: leaf }), 409, 'TR0704', 'parentUserId');
    expect(shapeOf(await chainOf(client, top))).toEqual(before);
  });

  it('may be turned around by one change of both ends', async () => {
    const [first = '', second = ''] = await newUsers('A', 'B');
    const relation = await putUnder(client, second, first);
    const turned = { childUserId: first, parentUserId: second };
    expect((await client.patch(`/relations/${relation}`, turned)).status).toBe(200);
    expect(shapeOf(await chainOf(client, second))).toEqual([second, 0, [[first, 1, []]]]);
  });

  it('end at a depth, whichever end grows', async () => {
    const users: string[] = [];
    for (let depth = 0; depth < 64; depth++) {
      users.push(await newUser(client, `Deep${depth}`));
      if (depth > 0) await putUnder(client, users[depth] ?? '', users[depth - 1] ?? '');
    }
    const [extra = ''] = await newUsers('Extra');
    const under = { childUserId: extra, parentUserId: users.at(-1) };
    const above = { childUserId: users[0], parentUserId: extra };
    expectRefused(await client.post('/relations', under), 409, 'TR0705', 'parentUserId');
    expectRefused(await client.post('/relations', above), 409, 'TR0705', 'parentUserId');
    const node = (await chainOf(client, users[0] ?? '')).nodeId;
    const answer = await client.get(`/nodes/${node}`);
    check.expectDeclared('GET', '/nodes/{nodeId}', answer);
  });
});

describe('nodes', () => {
  it('are listed by the tops of chains, page by page', async () => {
    const tops: Fields[] = [];
    for (let after = ''; ; ) {
      const path = `/nodes?limit=3${after === '' ? '' : `&after=${after}`}`;
      const answer = await client.get(path);
      check.expectDeclared('GET', '/nodes', answer);
      const page = bodyOf<{ nodes: Fields[]; isExceeded: boolean }>(answer, 200);
      tops.push(...page.nodes);
      if (!page.isExceeded) break;
      after = String(page.nodes.at(-1)?.['nodeId']);
    }
    expect(tops.every(({ level }) => level === 0)).toBe(true);
    expect(new Set(tops.map(({ userId }) => userId)).size).toBe(tops.length);
    expect(tops.length).toBeGreaterThan(3);
  });

  it('are unknown under an id that does not exist', async () => {
    for (const id of ['999999', '0', 'x', '-1']) {
      expectRefused(await client.get(`/nodes/${id}`), 404, 'TR0700', 'nodeId');
    }
  });

  it('go with their user', async () => {
    const [user = ''] = await newUsers('Gone');
    const { nodeId } = await chainOf(client, user);
    expect((await client.del(`/users/${user}`)).status).toBe(204);
    expectRefused(await client.get(`/nodes/${nodeId}`), 404, 'TR0700', 'nodeId');
  });
});
