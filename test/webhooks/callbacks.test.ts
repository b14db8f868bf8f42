import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { balancesOf } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { isSignedWith, Receiver } from './receiver.ts';

const TRANSFERS = '/back-api/backoffice/transfers';
const BACK_OFFICE = '/back-api/backoffice/v2';
const ATTEMPTS = 4;

const server = useServer({
  WEBHOOK_ALLOW: '127.0.0.1',
  WEBHOOK_RETRY_MS: '20',
  WEBHOOK_ATTEMPTS: String(ATTEMPTS),
});
const receiver = new Receiver();
let alice: ApiClient;
let admin: ApiClient;
let support: ApiClient;

beforeAll(async () => {
  await receiver.listen();
  alice = await server().trader('alice');
  admin = await server().user('admin');
  support = await server().user('support');
});
beforeEach(() => {
  receiver.answer = (response) => response.writeHead(200).end('thanks');
});
afterAll(() => receiver.close());

interface Transfer {
  readonly transferId: string;
}
interface Callback {
  readonly callbackId: string;
  readonly url: string;
  readonly status: string;
  readonly payload: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly httpStatus: number | null;
    readonly error: string | null;
  }[];
}
interface Secrets {
  readonly secrets: readonly {
    readonly secret: string;
    readonly createdAt: string;
    readonly expiresAt: string | null;
  }[];
}

let count = 0;
const body = (fields: object) => ({
  deduplicationId: `callback-${++count}`,
  accountId: alice.accountId,
  assetId: 'usdt',
  amount: '5',
  ...fields,
});

async function transferOf(type: 'deposit' | 'withdrawal', path: string): Promise<string> {
  const sent = body({ callbackUrl: receiver.url(path) });
  const answer = await admin.post<Transfer>(`${TRANSFERS}/${type}`, sent);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.transferId;
}

async function decide(decision: string, transferId: string, fields: object = {}): Promise<void> {
  const sent = { accountId: alice.accountId, transferId, ...fields };
  const answer = await admin.post(`${TRANSFERS}/withdrawal-${decision}`, sent);
  expect(answer.status, answer.text).toBe(200);
}

async function callbacksOf(transferId: string): Promise<readonly Callback[]> {
  const path = `${BACK_OFFICE}/transfers/${transferId}/callbacks`;
  return (await admin.get<{ callbacks: Callback[] }>(path)).body.callbacks;
}

/** The calls of a transfer once there are so many and none is under way. */
async function settled(transferId: string, length: number): Promise<readonly Callback[]> {
  for (;;) {
    const callbacks = await callbacksOf(transferId);
    const isDone = callbacks.every(({ status }) => status !== 'Pending');
    if (callbacks.length >= length && isDone) return callbacks;
    await sleep(20);
  }
}

const secrets = async () =>
  (await admin.get<Secrets>(`${BACK_OFFICE}/webhook-secrets`)).body.secrets;
const typesOf = (path: string) => receiver.callsTo(path).map(({ text }) => JSON.parse(text).type);

describe('the callback of a transfer', () => {
  it('tells of a deposit once, signed, with the transfer as it is', async () => {
    const transferId = await transferOf('deposit', '/deposit');
    const [callback, ...more] = await settled(transferId, 1);
    expect(more).toEqual([]);
    const [call, ...again] = receiver.callsTo('/deposit');
    expect(again).toEqual([]);
    expect(callback).toMatchObject({
      url: receiver.url('/deposit'),
      status: 'Delivered',
      payload: call?.text,
      nextAttemptAt: null,
      attempts: [{ attempt: 1, httpStatus: 200, error: null }],
    });
    const told = JSON.parse(call?.text ?? '');
    expect(told).toEqual({
      type: 'transfer.completed',
      timestamp: told.data.updatedAt,
      data: {
        transferId,
        deduplicationId: `callback-${count}`,
        accountId: alice.accountId,
        assetId: 'usdt',
        type: 'Deposit',
        status: 'Completed',
        amount: '5',
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: told.data.createdAt,
      },
    });
    const [{ secret } = { secret: '' }] = await secrets();
    expect(isSignedWith(secret, call)).toBe(true);
    expect(isSignedWith(secret, call && { ...call, text: `${call.text} ` })).toBe(false);
  });

  it('tells of each state of a withdrawal in its order', async () => {
    const confirmed = await transferOf('withdrawal', '/confirmed');
    await decide('confirm', confirmed);
    await settled(confirmed, 2);
    const cancelled = await transferOf('withdrawal', '/cancelled');
    await decide('cancel', cancelled);
    await settled(cancelled, 2);
    const asked = 'transfer.awaiting_confirmation';
    expect(typesOf('/confirmed')).toEqual([asked, 'transfer.completed']);
    expect(typesOf('/cancelled')).toEqual([asked, 'transfer.canceled']);
  });

  it('keeps the order where the first call fails at first', async () => {
    let failures = 2;
    receiver.answer = (response) => response.writeHead(failures-- > 0 ? 500 : 204).end();
    const transferId = await transferOf('withdrawal', '/order');
    await decide('confirm', transferId);
    const [first, second] = await settled(transferId, 2);
    expect(first?.attempts.map(({ httpStatus }) => httpStatus)).toEqual([500, 500, 204]);
    expect(second?.attempts.map(({ httpStatus }) => httpStatus)).toEqual([204]);
    const asked = 'transfer.awaiting_confirmation';
    expect(typesOf('/order')).toEqual([asked, asked, asked, 'transfer.completed']);
    const ids = receiver.callsTo('/order').map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(new Set(ids).size).toBe(2);
  });

  it('goes to the address that was given last, and to none where none was', async () => {
    const moved = await transferOf('withdrawal', '/first');
    await decide('confirm', moved, { callbackUrl: receiver.url('/second') });
    await settled(moved, 2);
    expect([typesOf('/first').length, typesOf('/second')]).toEqual([1, ['transfer.completed']]);
    const { transferId } = (await admin.post<Transfer>(`${TRANSFERS}/withdrawal`, body({}))).body;
    await decide('cancel', transferId, { callbackUrl: receiver.url('/late') });
    await settled(transferId, 1);
    expect(typesOf('/late')).toEqual(['transfer.canceled']);
    const silent = (await admin.post<Transfer>(`${TRANSFERS}/deposit`, body({}))).body;
    await settled(await transferOf('deposit', '/after'), 1);
    expect(await callbacksOf(silent.transferId)).toEqual([]);
  });

  it('is told once of what is asked for twice', async () => {
    const sent = body({ callbackUrl: receiver.url('/twice') });
    const first = await admin.post<Transfer>(`${TRANSFERS}/deposit`, sent);
    await admin.post(`${TRANSFERS}/deposit`, sent);
    await settled(first.body.transferId, 1);
    await settled(await transferOf('deposit', '/behind'), 1);
    expect(typesOf('/twice')).toHaveLength(1);
  });

  it('is given up after so many attempts, and others are not kept waiting meanwhile', async () => {
    receiver.answer = (response, { path }) => {
      if (path === '/down') response.writeHead(503).end();
      else if (path === '/redirect') response.writeHead(302, { location: '/goal' }).end();
      else response.writeHead(200).end();
    };
    const down = await transferOf('deposit', '/down');
    const redirected = await transferOf('deposit', '/redirect');
    const fine = await transferOf('deposit', '/fine');
    expect((await settled(fine, 1))[0]?.status).toBe('Delivered');
    for (const [transferId, status] of [
      [down, 503],
      [redirected, 302],
    ] as const) {
      const [callback] = await settled(transferId, 1);
      expect(callback?.status).toBe('Failed');
      expect(callback?.attempts.map(({ httpStatus }) => httpStatus)).toEqual(
        Array(ATTEMPTS).fill(status),
      );
    }
    expect(receiver.callsTo('/goal')).toEqual([]);
  });

  it('survives a kill, and a restart goes on where it stood', async () => {
    const { port } = receiver;
    receiver.answer = (response) => response.destroy();
    await server().kill('SIGTERM');
    await server().restart({ WEBHOOK_ATTEMPTS: '1000' });
    const waiting = await transferOf('withdrawal', '/kill');
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => transferOf('deposit', `/kill-${index}`)),
    );
    await decide('confirm', waiting);
    await server().kill('SIGKILL');
    receiver.answer = (response) => response.writeHead(200).end();
    expect(receiver.port).toBe(port);
    await server().restart();
    for (const id of ids) expect((await settled(id, 1)).length).toBe(1);
    const callbacks = await settled(waiting, 2);
    expect(callbacks.map(({ status }) => status)).toEqual(['Delivered', 'Delivered']);
    for (const [index] of ids.entries()) {
      const types = new Set(typesOf(`/kill-${index}`));
      expect([...types]).toEqual(['transfer.completed']);
    }
    await server().kill('SIGTERM');
    await server().restart({ WEBHOOK_ATTEMPTS: String(ATTEMPTS) });
  });
});

describe('the key that signs', () => {
  it('is replaced by an administrator, and the one before signs beside it', async () => {
    const before = await secrets();
    const answer = await admin.post<Secrets>(`${BACK_OFFICE}/webhook-secrets/rotate`);
    const after = answer.body.secrets;
    expect(after).toHaveLength(before.length + 1);
    expect(after[0]).toMatchObject({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      expiresAt: null,
    });
    expect(after[1]?.secret).toBe(before[0]?.secret);
    expect(after[1]?.expiresAt).toMatch(/Z$/);
    await settled(await transferOf('deposit', '/rotated'), 1);
    const [call] = receiver.callsTo('/rotated');
    for (const { secret } of after) {
      expect(isSignedWith(secret, call)).toBe(true);
    }
    expect(isSignedWith(`whsec_${'A'.repeat(43)}=`, call)).toBe(false);
    await server().kill('SIGKILL');
    await server().restart();
    expect(await secrets()).toEqual(after);
  });

  it('is read by nobody who may not manage transfers', async () => {
    for (const path of ['webhook-secrets', 'transfers/1/callbacks']) {
      for (const client of [support, alice]) {
        expect((await client.get(`${BACK_OFFICE}/${path}`)).code).toBe('TR0101');
      }
    }
    const rotating = await support.post(`${BACK_OFFICE}/webhook-secrets/rotate`);
    expect(rotating.code).toBe('TR0101');
  });
});

describe('a callback address', () => {
  it('that may not be called is refused by its name, and nothing is booked', async () => {
    const before = await balancesOf(alice);
    for (const callbackUrl of [
      'http://10.0.0.1/',
      'http://127.0.0.2:9000/',
      'http://169.254.169.254/latest/',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]:9000/',
      'http://localhost:9000/',
      'http://0x7f.2/',
      'file:///etc/passwd',
      'http://user:secret@example.com/',
      'https://example.com:22/',
    ]) {
      for (const type of ['deposit', 'withdrawal']) {
        const { status, code, text } = await admin.post(
          `${TRANSFERS}/${type}`,
          body({ callbackUrl }),
        );
        expect({ callbackUrl, status, code }).toEqual({ callbackUrl, status: 400, code: 'TR0600' });
        expect(text).toContain('callbackUrl');
      }
    }
    expect(await balancesOf(alice)).toEqual(before);
    const transferId = await transferOf('withdrawal', '/kept');
    const held = await balancesOf(alice);
    const sent = { accountId: alice.accountId, transferId, callbackUrl: 'http://10.0.0.1/' };
    expect((await admin.post(`${TRANSFERS}/withdrawal-confirm`, sent)).code).toBe('TR0600');
    expect(await balancesOf(alice)).toEqual(held);
    await decide('cancel', transferId);
  });
});
