import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  cookieOf,
  createHttpFixture,
  type HttpAnswer,
  type HttpFixture,
} from './support/http-fixture.ts';
import { DEMO_PASSWORD } from './support/identity-fixture.ts';
import { codeIn, type MailServer, otherCode, startMailServer } from './support/mail-server.ts';
import { TESTS_CLIENT } from './support/route-caller.ts';

const ALICE = 'alice@matchbox.test';
const BOB = 'bob@matchbox.test';
const MINUTE = 60_000;

let mail: MailServer;
let fixture: HttpFixture;
const mailErrors: unknown[] = [];

beforeAll(async () => {
  mail = await startMailServer();
  fixture = await createHttpFixture({
    mail: { smtpUrl: mail.url, from: 'Matchbox <no-reply@matchbox.test>' },
    onMailError: (error) => mailErrors.push(error),
  });
});
beforeEach(() => {
  // Budgets follow the same clock: each test begins with whole ones.
  fixture.clock.now += 60 * MINUTE;
});
afterAll(async () => {
  expect(fixture.faults).toEqual([]);
  expect(mailErrors).toEqual([]);
  await fixture.dispose();
  await mail.close();
});

async function bearer(email: string, parts = fixture): Promise<Record<string, string>> {
  const form = { grant_type: 'password', username: email, password: DEMO_PASSWORD };
  const { body } = await parts.postForm(form, { authorization: TESTS_CLIENT });
  return { authorization: `Bearer ${String(body['access_token'])}` };
}

function post(path: string, body: unknown, headers: Record<string, string>): Promise<HttpAnswer> {
  return fixture.postJson(`/identity/second-factor${path}`, body, headers);
}

function firstStep(email: string): Promise<HttpAnswer> {
  return fixture.postJson('/identity/sign-in', { email, password: DEMO_PASSWORD });
}

function secondStep(cookie: string, provider: string, code: string): Promise<HttpAnswer> {
  const body = { provider, VerificationCode: code };
  return fixture.postJson('/identity/sign-in', body, { cookie });
}

async function enableMail(email: string): Promise<void> {
  const headers = await bearer(email);
  const begun = await post('', { provider: 'Email', password: DEMO_PASSWORD }, headers);
  expect(begun).toMatchObject({ status: 200, body: { provider: 'Email' } });
  expect((await post('/confirm', { VerificationCode: codeIn(mail.mails) }, headers)).status).toBe(
    200,
  );
}

async function disable(email: string, code?: string): Promise<void> {
  const proof = {
    password: DEMO_PASSWORD,
    ...(code === undefined ? {} : { VerificationCode: code }),
  };
  expect((await post('/disable', proof, await bearer(email))).status).toBe(200);
}

async function isSignedIn(cookie: string): Promise<boolean> {
  const query = new URLSearchParams({
    client_id: 'spa',
    response_type: 'code',
    redirect_uri: `${fixture.base}/identity/sign-in-done`,
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
  });
  const path = `/identity/connect/authorize?${query}`;
  return (await fixture.send('GET', path, { headers: { cookie } })).status === 302;
}

describe('a code by mail', () => {
  beforeAll(() => enableMail(ALICE));
  afterAll(() => disable(ALICE));

  test('is mailed over SMTP after the password, and signs in once', async () => {
    const before = mail.mails.length;
    const first = await firstStep(ALICE);
    expect(first).toMatchObject({
      status: 200,
      body: {
        secondFactorRequired: true,
        provider: 'Email',
        message: 'A code was sent to a***@matchbox.test.',
      },
    });
    expect(mail.mails).toHaveLength(before + 1);
    expect(mail.mails.at(-1)?.to).toBe(ALICE);
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^identity-second-factor=[\w-]{43}; Max-Age=300; Path=\/identity\/sign-in; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const pending = cookieOf(first);
    expect(await isSignedIn(pending)).toBe(false);

    const code = codeIn(mail.mails);
    const second = await secondStep(pending, 'Email', code);
    expect(second).toMatchObject({ status: 200, body: { secondFactorRequired: false } });
    expect(await isSignedIn(cookieOf(second))).toBe(true);
    expect((await secondStep(pending, 'Email', code)).status).toBe(401);
  });

  test('of two right answers at once exactly one signs in', async () => {
    const pending = cookieOf(await firstStep(ALICE));
    const code = codeIn(mail.mails);
    const answers = await Promise.all([
      secondStep(pending, 'Email', code),
      secondStep(pending, 'Email', code),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('can be got wrong four times, not five', async () => {
    for (const [wrong, expected] of [
      [4, 200],
      [5, 401],
    ] as const) {
      fixture.clock.now += 60 * MINUTE;
      const pending = cookieOf(await firstStep(ALICE));
      const code = codeIn(mail.mails);
      for (let attempt = 0; attempt < wrong; attempt += 1) {
        const answer = await secondStep(pending, 'Email', otherCode(code));
        expect(answer.status).toBe(401);
        expect(answer.body).toMatchObject({ error: { details: [{ field: 'VerificationCode' }] } });
      }
      expect((await secondStep(pending, 'Email', code)).status, `${wrong}`).toBe(expected);
    }
  });

  test('new challenges do not buy more guesses: after ten wrong codes a user has to wait', async () => {
    let last = 0;
    for (let round = 0; round < 3 && last !== 429; round += 1) {
      const pending = cookieOf(await firstStep(ALICE));
      const wrong = otherCode(codeIn(mail.mails));
      for (let attempt = 0; attempt < 5 && last !== 429; attempt += 1) {
        const answer = await secondStep(pending, 'Email', wrong);
        last = answer.status;
        if (last === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    expect(last).toBe(429);
  });

  test('is good for five minutes', async () => {
    const pending = cookieOf(await firstStep(ALICE));
    const code = codeIn(mail.mails);
    fixture.clock.now += 5 * MINUTE;
    expect((await secondStep(pending, 'Email', code)).status).toBe(401);
  });

  test('is good for the browser that it was asked for only, and the newest only', async () => {
    const old = cookieOf(await firstStep(ALICE));
    const oldCode = codeIn(mail.mails);
    const pending = cookieOf(await firstStep(ALICE));
    const code = codeIn(mail.mails);
    expect((await secondStep('', 'Email', code)).status).toBe(401);
    expect((await secondStep(old, 'Email', oldCode)).status).toBe(401);
    expect((await secondStep(old, 'Email', code)).status).toBe(401);
    expect((await secondStep(pending, 'Authenticator', code)).status).toBe(401);
    expect((await secondStep(pending, 'Email', code)).status).toBe(200);
  });

  test('is mailed five times at once, then a minute must pass', async () => {
    const statuses: number[] = [];
    for (let mails = 0; mails < 6; mails += 1) statuses.push((await firstStep(ALICE)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    fixture.clock.now += MINUTE;
    expect((await firstStep(ALICE)).status).toBe(200);
  });

  test('trusted servers sign in without it, as the interface says', async () => {
    const headers = await bearer(ALICE);
    const state = await fixture.send('GET', '/identity/second-factor', { headers });
    expect(state.body).toEqual({ twoFactorEnabled: true, provider: 'Email' });
    const user = await fixture.directory.users.findByEmail(ALICE);
    expect(user?.twoFactorEnabled).toBe(true);
  });
});

describe('an authenticator', () => {
  let totp: TOTP;
  let step = 0;
  /** A code of a step that was not used yet. */
  function nextCode(): string {
    fixture.clock.now += 31_000;
    step = fixture.clock.now;
    return totp.generate({ timestamp: step });
  }

  beforeAll(async () => {
    const headers = await bearer(BOB);
    const begun = await post('', { provider: 'Authenticator', password: DEMO_PASSWORD }, headers);
    expect(begun.status).toBe(200);
    const { secret, uri } = begun.body;
    expect(String(uri)).toContain(`secret=${String(secret)}`);
    totp = new TOTP({ secret: Secret.fromBase32(String(secret)), digits: 6, period: 30 });
    const early = await firstStep(BOB);
    expect(early.body).toEqual({ secondFactorRequired: false });
    const wrong = otherCode(totp.generate({ timestamp: fixture.clock.now }));
    expect((await post('/confirm', { VerificationCode: wrong }, headers)).status).toBe(401);
    const code = nextCode();
    const confirmed = await post('/confirm', { VerificationCode: code }, await bearer(BOB));
    expect(confirmed.status).toBe(200);
  });

  test('signs in with the code that it shows, each code once', async () => {
    const first = await firstStep(BOB);
    expect(first.body).toMatchObject({ secondFactorRequired: true, provider: 'Authenticator' });
    const code = nextCode();
    const pending = cookieOf(await firstStep(BOB));
    const done = await secondStep(pending, 'Authenticator', `${code.slice(0, 3)} ${code.slice(3)}`);
    expect(done.status).toBe(200);
    expect(await isSignedIn(cookieOf(done))).toBe(true);
    const again = cookieOf(await firstStep(BOB));
    expect((await secondStep(again, 'Authenticator', code)).status).toBe(401);
    expect((await secondStep(again, 'Authenticator', nextCode())).status).toBe(200);
  });

  test('its seed is not in the database in the clear', async () => {
    const factor = await fixture.directory.secondFactors.get(fixture.userIds.get(BOB) ?? '');
    const kept = Buffer.from(factor?.secret ?? []);
    expect(kept.length).toBeGreaterThan(32);
    expect(kept.includes(totp.secret.base32)).toBe(false);
    expect(kept.includes(Buffer.from(totp.secret.bytes))).toBe(false);
    const key = statSync(join(fixture.dataDirectory, 'identity-secrets.key'));
    expect(key.mode & 0o077).toBe(0);
  });

  test('is changed and taken away only with the password and its code', async () => {
    const headers = await bearer(BOB);
    const attempts: [string, unknown][] = [
      ['', { provider: 'Email', password: DEMO_PASSWORD }],
      ['', { provider: 'Email', password: 'wrong', VerificationCode: nextCode() }],
      ['/disable', { password: DEMO_PASSWORD }],
      ['/disable', { password: 'wrong', VerificationCode: nextCode() }],
    ];
    for (const [path, body] of attempts) {
      expect((await post(path, body, headers)).status, JSON.stringify(body)).toBe(401);
    }
    expect((await post('/disable', { password: DEMO_PASSWORD }, {})).status).toBe(401);
    await disable(BOB, nextCode());
    expect((await firstStep(BOB)).body).toEqual({ secondFactorRequired: false });
    const entries = await fixture.directory.audit.list({ afterId: 0, limit: 1_000 });
    const actions = entries.filter(({ actor }) => actor === `user:${fixture.userIds.get(BOB)}`);
    expect(actions.map(({ action }) => action)).toEqual([
      'user.enable-second-factor',
      'user.disable-second-factor',
    ]);
  });
});

describe('bad input', () => {
  test.each([
    [{ provider: 'Email' }, 'VerificationCode'],
    [{ VerificationCode: '123456' }, 'provider'],
    [{ provider: 'Sms', VerificationCode: '123456' }, 'provider'],
    [{ provider: 'Email', VerificationCode: 123456 }, 'VerificationCode'],
    [{ email: ALICE, provider: 'Email', VerificationCode: '123456' }, 'email'],
  ])('the second step %j is refused by its %s', async (body, field) => {
    const answer = await fixture.postJson('/identity/sign-in', body);
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field }] } } });
  });

  test('nothing to confirm is a wrong code', async () => {
    const headers = await bearer('support@matchbox.test');
    expect((await post('/confirm', { VerificationCode: '123456' }, headers)).status).toBe(401);
  });
});

describe('without an SMTP server', () => {
  test('mails are files in the outbox that only the owner reads', async () => {
    const other = await createHttpFixture();
    const headers = await bearer(ALICE, other);
    const body = { provider: 'Email', password: DEMO_PASSWORD };
    expect((await other.postJson('/identity/second-factor', body, headers)).status).toBe(200);
    const folder = join(other.dataDirectory, 'outbox');
    const names = readdirSync(folder);
    expect(names).toEqual([expect.stringMatching(/^\d{15}-[\w-]{36}\.eml$/)]);
    const file = join(folder, names[0] ?? '');
    expect(statSync(file).mode & 0o077).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(`To: ${ALICE}`);
    const code = codeIn([{ text }]);
    const confirm = { VerificationCode: code };
    const confirmed = await other.postJson('/identity/second-factor/confirm', confirm, headers);
    expect(confirmed.status).toBe(200);
    await other.dispose();
  });

  test('a server that does not answer is 503, and the operator is told', async () => {
    const errors: unknown[] = [];
    const other = await createHttpFixture({
      mail: { smtpUrl: 'smtp://127.0.0.1:9', from: 'a@b.test' },
      onMailError: (error) => errors.push(error),
    });
    const body = { provider: 'Email', password: DEMO_PASSWORD };
    const headers = await bearer(ALICE, other);
    const answer = await other.postJson('/identity/second-factor', body, headers);
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { message: 'Service Unavailable' } },
    });
    expect(errors).toHaveLength(1);
    await other.dispose();
  });
});
