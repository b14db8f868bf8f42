import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';
import { selfSigned } from './certificate.ts';
import { isSignedWith, Receiver } from './receiver.ts';

const BACK_OFFICE = '/back-api/backoffice';
const trusted = selfSigned('127.0.0.1');
const ofAnother = selfSigned('127.0.0.2');
const unknown = selfSigned('127.0.0.1');

const directory = mkdtempSync(join(tmpdir(), 'matchbox-certificates-'));
const authorities = join(directory, 'authorities.pem');
writeFileSync(authorities, trusted.cert + ofAnother.cert);

const server = useServer({
  WEBHOOK_ALLOW: '127.0.0.1',
  WEBHOOK_RETRY_MS: '20',
  WEBHOOK_ATTEMPTS: '2',
  NODE_EXTRA_CA_CERTS: authorities,
});
let admin: ApiClient;
let alice: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  alice = await server().trader('alice');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Callback {
  readonly status: string;
  readonly attempts: readonly {
    readonly httpStatus: number | null;
    readonly error: string | null;
  }[];
}

/** A deposit that is told to this address; answers how that went. */
async function told(callbackUrl: string): Promise<Callback> {
  const { accountId } = alice;
  const deposit = { deduplicationId: callbackUrl, accountId, assetId: 'usdt', amount: '5' };
  const sent = { ...deposit, callbackUrl };
  const made = await admin.post<{ transferId: string }>(`${BACK_OFFICE}/transfers/deposit`, sent);
  expect(made.status, made.text).toBe(201);
  const path = `${BACK_OFFICE}/v2/transfers/${made.body.transferId}/callbacks`;
  for (;;) {
    const [callback] = (await admin.get<{ callbacks: Callback[] }>(path)).body.callbacks;
    if (callback !== undefined && callback.status !== 'Pending') return callback;
    await sleep(10);
  }
}

async function receiving(tls: typeof trusted, test: (receiver: Receiver) => Promise<void>) {
  const receiver = new Receiver(tls);
  await receiver.listen();
  try {
    await test(receiver);
  } finally {
    receiver.close();
  }
}

describe('a callback over https', () => {
  it('reaches whoever has a certificate of their address, signed as every callback', () =>
    receiving(trusted, async (receiver) => {
      const { attempts } = await told(receiver.url('/secure'));
      expect(attempts).toMatchObject([{ httpStatus: 204, error: null }]);
      const path = `${BACK_OFFICE}/v2/webhook-secrets`;
      const { secrets } = (await admin.get<{ secrets: { secret: string }[] }>(path)).body;
      const [call] = receiver.callsTo('/secure');
      expect(isSignedWith(secrets[0]?.secret ?? '', call)).toBe(true);
    }));

  it.each([
    ['that nobody vouches for', unknown, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['of another address', ofAnother, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('tells nothing to whoever has a certificate %s', (_, tls, error) =>
    receiving(tls, async (receiver) => {
      const { attempts } = await told(receiver.url('/secure'));
      expect(attempts.map((attempt) => attempt.error)).toEqual([error, error]);
      expect(receiver.calls).toEqual([]);
    }),
  );

  it('tells nothing to whoever speaks no TLS', async () => {
    const receiver = new Receiver();
    await receiver.listen();
    const { attempts } = await told(receiver.url('/plain').replace('http:', 'https:'));
    expect(attempts.map(({ httpStatus }) => httpStatus)).toEqual([null, null]);
    expect(receiver.calls).toEqual([]);
    receiver.close();
  });
});
