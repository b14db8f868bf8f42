import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { place, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { BACK_OFFICE, outcome, put } from './back-office.ts';

const USER = `${BACK_OFFICE}/user`;
const USERS = `${BACK_OFFICE}/users`;
const V2_USERS = `${BACK_OFFICE}/v2/users`;
const ACCOUNTS = `${BACK_OFFICE}/v2/accounts`;
const NOBODY = '00000000-0000-4000-8000-000000000000';
const PASSWORD = 'Matchbox-1!';

const server = useServer();
let admin: ApiClient;
let support: ApiClient;
let alice: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  support = await server().user('support');
  alice = await server().trader('alice');
});

interface User {
  readonly id: string;
  readonly email: string;
  readonly roles: readonly string[];
}
interface Account {
  readonly accountId: string;
  readonly accountStatus: string;
}
interface Page {
  readonly filters: object;
  readonly paging: object;
  readonly data: readonly User[];
}

async function made(nickname: string): Promise<User> {
  const body = { nickname, email: `${nickname}@matchbox.test`, password: PASSWORD };
  return (await admin.post<User>(USER, body)).body;
}
const page = async (query: string) => (await support.get<Page>(`${USERS}?${query}`)).body;
const names = async (query: string) =>
  (await page(query)).data.map(({ email }) => email.replace('@matchbox.test', ''));

describe('a user', () => {
  it('is made without roles, and signs in once it has one, also after a restart', async () => {
    const carol = await made('carol');
    expect(carol).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'carol@matchbox.test',
      roles: [],
      nickname: 'carol',
      createdAt: expect.stringMatching(/Z$/),
    });
    const given = await put<User>(admin, `${V2_USERS}/${carol.id}/roles`, { roles: ['Trader'] });
    expect(given.body.roles).toEqual(['Trader']);
    await server().kill('SIGKILL');
    await server().restart();
    const client = await server().user('carol');
    expect(outcome(await client.get('/frontoffice/api/v3/assets'))).toBe('200');
    const read = await support.get(`${USER}/${carol.id}`);
    expect(read.body).toMatchObject({
      id: carol.id,
      email: 'carol@matchbox.test',
      roles: ['Trader'],
      status: 'Active',
      isActive: true,
      lastSignInDate: expect.stringMatching(/Z$/),
    });
    expect(read.text).not.toMatch(/password|hash/i);
  });

  it('reads their own profile where no id is named', async () => {
    expect((await support.get(USER)).body).toMatchObject({ email: 'support@matchbox.test' });
    expect(outcome(await support.get(`${USER}/${NOBODY}`))).toBe('404 TR0603');
    expect(outcome(await support.get(`${USER}/carol`))).toBe('400 TR0012');
    const slash = await support.get(`${USER}/`);
    expect(slash.body).toMatchObject({ email: 'support@matchbox.test' });
  });

  it('is named by a UUID in either case', async () => {
    const { id } = await made('erin');
    const upper = id.toUpperCase();
    expect((await support.get(`${USER}/${upper}`)).body).toMatchObject({ id });
    const roles = await put(admin, `${V2_USERS}/${upper}/roles`, { roles: ['Trader'] });
    expect(roles.body).toMatchObject({ id, roles: ['Trader'] });
    const body = { userId: upper, accountName: 'Main', accountType: 'Netting' };
    const { body: account } = await admin.post<Account>(ACCOUNTS, body);
    expect(account).toMatchObject({ userId: id });
    expect((await support.get(`${ACCOUNTS}?userId=${upper}`)).body).toEqual([account]);
  });

  it.each<[string, object, string]>([
    ['an address that is taken', { email: 'ALICE@matchbox.test' }, '409 TR0602'],
    ['an address that is none', { email: 'carol' }, '400 TR0012'],
    ['a short password', { password: '1234567' }, '400 TR0014'],
    ['no nickname', { nickname: undefined }, '400 TR0008'],
    ['roles of their own', { roles: ['Admin'] }, '400 TR0010'],
  ])('is not made with %s', async (_, change, expected) => {
    const { paging } = await page('');
    const body = { nickname: 'eve', email: 'eve@matchbox.test', password: PASSWORD, ...change };
    expect(outcome(await admin.post(USER, body))).toBe(expected);
    expect((await page('')).paging).toEqual(paging);
  });

  it('gets no role that does not exist, and roles only from whoever manages users', async () => {
    const dave = await made('dave');
    const roles = `${V2_USERS}/${dave.id}/roles`;
    expect(outcome(await put(admin, roles, { roles: ['Trader', 'King'] }))).toBe('400 TR0604');
    expect(outcome(await put(support, roles, { roles: ['Admin'] }))).toBe('403 TR0101');
    expect(outcome(await put(alice, roles, { roles: ['Admin'] }))).toBe('403 TR0101');
    expect(outcome(await support.post(USER, {}))).toBe('403 TR0101');
    const nobody = `${V2_USERS}/${NOBODY}/roles`;
    expect(outcome(await put(admin, nobody, { roles: [] }))).toBe('404 TR0603');
    expect((await support.get(`${USER}/${dave.id}`)).body).toMatchObject({ roles: [] });
  });
});

describe('the list of users', () => {
  it('filters by what the directory knows', async () => {
    await made('frank');
    expect(await names('Search=FRANK')).toEqual(['frank']);
    expect(await names('Type=NoRoles&Search=frank')).toEqual(['frank']);
    expect(await names('Type=Admins')).toEqual(['admin']);
    expect(await names('Type=Admins&Roles=Trader')).toEqual([]);
    expect(await names('Type=Verified&Search=frank')).toEqual([]);
    expect(await names('Type=Unverified&Search=frank')).toEqual(['frank']);
    expect(await names('Type=Blocked')).toEqual([]);
    expect(await names('Type=New&Status=Active&Search=frank')).toEqual(['frank']);
    // The two were made in one go, so which comes first is open.
    expect((await names('Roles=Support&Roles=Admin')).toSorted()).toEqual(['admin', 'support']);
    const today = 'ActivePeriodFrom=2020-01-01T00:00:00Z&ActivePeriodTo=2100-01-01T00:00:00Z';
    expect(await names(`${today}&Roles=Support`)).toEqual(['support']);
    expect(await names(`${today}&Search=frank`)).toEqual([]);
    const answer = await support.get(`${USERS}?ActivePeriodFrom=2020-01-01T00:00:00Z`);
    expect(outcome(answer)).toBe('400 TR0008');
  });

  it('pages', async () => {
    const all = await names('per_page=500');
    expect(await names('per_page=2&page=2')).toEqual(all.slice(2, 4));
    expect(await page('per_page=2&page=2&Type=All')).toMatchObject({
      filters: { type: 'All', roles: null },
      paging: { page: 2, per_page: 2, total: all.length },
    });
    expect(await names('page=1000')).toEqual([]);
    expect(outcome(await support.get(`${USERS}?page=0`))).toBe('400 TR0015');
    expect(outcome(await alice.get(USERS))).toBe('403 TR0101');
  });
});

describe('accounts', () => {
  it('are opened for a user, change their status in clearing, and stay', async () => {
    const { id: userId } = await made('grace');
    await put(admin, `${V2_USERS}/${userId}/roles`, { roles: ['Trader'] });
    const body = { userId, accountName: 'Main', accountType: 'Netting' };
    const opened = await admin.post<{ accountId: string }>(ACCOUNTS, body);
    expect(opened.status).toBe(201);
    const { accountId } = opened.body;
    const account = { ...body, accountId, accountStatus: 'Active' };
    expect(opened.body).toMatchObject(account);
    const deposit = { deduplicationId: 'g', accountId, assetId: 'usdt', amount: '1000' };
    await admin.post(`${BACK_OFFICE}/transfers/deposit`, deposit);
    const grace = (await server().user('grace')).with({ accountId });
    const open = await placed(grace);
    const halted = await put(admin, `${ACCOUNTS}/${accountId}/status`, { status: 'Halted' });
    expect(halted.body).toEqual({ ...opened.body, accountStatus: 'Halted' });
    expect(outcome(await place(grace))).toBe('403 TR0104');
    const { body: read } = await grace.get(`/frontoffice/api/v4/orders/${open}`);
    expect(read).toMatchObject({ order: { status: 'Cancelled' } });
    await server().kill('SIGKILL');
    await server().restart();
    const listed = await support.get(`${ACCOUNTS}?userId=${userId}`);
    expect(listed.body).toEqual([halted.body]);
    await put(admin, `${ACCOUNTS}/${accountId}/status`, { status: 'Active' });
    await placed(grace);
  });

  it('are refused for nobody, and to those who may not', async () => {
    const body = { userId: NOBODY, accountName: 'Main', accountType: 'Netting' };
    expect(outcome(await admin.post(ACCOUNTS, body))).toBe('404 TR0603');
    expect(outcome(await support.post(ACCOUNTS, body))).toBe('403 TR0101');
    expect(outcome(await alice.get(`${ACCOUNTS}?userId=${NOBODY}`))).toBe('403 TR0101');
    expect((await support.get(`${ACCOUNTS}?userId=${NOBODY}`)).body).toEqual([]);
    const odd = { ...body, accountType: 'Margin' };
    expect(outcome(await admin.post(ACCOUNTS, odd))).toBe('400 TR0011');
    for (const accountId of ['100000', '424242']) {
      const path = `${ACCOUNTS}/${accountId}/status`;
      expect(outcome(await put(admin, path, { status: 'Halted' }))).toBe('400 TR0506');
    }
  });

  it('are never wider than their owner: opened, changed, and also after a restart', async () => {
    const { id: userId } = await made('heidi');
    const status = (value: string) => put(admin, `${V2_USERS}/${userId}/status`, { status: value });
    const open = () =>
      admin.post<Account>(ACCOUNTS, { userId, accountName: 'Main', accountType: 'Netting' });
    await status('Halted');
    const { body: account } = await open();
    expect(account.accountStatus).toBe('Halted');
    const path = `${ACCOUNTS}/${account.accountId}/status`;
    expect(outcome(await put(admin, path, { status: 'Active' }))).toBe('400 TR0600');
    expect(outcome(await put(admin, path, { status: 'Frozen' }))).toBe('200');
    await server().kill('SIGKILL');
    await server().restart();
    expect(outcome(await put(admin, path, { status: 'Active' }))).toBe('400 TR0600');
    await status('Active');
    expect(outcome(await put(admin, path, { status: 'Halted' }))).toBe('200');
    expect(outcome(await put(admin, path, { status: 'Active' }))).toBe('200');
    await status('Terminated');
    expect(outcome(await put(admin, path, { status: 'Halted' }))).toBe('400 TR0600');
    expect(outcome(await open())).toBe('400 TR0600');
    const listed = await support.get(`${ACCOUNTS}?userId=${userId}`);
    expect(listed.body).toEqual([{ ...account, accountStatus: 'Frozen' }]);
  });

  it('of those who may do more are out of reach, and nobody changes their own', async () => {
    const personnel = ['manage-users', 'view-users', 'view-common', 'trading-ui'];
    const role = { name: 'Personnel', description: '', operations: personnel };
    await admin.post(`${BACK_OFFICE}/v2/roles`, role);
    const clerk = await made('ivan');
    await put(admin, `${V2_USERS}/${clerk.id}/roles`, { roles: ['Personnel'] });
    const ivan = await server().user('ivan');
    const opened = async (by: ApiClient, name: string) => {
      const [user] = (await page(`Search=${name}@`)).data;
      const body = { userId: user?.id, accountName: 'Second', accountType: 'Netting' };
      return await by.post<Account>(ACCOUNTS, body);
    };
    const halt = async (by: ApiClient, accountId: string) =>
      outcome(await put(by, `${ACCOUNTS}/${accountId}/status`, { status: 'Halted' }));
    for (const name of ['admin', 'support']) {
      const refused = await opened(ivan, name);
      expect(outcome(refused), name).toBe('403 TR0101');
      expect(refused.text).not.toContain('manage-users');
      const { accountId } = (await opened(admin, name)).body;
      expect(await halt(ivan, accountId), name).toBe('403 TR0101');
    }
    await made('judy');
    const traders = await opened(ivan, 'judy');
    expect(await halt(ivan, traders.body.accountId)).toBe('200');
    const own = await opened(ivan, 'ivan');
    expect(own.status).toBe(201);
    expect(await halt(ivan, own.body.accountId)).toBe('400 TR0600');
    expect(await halt(admin, own.body.accountId)).toBe('200');
  });
});
