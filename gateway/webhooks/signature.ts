import { createHmac, randomBytes } from 'node:crypto';

/**
 * Signatures as Standard Webhooks 1.0 has them, so that receivers verify with a library of their
 * language: HMAC-SHA256 over id, time and body, one for each key that is valid.
 */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing key, as receivers are given it. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface WebhookMessage {
  /** The same whenever the same thing is told. */
  readonly id: string;
  readonly body: string;
}

/** The headers that say who sends this, and when; `now` is UTC milliseconds. */
export function signedHeaders(
  { id, body }: WebhookMessage,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    const signed = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${signed.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
