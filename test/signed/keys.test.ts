import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { orderOf } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { RESTING_ORDER, SignedClient } from './support/signed-client.ts';

const KEYS = '/identity/signed-keys';
const server = useServer();
let alice: ApiClient;
let bob: ApiClient;

interface Key {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly key: string;
  readonly secret?: string;
  readonly lastUsedAt: string | null;
}

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
});

const make = (client: ApiClient, body: object) => client.post<Key>(KEYS, body);
const list = async (client: ApiClient) =>
  (await client.get<{ signedKeys: Key[] }>(KEYS)).body.signedKeys;
const program = ({ key, secret = '' }: Key) => new SignedClient(server().anonymous(), key, secret);

describe('a key of a trader', () => {
  it('trades on the account that it was made for, and its secret is shown once', async () => {
    const hedging = (await server().accounts('alice')).get('Hedging') ?? '';
    const made = await make(alice, { name: 'hedge', accountId: hedging });
    expect(made.status, made.text).toBe(201);
    expect(made.headers['cache-control']).toBe('no-store');
    const { body } = await program(made.body).place(RESTING_ORDER);
    const onHedging = await server().trader('alice', 'Hedging');
    expect((await orderOf(onHedging, body.order.orderId)).status).toBe('Pending');
    await program(made.body).cancel(body.order.orderId);
    const listed = (await list(alice)).find(({ id }) => id === made.body.id);
    expect(listed).toMatchObject({ name: 'hedge', accountId: hedging, key: made.body.key });
    expect(listed?.lastUsedAt).not.toBeNull();
    expect(listed).not.toHaveProperty('secret');
    const files = ['directory.db', 'directory.db-wal'].map((name) =>
      readFileSync(join(server().dataDir, name)),
    );
    expect(Buffer.concat(files).includes(made.body.key)).toBe(true);
    expect(Buffer.concat(files).includes(made.body.secret ?? '-')).toBe(false);
  });

  it('is for the account Main where none is named, and outlives a restart', async () => {
    const made = await make(alice, { name: 'main' });
    expect(made.body.accountId).toBe((await server().accounts('alice')).get('Main'));
    await server().kill('SIGKILL');
    await server().restart();
    expect((await program(made.body).orders()).status).toBe(200);
  });

  it('is of no use from the moment that it is revoked', async () => {
    const { body } = await make(alice, { name: 'short' });
    expect((await program(body).orders()).status).toBe(200);
    expect((await alice.del(`${KEYS}/${body.id}`)).status).toBe(200);
    expect((await program(body).orders()).status).toBe(401);
    expect((await list(alice)).map(({ id }) => id)).not.toContain(body.id);
    expect((await alice.del(`${KEYS}/${body.id}`)).status).toBe(200);
  });

  it("cannot be made for another's account, nor seen or revoked by another", async () => {
    const foreign = (await server().accounts('bob')).get('Main');
    const answer = await make(alice, { name: 'theirs', accountId: foreign });
    expect([answer.status, answer.code]).toEqual([403, 'TR0103']);
    const { body } = await make(alice, { name: 'mine' });
    expect((await list(bob)).map(({ id }) => id)).not.toContain(body.id);
    const revoked = await bob.del(`${KEYS}/${body.id}`);
    expect([revoked.status, revoked.code]).toEqual([404, 'TR0700']);
    expect((await program(body).orders()).status).toBe(200);
  });

  it('is one of twenty at most', async () => {
    let answer = await make(bob, { name: 'many' });
    for (let count = 0; count < 20 && answer.status === 201; count++) {
      answer = await make(bob, { name: 'many' });
    }
    expect([answer.status, answer.code]).toEqual([400, 'TR0016']);
    expect(await list(bob)).toHaveLength(20);
  });

  it('follows the roles and the status of its owner at once', async () => {
    const admin = await server().user('admin');
    const { body } = await admin.get<{ data: { id: string }[] }>(
      '/back-api/backoffice/users?Search=bob@',
    );
    const path = `/back-api/backoffice/v2/users/${body.data[0]?.id}`;
    const setStatus = (status: string) => admin.send('PUT', `${path}/status`, { status });
    const ofBob = new SignedClient(server().anonymous(), 'demo-key-bob', 'demo-secret-bob');
    expect((await ofBob.orders()).status).toBe(200);
    expect((await admin.send('PUT', `${path}/roles`, { roles: [] })).status).toBe(200);
    expect((await ofBob.orders()).status).toBe(403);
    await admin.send('PUT', `${path}/roles`, { roles: ['Trader'] });
    expect((await setStatus('Frozen')).status).toBe(200);
    expect((await ofBob.orders()).status).toBe(200);
    const frozen = await ofBob.place(RESTING_ORDER);
    expect([frozen.status, frozen.code]).toEqual([403, 'TR0105']);
    expect((await setStatus('Halted')).status).toBe(200);
    const halted = await ofBob.place(RESTING_ORDER);
    expect([halted.status, halted.code]).toEqual([403, 'TR0104']);
    expect((await setStatus('Terminated')).status).toBe(200);
    expect((await ofBob.orders()).status).toBe(401);
  });

  it.each([[{}], [{ name: '' }], [{ name: 'x', scopes: [] }], [{ name: 'x', accountId: 5 }]])(
    'is refused for %j',
    async (body) => {
      expect((await make(alice, body)).status).toBe(400);
    },
  );
});

describe('the back office', () => {
  it('knows who has a key of either kind', async () => {
    const admin = await server().user('admin');
    const has = async (search: string) => {
      const path = `/back-api/backoffice/users?Search=${search}`;
      const { body } = await admin.get<{ data: { id: string; hasTradingApiKey: boolean }[] }>(path);
      const [user] = body.data;
      const one = await admin.get<{ hasTradingApiKey: boolean }>(
        `/back-api/backoffice/user/${user?.id}`,
      );
      expect(one.body.hasTradingApiKey).toBe(user?.hasTradingApiKey);
      return user?.hasTradingApiKey;
    };
    expect(await has('alice@')).toBe(true);
    expect(await has('support@')).toBe(false);
    const support = await server().user('support');
    const made = await support.post<{ id: string }>('/identity/api-keys', {
      name: 'bearer',
      scopes: ['read'],
    });
    expect(await has('support@')).toBe(true);
    await support.del(`/identity/api-keys/${made.body.id}`);
    expect(await has('support@')).toBe(false);
  });
});
