import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';
import { BACK_OFFICE, outcome, put } from './back-office.ts';

const server = useServer();
const SETTINGS = `${BACK_OFFICE}/v2/margin-settings`;
let admin: ApiClient;
let support: ApiClient;
let alice: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  support = await server().user('support');
  alice = await server().trader('alice');
});

describe('the margin levels of the venue', () => {
  it('are 100 % and 50 % at first, and negative balances are covered', async () => {
    const { status, body } = await support.get(SETTINGS);
    expect([status, body]).toEqual([
      200,
      { marginCall: '1', stopOut: '0.5', negativeBalanceProtection: true },
    ]);
  });

  it('change as far as they are sent, and stay over a restart', async () => {
    const changed = await put(admin, SETTINGS, { stopOut: '0.3' });
    const expected = { marginCall: '1', stopOut: '0.3', negativeBalanceProtection: true };
    expect(changed).toMatchObject({ status: 200, body: expected });
    await put(admin, SETTINGS, { marginCall: 0.9, negativeBalanceProtection: false });
    await server().kill('SIGKILL');
    await server().restart();
    const after = { marginCall: '0.9', stopOut: '0.3', negativeBalanceProtection: false };
    expect((await support.get(SETTINGS)).body).toEqual(after);
  });

  it('change at the same time without losing one', async () => {
    const done = await Promise.all([
      put(admin, SETTINGS, { stopOut: '0.4' }),
      put(admin, SETTINGS, { marginCall: '0.8' }),
      put(admin, SETTINGS, { negativeBalanceProtection: true }),
    ]);
    expect(done.map(outcome)).toEqual(['200', '200', '200']);
    expect((await support.get(SETTINGS)).body).toEqual({
      marginCall: '0.8',
      stopOut: '0.4',
      negativeBalanceProtection: true,
    });
  });

  it.each<[object, string]>([
    [{ stopOut: '1.1' }, '400 TR0600'],
    [{ marginCall: '0.1' }, '400 TR0600'],
    [{ marginCall: '0.00001' }, '400 TR0600'],
    [{ marginCall: '-1' }, '400 TR0600'],
    [{ marginCall: '101' }, '400 TR0600'],
    [{ marginCall: true }, '400 TR0009'],
    [{ negativeBalanceProtection: 1 }, '400 TR0009'],
    [{ level: '1' }, '400 TR0010'],
  ])('are refused as %j with %s', async (sent, expected) => {
    const before = (await support.get(SETTINGS)).body;
    expect(outcome(await put(admin, SETTINGS, sent))).toBe(expected);
    expect((await support.get(SETTINGS)).body).toEqual(before);
  });

  it('are for administrators to change, and for the back office to see', async () => {
    expect(outcome(await put(support, SETTINGS, { stopOut: '0.1' }))).toBe('403 TR0101');
    expect(outcome(await alice.get(SETTINGS))).toBe('403 TR0101');
  });
});
