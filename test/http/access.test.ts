import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { inParallel } from '../support/parallel.ts';
import { TestServer } from '../support/server.ts';
import { BALANCES, ORDERS, RESTING, type RefusalBody } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
let alice: ApiClient;
let bob: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  admin = await server().user('admin');
});

interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** Who may: everybody, a trader, a trader with an account, or the back office. */
  readonly who: 'everybody' | 'trader' | 'account' | 'back office';
}

const FRONT = '/frontoffice/api';
const TRANSFERS = '/back-api/backoffice/transfers';

const ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/health', who: 'everybody' },
  { method: 'GET', path: '/metrics', who: 'everybody' },
  { method: 'GET', path: '/identity/.well-known/jwks.json', who: 'everybody' },
  { method: 'POST', path: '/identity/connect/token', who: 'everybody' },
  { method: 'POST', path: '/api/v2/refresh', who: 'everybody' },
  { method: 'GET', path: `${FRONT}/v3/accounts`, who: 'trader' },
  { method: 'GET', path: `${FRONT}/v3/assets`, who: 'trader' },
  { method: 'GET', path: `${FRONT}/v6/markets`, who: 'trader' },
  { method: 'GET', path: `${FRONT}/v6/markets/spot.btc_usdt`, who: 'trader' },
  { method: 'GET', path: `${FRONT}/v4/markets`, who: 'trader' },
  { method: 'GET', path: `${FRONT}/v4/markets/spot.btc_usdt`, who: 'trader' },
  { method: 'POST', path: `${FRONT}/v6/markets/favorites/add`, who: 'trader' },
  { method: 'POST', path: `${FRONT}/v6/markets/favorites/delete`, who: 'trader' },
  { method: 'GET', path: `${FRONT}/v3/info`, who: 'trader' },
  { method: 'GET', path: `${FRONT}/v3/info/time-zones`, who: 'trader' },
  { method: 'GET', path: `${FRONT}/v4/account-margin-settings/assets`, who: 'trader' },
  {
    method: 'GET',
    path: '/marketdata/api/v4/instruments/spot.btc_usdt/history',
    who: 'trader',
  },
  { method: 'GET', path: '/marketdata/api/v4/instruments/spot.btc_usdt/depth', who: 'trader' },
  { method: 'POST', path: ORDERS, who: 'account' },
  { method: 'DELETE', path: `${ORDERS}/1`, who: 'account' },
  { method: 'GET', path: `${FRONT}/v4/orders/1`, who: 'account' },
  { method: 'PATCH', path: `${FRONT}/v4/orders/1`, who: 'account' },
  { method: 'DELETE', path: `${FRONT}/v4/orders`, who: 'account' },
  { method: 'POST', path: `${FRONT}/v4/order-list`, who: 'account' },
  { method: 'POST', path: `${FRONT}/v4/orders/1/executions/list`, who: 'account' },
  { method: 'POST', path: `${FRONT}/v5/orders/1/executions/list`, who: 'account' },
  { method: 'POST', path: `${FRONT}/v4/orders/executions/list`, who: 'account' },
  { method: 'POST', path: `${FRONT}/v5/orders/executions/list`, who: 'account' },
  { method: 'POST', path: `${FRONT}/v3/order-data`, who: 'account' },
  { method: 'GET', path: BALANCES, who: 'account' },
  { method: 'POST', path: `${TRANSFERS}/deposit`, who: 'back office' },
  { method: 'POST', path: `${TRANSFERS}/withdrawal`, who: 'back office' },
  { method: 'POST', path: `${TRANSFERS}/withdrawal-confirm`, who: 'back office' },
  { method: 'POST', path: `${TRANSFERS}/withdrawal-cancel`, who: 'back office' },
];

const bodyOf = ({ method }: Endpoint) => (method === 'POST' || method === 'PATCH' ? {} : undefined);

describe.each(ENDPOINTS)('$method $path', (endpoint) => {
  const { method, path, who } = endpoint;
  const send = (client: ApiClient) => client.send(method, path, bodyOf(endpoint));

  it(`is there for ${who}, and for nobody else`, async () => {
    const nobody = await send(server().anonymous());
    if (who === 'everybody') {
      expect([200, 400, 401, 415]).toContain(nobody.status);
      expect(nobody.code).not.toBe('TR0100');
      return;
    }
    expect({ status: nobody.status, code: nobody.code }).toEqual({ status: 401, code: 'TR0100' });
    const [allowed, denied] = who === 'back office' ? [admin, alice] : [alice, undefined];
    expect([401, 403]).not.toContain((await send(allowed)).status);
    if (denied !== undefined) {
      const answer = await send(denied);
      expect({ status: answer.status, code: answer.code }).toEqual({ status: 403, code: 'TR0101' });
      expect((answer.body as RefusalBody).description).toContain('manage-transfers');
    }
  });

  // What does not concern a route is no test of it.
  const when = (concerns: boolean) => (concerns ? it : () => {});

  when(who === 'account')('wants an account of the caller', async () => {
    expect((await send(alice.with({ accountId: '' }))).code).toBe('TR0102');
    const foreign = await send(alice.with({ accountId: bob.accountId }));
    const unknown = await send(alice.with({ accountId: '424242' }));
    expect({ status: foreign.status, code: foreign.code }).toEqual({ status: 403, code: 'TR0103' });
    expect(foreign.text.replaceAll(bob.accountId, '424242')).toBe(unknown.text);
  });

  it('answers other methods with 405 and what it takes', async () => {
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await alice.send(other, path, other === 'GET' ? undefined : {});
      if (answer.status !== 405) continue;
      expect(answer.headers['allow']?.split(', ')).toContain(method);
      expect(answer.headers['allow']?.split(', ')).not.toContain(other);
    }
    const trace = await alice.send('TRACE', path);
    expect([400, 404, 405, 501]).toContain(trace.status);
    const options = await alice.send('OPTIONS', path);
    expect(options.status).toBe(204);
    expect(options.headers['allow']).toContain(method);
  });

  when(method === 'GET')('answers HEAD with the head alone', async () => {
    const head = await alice.send('HEAD', path);
    const whole = await alice.get(path);
    expect(head.status).toBe(whole.status);
    expect(head.text).toBe('');
    expect(head.headers['content-type']).toBe(whole.headers['content-type']);
  });

  when(method === 'POST')('refuses a form or text in place of JSON', async () => {
    if (path === '/identity/connect/token') return;
    const client = who === 'back office' ? admin : alice;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await client.post(path, 'a=1', { headers });
    expect(answer.status).toBe(415);
  });
});

describe('tokens', () => {
  it('are good until they expire, and not a moment longer', async () => {
    const short = await TestServer.start({ ACCESS_TOKEN_SECONDS: '2' });
    try {
      const trader = await short.trader('alice');
      expect((await trader.get(BALANCES)).status).toBe(200);
      await sleep(2500);
      const late = await trader.get(BALANCES);
      expect({ status: late.status, code: late.code }).toEqual({ status: 401, code: 'TR0100' });
      const placing = await trader.post(ORDERS, { order: RESTING });
      expect(placing.status).toBe(401);
    } finally {
      await short.cleanup();
    }
  });

  it('outlive a restart of the venue, but not its data directory', async () => {
    await server().kill('SIGKILL');
    await server().restart();
    expect((await alice.get(BALANCES)).status).toBe(200);
    const other = await TestServer.start();
    try {
      const stranger = other.anonymous().with({ token: alice.token, accountId: alice.accountId });
      expect((await stranger.get(BALANCES)).status).toBe(401);
    } finally {
      await other.cleanup();
    }
  });
});

describe('too many requests', () => {
  it('with bad tokens are answered 429, while good ones go on', async () => {
    const liar = alice.with({ token: 'a.b.c' });
    const statuses: number[] = [];
    let refusal = await liar.get(BALANCES);
    await inParallel(Array.from({ length: 3000 }), 16, async () => {
      const answer = await liar.get(BALANCES);
      statuses.push(answer.status);
      if (answer.status === 429) refusal = answer;
    });
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(refusal.code).toBe('TR0040');
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(refusal.headers['ratelimit']).toMatch(/^"default";r=0;t=\d+$/);
    expect((await alice.get(BALANCES)).status).toBe(200);
  });

  const flood = async (path: string, body: unknown, contentType: string) => {
    const nobody = server().anonymous();
    const answers: Answer[] = [];
    await inParallel(Array.from({ length: 1500 }), 16, async () => {
      const headers = { 'content-type': contentType };
      answers.push(await nobody.post(path, body, { headers }));
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    return refused?.body;
  };

  it('for tokens are answered 429 as OAuth says it', async () => {
    const form = 'application/x-www-form-urlencoded';
    const refused = await flood('/identity/connect/token', 'grant_type=password', form);
    expect(refused).toEqual({ error: 'slow_down', error_description: expect.any(String) });
  });

  it('to refresh are answered 429 in the shape of the identity area', async () => {
    const refused = await flood('/api/v2/refresh', { refreshToken: 'x' }, 'application/json');
    expect(refused).toMatchObject({
      error: { message: 'Too Many Requests', details: [{ issue: expect.any(String) }] },
    });
  });
});
