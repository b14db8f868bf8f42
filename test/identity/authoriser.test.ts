import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type Session, SIGNED_IN } from '../../gateway/http/authorisation.ts';
import { Refused } from '../../gateway/http/refused.ts';
import { SessionCache } from '../../gateway/identity/session-cache.ts';
import { createFixture, DEMO_PASSWORD, type IdentityFixture } from './support/identity-fixture.ts';
import { textOf } from './support/route-caller.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.dispose());

async function bearer(user: string, area: string): Promise<string> {
  const answer = await fixture.http.token({
    grant_type: 'password',
    username: `${user}@matchbox.test`,
    password: DEMO_PASSWORD,
    scope: `openid ${area}`,
  });
  return `Bearer ${textOf(answer, 'access_token')}`;
}

async function ask(
  authorization: string,
  operation: Parameters<IdentityFixture['identity']['authoriser']['authorise']>[1],
): Promise<string> {
  const { authoriser } = fixture.identity;
  const outcome = await authoriser.authorise(authorization, operation, fixture.clock.now);
  return outcome instanceof Refused ? outcome.refusal.name : 'permitted';
}

const views = ['view-common', 'view-users', 'view-trades', 'view-commission-rules'];
const backOffice = [
  ...views,
  'manage-users',
  'manage-trades',
  'manage-transfers',
  'manage-commission-rules',
  'manage-assets',
  'manage-markets',
  'manage-markets-categories',
  'hide-markets',
];

describe('what a token permits', () => {
  test.each([
    ['alice', 'FrontOffice', ['trading-ui']],
    ['alice', 'BackOffice', []],
    ['support', 'FrontOffice', ['trading-ui']],
    ['support', 'BackOffice', [...views, 'manage-trades', 'hide-markets']],
    ['admin', 'FrontOffice', ['trading-ui']],
    ['admin', 'BackOffice', backOffice],
    ['admin', 'FrontOffice BackOffice', ['trading-ui', ...backOffice]],
  ])('%s with %s may exactly do what the role and the area share', async (user, area, allowed) => {
    const authorization = await bearer(user, area);
    for (const operation of OPERATIONS) {
      const expected = allowed.includes(operation) ? 'permitted' : 'Forbidden';
      expect(await ask(authorization, operation), operation).toBe(expected);
    }
    expect(await ask(authorization, SIGNED_IN)).toBe('permitted');
  });

  test('a token without an area is good for nothing but being signed in', async () => {
    const authorization = await bearer('admin', '');
    for (const operation of OPERATIONS)
      expect(await ask(authorization, operation)).toBe('Forbidden');
    expect(await ask(authorization, SIGNED_IN)).toBe('permitted');
  });

  test.each([
    ['', 'none at all'],
    ['Bearer', 'no token'],
    ['Bearer ', 'an empty token'],
    ['Bearer a.b.c', 'no JWT'],
    ['Bearer two tokens', 'two tokens'],
    ['Basic dGVzdHM6dGVzdHMtc2VjcmV0', 'another scheme'],
    [`Bearer ${'x'.repeat(5_000)}`, 'more than 4 KiB'],
  ])('%s is refused: %s', async (authorization) => {
    expect(await ask(authorization, SIGNED_IN)).toBe('Unauthorised');
  });

  test('the scheme is not case-sensitive, the token is', async () => {
    const authorization = await bearer('alice', 'FrontOffice');
    expect(await ask(authorization.replace('Bearer', 'bearer'), 'trading-ui')).toBe('permitted');
    expect(await ask(`${authorization}x`, 'trading-ui')).toBe('Unauthorised');
  });
});

describe('the cache of sessions', () => {
  test('a token seen before is answered at once, with the very same session', async () => {
    const authorization = await bearer('alice', 'FrontOffice');
    const { authoriser } = fixture.identity;
    const { now } = fixture.clock;
    const first = authoriser.authorise(authorization, 'trading-ui', now);
    expect(first).toBeInstanceOf(Promise);
    const session = await first;
    expect(authoriser.authorise(authorization, 'trading-ui', now)).toBe(session);
    expect(session).toMatchObject({
      userId: fixture.userIds.get('alice@matchbox.test'),
      clientId: 'tests',
      expiresAt: now + 30_000,
    });
  });

  test('a cached session ends when its token does', async () => {
    const authorization = await bearer('alice', 'FrontOffice');
    expect(await ask(authorization, 'trading-ui')).toBe('permitted');
    fixture.clock.now += 29_999;
    expect(await ask(authorization, 'trading-ui')).toBe('permitted');
    fixture.clock.now += 1;
    expect(await ask(authorization, 'trading-ui')).toBe('Unauthorised');
  });

  test('many requests with a new token share one verification', async () => {
    const authorization = await bearer('alice', 'FrontOffice');
    const { authoriser } = fixture.identity;
    const sessions = await Promise.all(
      Array.from({ length: 300 }, () =>
        authoriser.authorise(authorization, 'trading-ui', fixture.clock.now),
      ),
    );
    expect(new Set(sessions).size).toBe(1);
  });

  test('a flood of different invalid tokens is cut off with a refusal', async () => {
    const { authoriser } = fixture.identity;
    const outcomes = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        authoriser.authorise(`Bearer a.b.${index}`, 'trading-ui', fixture.clock.now),
      ),
    );
    const names = outcomes.map((outcome) => outcome instanceof Refused && outcome.refusal.name);
    expect(names.filter((name) => name === 'Unauthorised')).toHaveLength(256);
    expect(names.filter((name) => name === 'Overloaded')).toHaveLength(144);
    expect(await ask(await bearer('alice', 'FrontOffice'), 'trading-ui')).toBe('permitted');
  });

  test('a token that only ends like a cached one is judged for itself', async () => {
    const [alice, admin] = [
      await bearer('alice', 'FrontOffice'),
      await bearer('admin', 'BackOffice'),
    ];
    expect(await ask(admin, 'manage-users')).toBe('permitted');
    const head = alice.slice(0, alice.lastIndexOf('.'));
    const signature = admin.slice(admin.lastIndexOf('.'));
    expect(await ask(head + signature, 'trading-ui')).toBe('Unauthorised');
    expect(await ask(`${admin.slice(0, 20)}x${admin.slice(21)}`, 'manage-users')).toBe(
      'Unauthorised',
    );
  });

  test('stays bounded and keeps what is in use', () => {
    const cache = new SessionCache(10);
    const session = (userId: string): Session => ({
      userId,
      clientId: 'c',
      operations: new Set(),
      expiresAt: 100,
    });
    const inUse = session('in use');
    cache.set('in use', inUse);
    for (let index = 0; index < 1_000; index += 1) {
      cache.set(`passing ${index}`, session('passing'));
      expect(cache.get('in use', 0)).toBe(inUse);
    }
    const kept = Array.from({ length: 1_000 }, (_, index) => cache.get(`passing ${index}`, 0));
    expect(kept.filter((found) => found !== undefined).length).toBeLessThanOrEqual(20);
    expect(cache.get('in use', 100)).toBeUndefined();
  });
});
