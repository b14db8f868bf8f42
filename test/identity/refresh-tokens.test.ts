import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Directory } from '../../persistence/directory/index.ts';
import type { RefreshTokenRotation } from '../../persistence/directory/refresh-tokens.ts';
import { openInThreadDirectory } from './support/in-thread-directory.ts';

const by = { actor: 'system:test', at: 0 } as const;
const user = { id: 'carol', email: 'c@example.test', nickname: 'c', passwordHash: 'h' };
const digest = (token: string) => createHash('sha256').update(token).digest();

let directory: Directory;

beforeEach(async () => {
  directory = openInThreadDirectory();
  await directory.users.create({ ...user, isEmailConfirmed: true, roles: [], ...by });
  for (const clientId of ['web', 'other']) {
    await directory.oauthClients.register({
      clientId,
      name: clientId,
      secretHash: digest('s'),
      grantTypes: [],
      scopes: [],
      redirectUris: [],
      ...by,
    });
  }
  await startFamily('family', 'first');
});

function startFamily(familyId: string, token: string, clientId = 'web', issuedAt = 0) {
  return directory.refreshTokens.startFamily({
    familyId,
    tokenHash: digest(token),
    userId: 'carol',
    clientId,
    scopes: ['openid', 'FrontOffice'],
    issuedAt,
    expiresAt: issuedAt + 1_000,
    familyExpiresAt: issuedAt + 5_000,
  });
}

function rotate(from: string, to: string, options: Partial<RefreshTokenRotation> = {}) {
  const at = options.at ?? 10;
  return directory.refreshTokens.rotate({
    tokenHash: digest(from),
    successorHash: digest(to),
    clientId: 'web',
    requestedScopes: null,
    at,
    successorExpiresAt: at + 1_000,
    forgetUsedBefore: at - 2_000,
    ...options,
  });
}

describe('rotation', () => {
  test('each token gives the next one, with the roles that the user has now', async () => {
    expect(await rotate('first', 'second')).toMatchObject({
      outcome: 'rotated',
      clientId: 'web',
      familyScopes: ['openid', 'FrontOffice'],
      user: { id: 'carol', roles: [] },
      successorExpiresAt: 1_010,
    });
    await directory.roles.synchronisePreconfigured({
      roles: [{ name: 'Trader', description: '', operations: [] }],
      ...by,
    });
    await directory.users.setRoles({ userId: 'carol', roles: ['Trader'], ...by });
    expect(await rotate('second', 'third')).toMatchObject({ user: { roles: ['Trader'] } });
  });

  test('a used token revokes the whole family, newest token included', async () => {
    await rotate('first', 'second');
    expect(await rotate('first', 'stolen')).toEqual({ outcome: 'reused' });
    expect(await rotate('second', 'third')).toEqual({ outcome: 'revoked' });
    expect(await rotate('stolen', 'more')).toEqual({ outcome: 'unknown' });
    const audit = await directory.audit.list({ afterId: 0, limit: 100 });
    expect(audit.at(-1)).toMatchObject({
      action: 'refresh-token.reuse-detected',
      actor: 'client:web',
      entityId: 'carol',
    });
  });

  test('of two requests with the same token one wins and the other ends the sign-in', async () => {
    const outcomes = await Promise.all([rotate('first', 'a'), rotate('first', 'b')]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['reused', 'rotated']);
    expect(await rotate('a', 'c')).toEqual({ outcome: 'revoked' });
  });

  test('reuse in one family leaves the other sign-ins of the user alone', async () => {
    await startFamily('elsewhere', 'elsewhere-first');
    await rotate('first', 'second');
    await rotate('first', 'stolen');
    expect(await rotate('elsewhere-first', 'x')).toMatchObject({ outcome: 'rotated' });
  });

  test('a token is good until just before it expires', async () => {
    expect(await rotate('first', 'second', { at: 1_000 })).toEqual({ outcome: 'expired' });
    expect(await rotate('first', 'second', { at: 999 })).toMatchObject({ outcome: 'rotated' });
  });

  test('no successor outlives the sign-in', async () => {
    for (let step = 0; step < 5; step += 1) {
      await rotate(step === 0 ? 'first' : `t${step}`, `t${step + 1}`, { at: step * 950 });
    }
    const last = await rotate('t5', 't6', { at: 4_700 });
    expect(last).toMatchObject({ successorExpiresAt: 5_000 });
    expect(await rotate('t6', 't7', { at: 5_000 })).toEqual({ outcome: 'expired' });
  });

  test('the token of another client is refused and stays good for its own', async () => {
    expect(await rotate('first', 'x', { clientId: 'other' })).toEqual({
      outcome: 'foreign-client',
    });
    expect(await rotate('first', 'second')).toMatchObject({ outcome: 'rotated' });
    expect(await rotate('first', 'x', { clientId: 'other' })).toEqual({
      outcome: 'foreign-client',
    });
    expect(await rotate('second', 'third')).toMatchObject({ outcome: 'rotated' });
  });

  test('asking for a scope beyond the sign-in does not use the token up', async () => {
    const greedy = { requestedScopes: ['openid', 'BackOffice'] };
    expect(await rotate('first', 'x', greedy)).toEqual({ outcome: 'scope-exceeded' });
    const modest = { requestedScopes: ['openid'] };
    expect(await rotate('first', 'second', modest)).toMatchObject({ outcome: 'rotated' });
  });

  test('used tokens are forgotten after a while and then are simply unknown', async () => {
    await rotate('first', 'second', { at: 10 });
    await rotate('second', 'third', { at: 500, forgetUsedBefore: 11 });
    expect(await rotate('first', 'x')).toEqual({ outcome: 'unknown' });
    expect(await rotate('third', 'fourth', { at: 600 })).toMatchObject({ outcome: 'rotated' });
  });
});

describe('revocation', () => {
  test('signing out with a token ends its family and no other', async () => {
    await startFamily('elsewhere', 'elsewhere-first');
    const signOut = { userId: 'carol', clientId: 'web', at: 20 };
    const revoked = await directory.refreshTokens.revokeByToken({
      tokenHash: digest('first'),
      ...signOut,
    });
    expect(revoked).toBe(true);
    expect(await rotate('first', 'x')).toEqual({ outcome: 'revoked' });
    expect(await rotate('elsewhere-first', 'x')).toMatchObject({ outcome: 'rotated' });
  });

  test.each([
    ['another user', { userId: 'mallory', clientId: 'web' }],
    ['another client', { userId: 'carol', clientId: 'other' }],
  ])('%s cannot sign a token out', async (_, caller) => {
    const input = { tokenHash: digest('first'), ...caller, at: 20 };
    expect(await directory.refreshTokens.revokeByToken(input)).toBe(false);
    expect(await rotate('first', 'second')).toMatchObject({ outcome: 'rotated' });
  });

  test('signing out everywhere ends the sign-ins with that client only', async () => {
    await startFamily('second-family', 'second-first');
    await startFamily('of-other', 'other-first', 'other');
    const input = { userId: 'carol', clientId: 'web', at: 20 };
    expect(await directory.refreshTokens.revokeAll(input)).toBe(2);
    expect(await rotate('second-first', 'x')).toEqual({ outcome: 'revoked' });
    expect(await rotate('other-first', 'x', { clientId: 'other' })).toMatchObject({
      outcome: 'rotated',
    });
  });

  test('a changed password ends every sign-in of the user', async () => {
    await directory.users.changePassword({ userId: 'carol', passwordHash: 'new', ...by });
    expect(await rotate('first', 'x')).toEqual({ outcome: 'revoked' });
  });

  test('a terminated user gets no more tokens', async () => {
    await directory.users.setStatus({ userId: 'carol', status: 'Terminated', ...by });
    expect(await rotate('first', 'x')).toEqual({ outcome: 'revoked' });
    await startFamily('late', 'late-first');
    expect(await rotate('late-first', 'x')).toEqual({ outcome: 'user-terminated' });
  });

  test('a new sign-in clears away families that expired', async () => {
    await startFamily('new', 'new-first', 'web', 6_000);
    expect(await rotate('first', 'x', { at: 6_001 })).toEqual({ outcome: 'unknown' });
    expect(await rotate('new-first', 'x', { at: 6_001 })).toMatchObject({ outcome: 'rotated' });
  });
});
