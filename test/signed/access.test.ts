import { describe, expect, it } from 'vitest';
import { momentOf } from '../../gateway/signed/moment.ts';
import { isSignedWith, signatureOf } from '../../gateway/signed/signature.ts';
import { useServer } from '../support/use-server.ts';
import {
  hmac,
  nextNonce,
  RESTING_ORDER,
  SignedClient,
  type SignedRefusal,
  utcNow,
} from './support/signed-client.ts';

const HISTORY = '/frontoffice/api/order_history';
const server = useServer();
const alice = () => new SignedClient(server().anonymous(), 'demo-key-alice', 'demo-secret-alice');

/** Of RFC 4231, test cases 1 and 2. */
const VECTORS = [
  [
    '\x0b'.repeat(20),
    'Hi There',
    '87AA7CDEA5EF619D4FF0B4241A1D6CB02379F4E2CE4EC2787AD0B30545E17CDEDAA833B7D6B8A702038B274EAEA3F4E4BE9D914EEB61F1702E696C203A126854',
  ],
  [
    'Jefe',
    'what do ya want for nothing?',
    '164B7A7BFCF819E2E395FBE73B56E0A387BD64222E831FD610270CD7EA2505549758BF75C05A994A6D034F65F8F0E6FDCAEAB1A34D4A6B4B636E070A38BCE737',
  ],
] as const;

describe('a signature', () => {
  it.each(VECTORS)('is the known one for the secret %j', (secret, payload, expected) => {
    expect(signatureOf(secret, payload)).toBe(expected);
    expect(isSignedWith(secret, payload, expected)).toBe(true);
  });

  it('does in upper case and whole only', () => {
    const [secret, payload, sign] = VECTORS[1];
    const flipped = `${sign.slice(0, -1)}${sign.endsWith('7') ? '8' : '7'}`;
    for (const other of [sign.toLowerCase(), sign.slice(1), `${sign}0`, flipped, '', 'Ü']) {
      expect(isSignedWith(secret, payload, other)).toBe(false);
    }
    expect(isSignedWith(secret, `${payload} `, sign)).toBe(false);
  });
});

describe('a moment', () => {
  it.each([
    ['2019-12-20T08:20:51', 1_576_830_051_000],
    ['2019-12-20T08:20:51Z', 1_576_830_051_000],
    ['2019-12-20T08:20:51.5', 1_576_830_051_500],
    [1_576_830_051, 1_576_830_051_000],
    ['1576830051000', 1_576_830_051_000],
  ])('%s is read', (text, expected) => {
    expect(momentOf(text)).toBe(expected);
  });

  it.each([
    '',
    'now',
    '2019-12-20',
    '2019-02-30T00:00:00',
    '2019-12-20T08:20:51+0100',
    '-5',
    '1e9',
  ])('%j is none', (text) => {
    expect(momentOf(text)).toBeNaN();
  });
});

const refusal = async (answer: Promise<{ status: number; code: string; body: unknown }>) => {
  const { status, code, body } = await answer;
  const { errors } = body as SignedRefusal;
  expect(errors?.[0]?.code).toBe(code);
  return [status, code];
};
const UNAUTHORISED = [401, 'TR0100'];

describe('who is let in', () => {
  it('nobody without a key, with an unknown one, or with the secret of another', async () => {
    const guess = (key: string, secret: string) =>
      new SignedClient(server().anonymous(), key, secret).place(RESTING_ORDER);
    expect(await refusal(guess('', 'demo-secret-alice'))).toEqual(UNAUTHORISED);
    expect(await refusal(guess('nobody', 'demo-secret-alice'))).toEqual(UNAUTHORISED);
    expect(await refusal(guess('demo-key-alice', 'demo-secret-bob'))).toEqual(UNAUTHORISED);
    expect(await refusal(alice().post('{}', ''))).toEqual(UNAUTHORISED);
  });

  it('no body that is not the one that was signed', async () => {
    const body = JSON.stringify({ ts: utcNow(), nonce: nextNonce(), order: RESTING_ORDER });
    const sign = alice().sign(body);
    expect(await refusal(alice().post(body.replace('0.01', '0.02'), sign))).toEqual(UNAUTHORISED);
    expect(await refusal(alice().post(`${body} `, sign))).toEqual(UNAUTHORISED);
    expect(await refusal(alice().post(body, sign.toLowerCase()))).toEqual(UNAUTHORISED);
    const answer = await alice().post(body, sign);
    expect(answer.status, answer.text).toBe(200);
    await alice().cancel(answer.body.order.orderId);
  });

  it('no query that is not the one that was signed, question mark included', async () => {
    const query = `?ts=${utcNow()}&nonce=${nextNonce()}`;
    const sign = alice().sign(query);
    const read = (text: string, by = sign) => alice().raw('GET', HISTORY, text, by);
    expect(await refusal(read(`${query}&side=buy`))).toEqual(UNAUTHORISED);
    expect(await refusal(read(query, alice().sign(query.slice(1))))).toEqual(UNAUTHORISED);
    const encoded = query.replaceAll(':', '%3A');
    expect(await refusal(read(encoded))).toEqual(UNAUTHORISED);
    expect((await read(encoded, alice().sign(encoded))).status).toBe(200);
  });

  it('spaces and order of a body are as sent', async () => {
    const order = JSON.stringify(RESTING_ORDER, null, 2);
    const body = `{ "order" : ${order},\n "nonce":${nextNonce()} , "ts": "${utcNow()}" }`;
    const answer = await alice().post(body);
    expect(answer.status, answer.text).toBe(200);
    await alice().cancel(answer.body.order.orderId);
  });

  it('no access token opens the signed interface, and no signature another one', async () => {
    const trader = await server().trader('alice');
    expect((await trader.get(`${HISTORY}?ts=${utcNow()}&nonce=${nextNonce()}`)).status).toBe(401);
    const text = `?ts=${utcNow()}&nonce=${nextNonce()}`;
    const orders = '/frontoffice/api/v4/orders/1';
    const headers = { key: 'demo-key-alice', sign: hmac('demo-secret-alice', text) };
    expect((await server().anonymous().get(orders, { headers })).status).toBe(401);
  });
});

describe('the time of a request', () => {
  it.each([
    ['a datetime', () => utcNow()],
    ['a datetime with a fraction and a Z', () => new Date().toISOString()],
    ['a datetime with an offset', () => `${utcNow(3_600_000)}+01:00`],
    ['milliseconds', () => Date.now()],
    ['seconds', () => Math.floor(Date.now() / 1000)],
    ['seconds as text', () => String(Math.floor(Date.now() / 1000))],
    ['a little early', () => new Date(Date.now() + 3000).toISOString()],
    ['a little late', () => new Date(Date.now() - 3000).toISOString()],
  ])('may be %s', async (_, ts) => {
    const answer = await alice().post({ ts: ts(), nonce: nextNonce(), order: RESTING_ORDER });
    expect(answer.status, answer.text).toBe(200);
    await alice().cancel(answer.body.order.orderId);
  });

  it.each([
    ['stale', (): unknown => utcNow(-7000), 401, 'TR0107'],
    ['from the future', (): unknown => utcNow(8000), 401, 'TR0107'],
    ['stale in milliseconds', (): unknown => Date.now() - 6000, 401, 'TR0107'],
    ['no time at all', (): unknown => 'now', 400, 'TR0012'],
    ['null', (): unknown => null, 400, 'TR0009'],
    ['left out', (): unknown => undefined, 400, 'TR0008'],
  ] as const)('must not be %s', async (_, ts, status, code) => {
    const body = { ts: ts(), nonce: nextNonce(), order: RESTING_ORDER };
    expect(await refusal(alice().post(body))).toEqual([status, code]);
  });
});

describe('a nonce', () => {
  it('does once: a request sent again is refused, even to another path', async () => {
    const body = JSON.stringify({ ts: utcNow(), nonce: nextNonce(), order: RESTING_ORDER });
    const first = await alice().post(body);
    expect(first.status).toBe(200);
    expect(await refusal(alice().post(body))).toEqual([401, 'TR0108']);
    await alice().cancel(first.body.order.orderId);
    const query = `?ts=${utcNow()}&nonce=${nextNonce()}`;
    const sign = alice().sign(query);
    expect((await alice().raw('GET', HISTORY, query, sign)).status).toBe(200);
    const trades = '/trading/frontoffice/api/trade_history';
    expect(await refusal(alice().raw('GET', trades, query, sign))).toEqual([401, 'TR0108']);
  });

  it('counts by its value and by its key', async () => {
    const nonce = nextNonce();
    const bob = new SignedClient(server().anonymous(), 'demo-key-bob', 'demo-secret-bob');
    const read = (client: SignedClient, text: string) =>
      client.read('GET', HISTORY, { nonce: text });
    expect((await read(alice(), String(nonce))).status).toBe(200);
    expect((await read(bob, String(nonce))).status).toBe(200);
    expect(await refusal(read(alice(), `0${nonce}`))).toEqual([401, 'TR0108']);
    expect((await read(alice(), `-${nonce}`)).status).toBe(200);
  });

  it('may be any integer of 64 bits, as a number in a body too', async () => {
    for (const nonce of ['638000000000000001', '9223372036854775807', '-9223372036854775808']) {
      const order = JSON.stringify(RESTING_ORDER);
      const body = (digits: string) => `{"ts":"${utcNow()}","nonce":${digits},"order":${order}}`;
      const answer = await alice().post(body(nonce));
      expect(answer.status, answer.text).toBe(200);
      await alice().cancel(answer.body.order.orderId);
      expect(await refusal(alice().post(body(`"${nonce}"`)))).toEqual([401, 'TR0108']);
    }
  });

  it.each([
    ['1.5', 'TR0009'],
    ['"x"', 'TR0012'],
    ['null', 'TR0009'],
    ['99999999999999999999', 'TR0015'],
    ['-9223372036854775809', 'TR0015'],
    ['[1]', 'TR0009'],
  ])('must not be %s', async (nonce, code) => {
    const order = JSON.stringify(RESTING_ORDER);
    const body = `{"ts":"${utcNow()}","nonce":${nonce},"order":${order}}`;
    expect(await refusal(alice().post(body))).toEqual([400, code]);
  });

  it('of two requests at once lets in one', async () => {
    const body = JSON.stringify({ ts: utcNow(), nonce: nextNonce(), order: RESTING_ORDER });
    const answers = await Promise.all(Array.from({ length: 8 }, () => alice().post(body)));
    const placed = answers.filter(({ status }) => status === 200);
    expect(placed).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'TR0108')).toHaveLength(7);
    await alice().cancel(placed[0]?.body.order.orderId ?? '');
  });

  it('lets nothing in twice, though the venue dies and comes back in between', async () => {
    const nonce = nextNonce();
    const body = JSON.stringify({ ts: Date.now() + 4500, nonce, order: RESTING_ORDER });
    const first = await alice().post(body);
    expect(first.status, first.text).toBe(200);
    await server().kill('SIGKILL');
    await server().restart();
    // Whether it is too old by now, or known, is a matter of how long the restart took.
    expect((await alice().post(body)).status).toBe(401);
    const { orderId } = first.body.order;
    const working = await alice().orders({ status: 'Working' });
    expect(working.body.map((order) => order.orderId)).toEqual([orderId]);
    expect((await alice().cancel(orderId)).status).toBe(200);
  });
});
