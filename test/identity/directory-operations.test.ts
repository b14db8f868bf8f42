import { beforeEach, describe, expect, test } from 'vitest';
import type { Directory } from '../../persistence/directory/index.ts';
import { openInThreadDirectory } from './support/in-thread-directory.ts';

const by = (at: number) => ({ actor: 'system:test', at }) as const;
const roles = [
  { name: 'Trader', description: 'trades', operations: ['trading-ui'] },
  { name: 'Admin', description: 'runs it', operations: ['view-common', 'trading-ui'] },
];
const carol = {
  id: '11111111-1111-4111-8111-111111111111',
  email: 'Carol@Example.test',
  nickname: 'carol',
  passwordHash: 'hash',
  isEmailConfirmed: true,
  roles: ['Trader'],
};

let directory: Directory;

beforeEach(async () => {
  directory = openInThreadDirectory();
  await directory.roles.synchronisePreconfigured({ roles, ...by(1) });
});

async function auditActions(): Promise<string[]> {
  const entries = await directory.audit.list({ afterId: 0, limit: 100 });
  return entries.map((entry) => entry.action);
}

describe('users', () => {
  test('a created user is found by id and by email in any letter case', async () => {
    const result = await directory.users.create({ ...carol, ...by(5) });
    expect(result).toMatchObject({ outcome: 'created', user: { id: carol.id, createdAt: 5 } });
    const user = await directory.users.get(carol.id);
    expect(user).toMatchObject({
      email: 'Carol@Example.test',
      status: 'Active',
      roles: ['Trader'],
    });
    expect(await directory.users.findByEmail('cAROL@example.TEST')).toEqual(user);
    expect(JSON.stringify(user)).not.toContain('hash');
  });

  test('an email that differs only in letter case is taken', async () => {
    await directory.users.create({ ...carol, ...by(5) });
    const again = { ...carol, id: 'other', email: 'carol@example.TEST' };
    expect(await directory.users.create({ ...again, ...by(6) })).toEqual({
      outcome: 'email-taken',
    });
    expect(await directory.users.get('other')).toBeNull();
  });

  test('a user with an unknown role is not created at all', async () => {
    const creation = directory.users.create({ ...carol, roles: ['Trader', 'Wizard'], ...by(5) });
    await expect(creation).rejects.toThrow(/FOREIGN KEY/);
    expect(await directory.users.get(carol.id)).toBeNull();
    expect(await auditActions()).not.toContain('user.create');
  });

  test('every administrative change is in the audit trail with who, when and what', async () => {
    await directory.users.create({ ...carol, ...by(5) });
    const change = { userId: carol.id, actor: 'user:admin', at: 9 } as const;
    await directory.users.setRoles({ ...change, roles: ['Admin'] });
    await directory.users.setStatus({ ...change, status: 'Frozen' });
    await directory.users.changePassword({ ...change, passwordHash: 'secret-hash' });
    const entries = await directory.audit.list({ afterId: 2, limit: 10 });
    expect(entries.map(({ at, actor, action }) => [at, actor, action])).toEqual([
      [5, 'system:test', 'user.create'],
      [9, 'user:admin', 'user.set-roles'],
      [9, 'user:admin', 'user.set-status'],
      [9, 'user:admin', 'user.change-password'],
    ]);
    expect(entries[1]).toMatchObject({ entityId: carol.id, details: { roles: ['Admin'] } });
    expect(JSON.stringify(entries)).not.toContain('secret-hash');
  });

  test('a change of a user who does not exist changes nothing and is not audited', async () => {
    const before = await auditActions();
    const change = { userId: 'nobody', ...by(9) };
    expect(await directory.users.setStatus({ ...change, status: 'Frozen' })).toBe('unknown-user');
    expect(await auditActions()).toEqual(before);
  });
});

describe('roles', () => {
  test('preconfigured roles follow the table of the program', async () => {
    const changed = await directory.roles.synchronisePreconfigured({
      roles: [
        { name: 'Trader', description: 'trades', operations: ['trading-ui'] },
        { name: 'Admin', description: 'runs it', operations: ['view-common'] },
      ],
      ...by(2),
    });
    expect(changed).toEqual(['Admin']);
    const admin = (await directory.roles.list()).find(({ name }) => name === 'Admin');
    expect(admin?.operations).toEqual(['view-common']);
  });

  test('writing the same table again changes and audits nothing', async () => {
    const before = await auditActions();
    expect(await directory.roles.synchronisePreconfigured({ roles, ...by(2) })).toEqual([]);
    expect(await auditActions()).toEqual(before);
  });
});

describe('OAuth clients, favorites, marks', () => {
  const client = {
    clientId: 'web',
    name: 'Web',
    secretHash: new Uint8Array(32).fill(7),
    grantTypes: ['authorization_code', 'refresh_token'],
    scopes: ['FrontOffice', 'openid'],
    redirectUris: ['http://127.0.0.1:9000/done'],
  };

  test('a client comes back as it was registered, and an id is taken only once', async () => {
    expect(await directory.oauthClients.register({ ...client, ...by(1) })).toBe(true);
    const stored = await directory.oauthClients.get('web');
    expect({ ...stored, secretHash: [...(stored?.secretHash ?? [])] }).toEqual({
      ...client,
      secretHash: [...client.secretHash],
    });
    const other = { ...client, name: 'Impostor', ...by(2) };
    expect(await directory.oauthClients.register(other)).toBe(false);
    expect((await directory.oauthClients.get('web'))?.name).toBe('Web');
    expect(await directory.oauthClients.get('nobody')).toBeNull();
  });

  test('favorites belong to a user, are kept once, and removing an absent one is fine', async () => {
    await directory.users.create({ ...carol, ...by(1) });
    await directory.favorites.add({ userId: carol.id, marketId: 'spot.eth_usdt', at: 1 });
    await directory.favorites.add({ userId: carol.id, marketId: 'spot.btc_usdt', at: 2 });
    await directory.favorites.add({ userId: carol.id, marketId: 'spot.btc_usdt', at: 3 });
    await directory.favorites.remove({ userId: carol.id, marketId: 'spot.eth_btc' });
    expect(await directory.favorites.list(carol.id)).toEqual(['spot.btc_usdt', 'spot.eth_usdt']);
    await directory.favorites.remove({ userId: carol.id, marketId: 'spot.eth_usdt' });
    expect(await directory.favorites.list(carol.id)).toEqual(['spot.btc_usdt']);
    expect(await directory.favorites.list('nobody')).toEqual([]);
  });

  test('a mark is read as it was last set', async () => {
    expect(await directory.meta.get('seeded')).toBeNull();
    await directory.meta.set({ key: 'seeded', value: '1' });
    await directory.meta.set({ key: 'seeded', value: '2' });
    expect(await directory.meta.get('seeded')).toBe('2');
  });
});
