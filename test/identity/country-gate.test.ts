import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../gateway/config.ts';
import type { CallerOptions } from '../../gateway/http/caller-options.ts';
import { CountryGate } from '../../gateway/identity/country-gate.ts';
import { createHttpFixture, type HttpFixture } from './support/http-fixture.ts';
import { DEMO_PASSWORD } from './support/identity-fixture.ts';

const OPTIONS: CallerOptions = {
  trustedProxies: ['127.0.0.1', '10.1.0.0/16', '2001:db8::/32'],
  countryHeader: 'cf-ipcountry',
  ipHeader: 'x-forwarded-for',
  blockedCountries: ['KP', 'XX'],
};
const PATH = '/identity/sign-in';

describe('over HTTP', () => {
  let fixture: HttpFixture;
  beforeAll(async () => {
    fixture = await createHttpFixture({}, new CountryGate(OPTIONS));
  });
  afterAll(() => fixture.dispose());

  function signIn(headers: Record<string, string>, password = DEMO_PASSWORD) {
    return fixture.postJson(PATH, { email: 'alice@matchbox.test', password }, headers);
  }

  test('a caller from a blocked country is refused in the shape of the interface', async () => {
    const answer = await signIn({
      'cf-ipcountry': 'kp',
      'x-forwarded-for': '1.2.3.4, 203.0.113.7',
    });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      error: {
        message: 'Access from your country is restricted.',
        details: { ip: '203.0.113.7', country: 'KP' },
      },
    });
    expect(answer.headers.get('x-error-code')).toBe('TR0110');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test.each([{ 'cf-ipcountry': 'DE' }, { 'cf-ipcountry': 'nonsense' }, {}])(
    '%j passes',
    async (headers) => {
      expect((await signIn({ ...headers })).status).toBe(200);
    },
  );

  test('a valid token does not help', async () => {
    const headers = { 'cf-ipcountry': 'KP', authorization: 'Bearer x' };
    expect((await fixture.send('GET', '/identity/second-factor', { headers })).status).toBe(403);
    expect((await fixture.send('GET', '/probe/front', { headers })).status).toBe(401);
  });

  test('attempts are counted for the address that the proxy tells', async () => {
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 21; attempt += 1) {
      statuses.add((await signIn({ 'x-forwarded-for': '203.0.113.8' }, 'wrong')).status);
    }
    expect([...statuses]).toEqual([401, 429]);
    expect((await signIn({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
    expect((await signIn({ 'x-forwarded-for': '203.0.113.8' })).status).toBe(429);
  });
});

describe('whose word is taken', () => {
  const gate = new CountryGate(OPTIONS);
  const said = (name: string) => (name === 'cf-ipcountry' ? 'KP' : '198.51.100.1');

  test.each(['127.0.0.1', '10.1.200.3', '::ffff:10.1.2.3', '2001:db8:1::5'])(
    '%s is believed',
    (peer) => {
      expect(gate.originOf(peer, said)).toEqual({ address: '198.51.100.1', country: 'KP' });
    },
  );

  test.each(['127.0.0.2', '10.2.0.1', '2001:db9::1', ''])('%s is not', (peer) => {
    expect(gate.originOf(peer, said)).toEqual({ address: peer, country: undefined });
  });

  test.each(['', 'unknown', '1.2.3.4.5', '1.2.3.4, evil'])(
    'where a proxy says %j for an address, the caller is the proxy',
    (text) => {
      expect(gate.originOf('127.0.0.1', () => text)).toMatchObject({ address: '127.0.0.1' });
    },
  );
});

describe('configuration', () => {
  test('comes from the environment', () => {
    const { callers } = readConfig({
      TRUSTED_PROXIES: '127.0.0.1, 10.1.0.0/16',
      TRUSTED_COUNTRY_HEADER: 'CF-IPCountry',
      TRUSTED_IP_HEADER: 'X-Forwarded-For',
      COUNTRY_BLOCK: 'kp,XX',
    });
    expect(callers).toEqual({ ...OPTIONS, trustedProxies: ['127.0.0.1', '10.1.0.0/16'] });
    expect(readConfig({}).callers).toBeUndefined();
  });

  test.each([
    { COUNTRY_BLOCK: 'KP' },
    { COUNTRY_BLOCK: 'KP', TRUSTED_PROXIES: '127.0.0.1' },
    { TRUSTED_PROXIES: 'localhost' },
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    { TRUSTED_PROXIES: '127.0.0.1', TRUSTED_COUNTRY_HEADER: 'a', COUNTRY_BLOCK: 'KOREA' },
    { SMTP_URL: 'http://mail.example' },
  ])('%j is refused', (environment) => {
    expect(() => readConfig({ ...environment })).toThrow(ConfigError);
  });
});
