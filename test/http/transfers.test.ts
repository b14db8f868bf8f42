import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { balancesOf, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
let alice: ApiClient;
let bob: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  alice = await server().trader('alice', 'Hedging');
  bob = await server().trader('bob');
  admin = await server().user('admin');
});

interface Transfer {
  readonly transferId: string;
  readonly deduplicationId: string;
  readonly assetId: string;
  readonly type: string;
  readonly status: string;
  readonly amount: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const TRANSFERS = '/back-api/backoffice/transfers';
let count = 0;
const body = (fields: object = {}) => ({
  deduplicationId: `test-${++count}`,
  accountId: alice.accountId,
  assetId: 'eur',
  amount: '12.34',
  callbackUrl: null,
  ...fields,
});
const deposit = (fields: object, client = admin): Promise<Answer<Transfer>> =>
  client.post(`${TRANSFERS}/deposit`, fields);
const withdraw = (fields: object, client = admin): Promise<Answer<Transfer>> =>
  client.post(`${TRANSFERS}/withdrawal`, fields);
const decide = (decision: 'confirm' | 'cancel', transferId: string, fields: object = {}) =>
  admin.post(`${TRANSFERS}/withdrawal-${decision}`, {
    accountId: alice.accountId,
    transferId,
    ...fields,
  });
const eur = async () => (await balancesOf(alice))['eur'];
const codeOf = ({ status, code }: Answer) => `${status} ${code}`;

describe('a deposit', () => {
  it('answers the transfer and is available at once', async () => {
    const sent = body();
    const { status, body: transfer } = await deposit(sent);
    expect(status).toBe(201);
    expect(transfer).toEqual({
      transferId: expect.stringMatching(/^[1-9]\d*$/),
      deduplicationId: sent.deduplicationId,
      assetId: 'eur',
      type: 'Deposit',
      status: 'Completed',
      amount: '12.34',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: transfer.createdAt,
    });
    expect(await eur()).toEqual({ total: '12.34', available: '12.34', locked: '0' });
  });

  it('sent again gets the first answer and is booked once', async () => {
    const before = await eur();
    const sent = body({ amount: '0.01' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => deposit(sent)));
    for (const { status, text } of answers) {
      expect(status).toBe(201);
      expect(text).toBe(answers[0]?.text);
    }
    expect(before?.total).toBe('12.34');
    expect((await eur())?.total).toBe('12.35');
  });

  it('that names another one\u2019s deduplicationId is refused', async () => {
    const sent = body();
    await deposit(sent);
    const before = await eur();
    for (const change of [{ amount: '12.35' }, { assetId: 'usdt' }, { accountId: bob.accountId }]) {
      expect(codeOf(await deposit({ ...sent, ...change }))).toBe('409 TR0503');
    }
    expect(codeOf(await withdraw(sent))).toBe('409 TR0503');
    expect(await eur()).toEqual(before);
  });

  it('takes numbers and exponents, and the same amount in another form is the same', async () => {
    const sent = body({ amount: 0.5 });
    const first = await deposit(sent);
    expect(first.status).toBe(201);
    expect((await deposit({ ...sent, amount: '5e-1' })).text).toBe(first.text);
  });

  it('is refused, and nothing is booked', async () => {
    const before = [await balancesOf(alice), await balancesOf(bob)];
    const cases: readonly (readonly [object, string])[] = [
      [{ amount: '0' }, '400 TR0504'],
      [{ amount: '-1' }, '400 TR0504'],
      [{ amount: '0.001' }, '400 TR0504'],
      [{ amount: '1e300' }, '400 TR0505'],
      [{ amount: '9'.repeat(40) }, '400 TR0505'],
      [{ amount: '92233720368547758.07' }, '400 TR0505'],
      [{ amount: 'NaN' }, '400 TR0012'],
      [{ amount: null }, '400 TR0009'],
      [{ amount: undefined }, '400 TR0008'],
      [{ assetId: 'doge' }, '400 TR0500'],
      [{ assetId: '__proto__' }, '400 TR0500'],
      [{ assetId: '' }, '400 TR0014'],
      [{ accountId: '999' }, '400 TR0506'],
      [{ accountId: undefined }, '400 TR0008'],
      [{ deduplicationId: '' }, '400 TR0014'],
      [{ deduplicationId: 'x'.repeat(129) }, '400 TR0013'],
      [{ deduplicationId: undefined }, '400 TR0008'],
      [{ callbackUrl: 'not a url' }, '400 TR0012'],
      [{ type: 'Deposit' }, '400 TR0010'],
    ];
    for (const [change, expected] of cases) {
      expect(codeOf(await deposit(body(change))), JSON.stringify(change)).toBe(expected);
    }
    expect([await balancesOf(alice), await balancesOf(bob)]).toEqual(before);
  });

  it('takes who may manage transfers', async () => {
    const before = await eur();
    const nobody = server().anonymous();
    expect(codeOf(await deposit(body(), nobody))).toBe('401 TR0100');
    expect(codeOf(await deposit(body(), bob))).toBe('403 TR0101');
    expect(codeOf(await deposit(body(), await server().user('support')))).toBe('403 TR0101');
    expect(codeOf(await withdraw(body(), bob))).toBe('403 TR0101');
    expect(await eur()).toEqual(before);
  });

  it('up to the largest balance is exact', async () => {
    const client = await server().trader('bob', 'Hedging');
    const most = { accountId: client.accountId, assetId: 'xau', amount: '922337203685477.5807' };
    expect((await deposit(body(most))).status).toBe(201);
    expect((await balancesOf(client))['xau']?.total).toBe('922337203685477.5807');
    const more = body({ ...most, accountId: alice.accountId, amount: '0.0001' });
    expect(codeOf(await deposit(more))).toBe('400 TR0505');
  });

  it('takes the header x-api-version', async () => {
    const headers = { 'x-api-version': '1.0' };
    const answer = await admin.post(`${TRANSFERS}/deposit`, body(), { headers });
    expect(answer.status).toBe(201);
  });
});

describe('a withdrawal', () => {
  const fund = () => deposit(body({ amount: '100' }));

  it('holds its amount until it is confirmed, then it leaves', async () => {
    await fund();
    const before = await eur();
    const { status, body: transfer } = await withdraw(body({ amount: '40' }));
    expect(status).toBe(201);
    expect(transfer).toMatchObject({ type: 'Withdrawal', status: 'AwaitingConfirmation' });
    const held = await eur();
    expect(held).toMatchObject({ total: before?.total, locked: '40' });
    const answer = await decide('confirm', transfer.transferId);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '' });
    const after = await eur();
    expect(after).toMatchObject({ available: held?.available, locked: '0' });
  });

  it('gives its amount back when it is cancelled', async () => {
    await fund();
    const before = await eur();
    const { body: transfer } = await withdraw(body({ amount: '40' }));
    expect((await decide('cancel', transfer.transferId)).status).toBe(200);
    expect(await eur()).toEqual(before);
  });

  it('is decided once: the same again is the same, the other is refused', async () => {
    await fund();
    const confirmed = (await withdraw(body({ amount: '1' }))).body.transferId;
    const cancelled = (await withdraw(body({ amount: '1' }))).body.transferId;
    await decide('confirm', confirmed);
    await decide('cancel', cancelled);
    const before = await eur();
    expect((await decide('confirm', confirmed)).status).toBe(200);
    expect((await decide('cancel', cancelled)).status).toBe(200);
    expect(codeOf(await decide('cancel', confirmed))).toBe('409 TR0502');
    expect(codeOf(await decide('confirm', cancelled))).toBe('409 TR0502');
    expect(await eur()).toEqual(before);
  });

  it('sent again after it was decided still gets its first answer', async () => {
    await fund();
    const sent = body({ amount: '2' });
    const first = await withdraw(sent);
    await decide('confirm', first.body.transferId);
    const before = await eur();
    const again = await withdraw(sent);
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text });
    expect(await eur()).toEqual(before);
  });

  it('of more than is available is refused, held orders counted', async () => {
    const usdt = { assetId: 'usdt' };
    await placed(alice, { requestedPrice: '10000', requestedAmount: '99' });
    expect(codeOf(await withdraw(body({ ...usdt, amount: '900000' })))).toBe('400 TR0400');
    const { available } = (await balancesOf(alice))['usdt'] ?? { available: '0' };
    const all = await withdraw(body({ ...usdt, amount: available }));
    expect(all.status).toBe(201);
    expect((await balancesOf(alice))['usdt']?.available).toBe('0');
    expect(codeOf(await withdraw(body({ ...usdt, amount: '0.000001' })))).toBe('400 TR0400');
    await decide('cancel', all.body.transferId);
  });

  it('cannot be decided under a wrong name', async () => {
    await fund();
    const { transferId } = (await withdraw(body({ amount: '1' }))).body;
    const depositId = (await deposit(body())).body.transferId;
    const before = await eur();
    const wrong: readonly (readonly [string, object])[] = [
      ['999999', {}],
      ['0', {}],
      ['-1', {}],
      ['x', {}],
      ['1e3', {}],
      [depositId, {}],
      [transferId, { accountId: bob.accountId }],
      [transferId, { accountId: '999' }],
    ];
    for (const [id, fields] of wrong) {
      for (const decision of ['confirm', 'cancel'] as const) {
        expect(codeOf(await decide(decision, id, fields)), id).toBe('404 TR0501');
      }
    }
    expect(await eur()).toEqual(before);
    await decide('cancel', transferId);
  });
});

describe('through a kill', () => {
  it('transfers stay what they were, and repeats stay repeats', async () => {
    const sent = body({ amount: '7' });
    const first = await deposit(sent);
    const asked = body({ amount: '3' });
    const held = await withdraw(asked);
    const before = await balancesOf(alice);
    await server().kill('SIGKILL');
    await server().restart();
    expect(await balancesOf(alice)).toEqual(before);
    expect((await deposit(sent)).text).toBe(first.text);
    expect((await withdraw(asked)).text).toBe(held.text);
    expect((await decide('confirm', held.body.transferId)).status).toBe(200);
  });
});
