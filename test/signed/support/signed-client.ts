import { createHmac } from 'node:crypto';
import type { Answer, ApiClient } from '../../support/api-client.ts';

export interface SignedOrder {
  readonly orderId: string;
  readonly clientOrderId: string | null;
  readonly instrument: string;
  readonly type: string;
  readonly side: number;
  readonly isLimit: boolean;
  readonly isPending: boolean;
  readonly status: string;
  readonly timeInForce: string;
  readonly amount: number;
  readonly remaining: number;
  readonly unitsFilled: number;
  readonly requestedPrice: number;
  readonly executionPrice: number;
  readonly total: number;
  readonly commission: number;
  readonly createdAt: string;
}

export interface SignedTrade {
  readonly tradeSeq: number;
  readonly orderId: string;
  readonly instrument: string;
  readonly type: string;
  readonly amount: number;
  readonly executionPrice: number;
  readonly commission: number;
  readonly isReverted: boolean;
}

export interface OrderAnswer {
  readonly order: SignedOrder;
}

export interface SignedRefusal {
  readonly errors: readonly { readonly code: string; readonly message: string }[];
}

/** Upper-case hexadecimal HMAC-SHA512, as a trader's program computes it. */
export function hmac(secret: string, payload: string): string {
  return createHmac('sha512', secret).update(payload).digest('hex').toUpperCase();
}

/** `2026-01-02T03:04:05`: the venue's time as a trader's program writes it. */
export function utcNow(offsetMs = 0): string {
  return new Date(Date.now() + offsetMs).toISOString().slice(0, 19);
}

let lastNonce = Date.now() * 1000;

/** A nonce that no test has used. */
export function nextNonce(): number {
  lastNonce += 1;
  return lastNonce;
}

/** A resting limit order, far from every price that tests trade at. */
export const RESTING_ORDER = {
  instrument: 'btc_usdt',
  type: 'buy',
  amount: 0.01,
  price: 100,
  isLimit: true,
};

/** A trader's program on the signed interface. */
export class SignedClient {
  private readonly client: ApiClient;
  private readonly key: string;
  private readonly secret: string;
  private readonly prefix: string;

  constructor(client: ApiClient, key: string, secret: string, prefix = '') {
    this.client = client;
    this.key = key;
    this.secret = secret;
    this.prefix = prefix;
  }

  place(order: object): Promise<Answer<OrderAnswer>> {
    return this.post({ ts: utcNow(), nonce: nextNonce(), order });
  }

  cancel(id: string): Promise<Answer<OrderAnswer>> {
    return this.read('DELETE', `/frontoffice/api/orders/${id}`);
  }

  orders(filter: Record<string, string> = {}): Promise<Answer<readonly SignedOrder[]>> {
    return this.read('GET', '/frontoffice/api/order_history', filter);
  }

  trades(filter: Record<string, string> = {}): Promise<Answer<readonly SignedTrade[]>> {
    return this.read('GET', '/frontoffice/api/trade_history', filter);
  }

  /** The body as it stands, signed unless a signature is given. */
  post<T = OrderAnswer>(body: object | string, sign?: string): Promise<Answer<T>> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = this.headers(sign ?? hmac(this.secret, text));
    return this.client.post<T>(`${this.prefix}/frontoffice/api/order`, text, { headers });
  }

  /** A request whose query is signed, fresh unless it says otherwise. */
  read<T>(
    method: string,
    path: string,
    query: Record<string, string> = {},
    sign?: string,
  ): Promise<Answer<T>> {
    const fields = { ts: utcNow(), nonce: String(nextNonce()), ...query };
    const text = `?${new URLSearchParams(fields)}`;
    return this.raw<T>(method, path, text, sign ?? hmac(this.secret, text));
  }

  /** The query exactly as it stands, from its `?` on. */
  raw<T>(method: string, path: string, query: string, sign: string): Promise<Answer<T>> {
    const headers = this.headers(sign);
    return this.client.send<T>(method, `${this.prefix}${path}${query}`, undefined, { headers });
  }

  sign(payload: string): string {
    return hmac(this.secret, payload);
  }

  private headers(sign: string): Record<string, string> {
    return { key: this.key, sign };
  }
}
