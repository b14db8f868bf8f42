import { request } from 'node:http';
import type { BareAnswer } from './bare-server.ts';

const PASSWORD = 'Matchbox-1!';
const CLIENT = Buffer.from('tests:tests-secret').toString('base64');
/** What a server adds by itself. */
const OWN_HEADERS = new Set([
  'content-length',
  'date',
  'uwebsockets',
  'connection',
  'transfer-encoding',
  'keep-alive',
]);

interface Account {
  readonly accountId: string;
  readonly accountType: string;
}

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** A demo trader, signed in. Everything that is not measured goes through here. */
export class Trader {
  readonly token: string;
  readonly accountIds: readonly string[];
  /** Those of them that have one position a market, however many orders they place. */
  readonly nettingAccountIds: readonly string[];
  readonly #port: number;

  private constructor(port: number, token: string, accounts: readonly Account[]) {
    this.#port = port;
    this.token = token;
    this.accountIds = accounts.map(({ accountId }) => accountId);
    this.nettingAccountIds = accounts
      .filter(({ accountType }) => accountType === 'Netting')
      .map(({ accountId }) => accountId);
  }

  static async signIn(port: number, email: string): Promise<Trader> {
    const token = await accessToken(port, email, 'openid FrontOffice');
    const authorization = `Bearer ${token}`;
    const path = '/frontoffice/api/v3/accounts';
    const accounts = parse<Account[]>(
      await exchange(port, 'GET', path, undefined, { authorization }),
    );
    return new Trader(port, token, accounts);
  }

  async place(accountId: string, body: string): Promise<{ orderId: string; answer: BareAnswer }> {
    const placed = await this.#send('POST', '/frontoffice/api/v3/orders', accountId, body);
    const { order } = parse<{ order: { orderId: string } }>(placed);
    return { orderId: order.orderId, answer: bareAnswer(placed) };
  }

  read(accountId: string, orderId: string): Promise<BareAnswer> {
    return this.ask('GET', `/frontoffice/api/v4/orders/${orderId}`, accountId);
  }

  /** What anything that may be asked is answered; throws where that is no success. */
  async ask(method: string, path: string, accountId: string, body?: string): Promise<BareAnswer> {
    const answer = await this.#send(method, path, accountId, body);
    parse(answer);
    return bareAnswer(answer);
  }

  /** So that each measurement begins with the same empty book. */
  async cancelAll(): Promise<void> {
    for (const accountId of this.accountIds) {
      parse(await this.#send('DELETE', '/frontoffice/api/v4/orders', accountId));
    }
  }

  #send(method: string, path: string, accountId: string, body?: string): Promise<Answer> {
    return exchange(this.#port, method, path, body, {
      authorization: `Bearer ${this.token}`,
      accountId,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    });
  }
}

async function accessToken(port: number, email: string, scope: string): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'password',
    username: email,
    password: PASSWORD,
    scope,
  });
  const signIn = await exchange(port, 'POST', '/identity/connect/token', form.toString(), {
    authorization: `Basic ${CLIENT}`,
    'content-type': 'application/x-www-form-urlencoded',
  });
  const answer = parse<{ access_token: string; expires_in: number }>(signIn);
  if (answer.expires_in < 600) {
    const lifetime = answer.expires_in;
    throw new Error(`the access token lives ${lifetime} s, too short for a measurement`);
  }
  return answer.access_token;
}

/** Deposits `amount` of usdt on each account, as an administrator. */
export async function fund(
  port: number,
  accountIds: readonly string[],
  amount: string,
): Promise<void> {
  const token = await accessToken(port, 'admin@matchbox.test', 'openid BackOffice');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (const accountId of accountIds) {
    const deposit = { deduplicationId: `bench ${accountId}`, accountId, assetId: 'usdt', amount };
    const path = '/back-api/backoffice/transfers/deposit';
    parse(await exchange(port, 'POST', path, JSON.stringify(deposit), headers));
  }
}

function bareAnswer({ status, reason, headers, text }: Answer): BareAnswer {
  return {
    status: `${status} ${reason}`,
    headers: headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase())),
    body: text,
  };
}

function parse<T>({ status, text }: Answer): T {
  if (status < 200 || status > 299) throw new Error(`the server answered ${status}: ${text}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

/** node:http rather than fetch: it shows the headers as they were written. */
function exchange(
  port: number,
  method: string,
  path: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            reason: response.statusMessage ?? '',
            headers: pairs(response.rawHeaders),
            text,
          }),
        );
      },
    );
    sending.on('error', reject);
    if (body !== undefined) sending.setHeader('content-length', Buffer.byteLength(body));
    sending.end(body);
  });
}

function pairs(raw: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    list.push([raw[index] ?? '', raw[index + 1] ?? '']);
  }
  return list;
}
