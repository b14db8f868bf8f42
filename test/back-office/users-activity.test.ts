import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { BACK_OFFICE, outcome, put } from './back-office.ts';

const USERS = `${BACK_OFFICE}/users`;
const server = useServer();
let admin: ApiClient;
let support: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  support = await server().user('support');
});

interface Page {
  readonly paging: { readonly total: number };
  readonly data: readonly { readonly id: string; readonly email: string }[];
}

async function names(filter: Readonly<Record<string, string>>): Promise<string[]> {
  const query = new URLSearchParams(filter).toString();
  const { status, body, text } = await support.get<Page>(`${USERS}?${query}`);
  expect(status, text).toBe(200);
  expect(body.paging.total).toBe(body.data.length);
  return body.data.map(({ email }) => email.replace('@matchbox.test', '')).sort();
}
const deposited = (from: string, to: string) =>
  names({ DepositAmountFrom: from, DepositAmountTo: to });
const traded = (from: string, to: string) =>
  names({ TradingVolumeFrom: from, TradingVolumeTo: to });

/** A user with an account, without money. */
async function made(nickname: string): Promise<string> {
  const body = { nickname, email: `${nickname}@matchbox.test`, password: 'Matchbox-1!' };
  const { id } = (await admin.post<{ id: string }>(`${BACK_OFFICE}/user`, body)).body;
  await put(admin, `${BACK_OFFICE}/v2/users/${id}/roles`, { roles: ['Trader'] });
  const account = { userId: id, accountName: 'Main', accountType: 'Netting' };
  const opened = await admin.post<{ accountId: string }>(`${BACK_OFFICE}/v2/accounts`, account);
  return opened.body.accountId;
}

let count = 0;
async function deposit(accountId: string, assetId: string, amount: string): Promise<string> {
  const body = { deduplicationId: `activity-${++count}`, accountId, assetId, amount };
  const answer = await admin.post<{ createdAt: string }>(`${BACK_OFFICE}/transfers/deposit`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.createdAt;
}

describe('users by what they have deposited and traded', () => {
  it('are found on real state, at both ends, also after a restart', async () => {
    const carol = await made('carol');
    await made('dave');
    // Nothing has a price yet: only what is in the root asset counts.
    expect(await deposited('2000000', '2000000')).toEqual(['alice', 'bob']);
    const first = await deposit(carol, 'usdt', '100');
    const second = await deposit(carol, 'usdt', '0.5');
    expect(await deposited('100.5', '100.5')).toEqual(['carol']);
    expect(await deposited('100.500001', '1e9')).toEqual(['alice', 'bob']);
    expect(await deposited('0', '0')).toEqual(expect.arrayContaining(['admin', 'dave', 'support']));
    expect(await deposited('0', '99')).not.toContain('carol');
    expect(await deposited('-5', '-1')).toEqual([]);

    const alice = await server().trader('alice');
    const bob = await server().trader('bob');
    await placed(bob, { side: 'Sell', requestedAmount: '0.01', requestedPrice: '50000' });
    await placed(alice, { side: 'Buy', requestedAmount: '0.004', requestedPrice: '50000' });
    expect(await traded('200', '200')).toEqual(['alice', 'bob']);
    expect(await traded('0.000001', '199.999999')).toEqual([]);
    expect(await traded('0', '0')).toEqual(await traded('0', '199.99'));
    expect(await traded('0', '0')).toContain('carol');
    // Two accounts of 10 btc each have a price now.
    expect(await deposited('3000000', '3000000')).toEqual(['alice', 'bob']);

    const window = { DepositDateFrom: first, DepositDateTo: second };
    expect(await names(window)).toEqual(['carol']);
    expect(await names({ ...window, DepositAmountFrom: '100', DepositAmountTo: '101' })).toEqual([
      'carol',
    ]);
    const all = { DepositDateFrom: '2020-01-01T00:00:00Z', DepositDateTo: '2100-01-01T00:00:00Z' };
    expect(await names(all)).toEqual(['alice', 'bob', 'carol', 'market-maker']);
    const volume = { TradingVolumeFrom: '1', TradingVolumeTo: '1e6' };
    expect(await names({ ...all, ...volume, Search: 'BOB' })).toEqual(['bob']);
    expect(await names({ ...window, ...volume })).toEqual([]);

    const since = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
    const until = second.slice(0, 10);
    const days = { DepositDateFrom: since, DepositDateTo: until };
    expect(await names(days)).toEqual(['alice', 'bob', 'carol', 'market-maker']);
    const before = { DepositDateFrom: '2020-02-28', DepositDateTo: '2020-02-29' };
    expect(await names(before)).toEqual([]);
    const active = { ActivePeriodFrom: since, ActivePeriodTo: '2100-01-01' };
    expect(await names(active)).toContain('admin');

    await server().kill('SIGKILL');
    await server().restart();
    expect(await traded('200', '200')).toEqual(['alice', 'bob']);
    expect(await deposited('100.5', '100.5')).toEqual(['carol']);
  });

  it('counts no withdrawal, whatever becomes of it', async () => {
    const erin = await made('erin');
    await deposit(erin, 'usdt', '7');
    const body = { deduplicationId: 'out', accountId: erin, assetId: 'usdt', amount: '7' };
    const asked = await admin.post<{ transferId: string }>(
      `${BACK_OFFICE}/transfers/withdrawal`,
      body,
    );
    const { transferId } = asked.body;
    expect(await deposited('7', '7')).toEqual(['erin']);
    const decision = { accountId: erin, transferId };
    await admin.post(`${BACK_OFFICE}/transfers/withdrawal-confirm`, decision);
    expect(await deposited('7', '7')).toEqual(['erin']);
  });

  it.each([
    ['DepositDate', '2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'],
    ['ActivePeriod', '2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'],
    ['DepositAmount', '1', '2'],
    ['TradingVolume', '1e0', '1.5'],
  ])('takes %sFrom and %sTo together and in order only', async (name, low, high) => {
    const ask = (query: Record<string, string>) =>
      support.get(`${USERS}?${new URLSearchParams(query).toString()}`);
    const [from, to] = [`${name}From`, `${name}To`];
    for (const [given, missing] of [
      [from, to],
      [to, from],
    ] as const) {
      const answer = await ask({ [given]: low });
      expect(outcome(answer)).toBe('400 TR0008');
      expect(answer.text).toContain(missing);
    }
    const reversed = await ask({ [from]: high, [to]: low });
    expect(outcome(reversed)).toBe('400 TR0019');
    expect(reversed.text).toContain(from);
    // Amounts that are too great to be read are no fault of the views: nothing is built anew.
    for (const odd of ['x', 'NaN', '1,5', '0x10', '1e401', '-1e999', '2026-02-30']) {
      const answer = await ask({ [from]: odd, [to]: odd });
      expect(outcome(answer)).toBe('400 TR0012');
      expect(answer.text).toContain(from);
    }
    expect(outcome(await ask({ [from]: low, [to]: low }))).toBe('200');
    expect(server().log).not.toContain('damaged');
  });
});
