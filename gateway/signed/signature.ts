import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA512 in upper-case hexadecimal. */
const SIGNATURE = /^[0-9A-F]{128}$/;

/** What the header `Sign` must say: `payload` is the body, or the query with its `?`, as sent. */
export function signatureOf(secret: string, payload: string): string {
  return createHmac('sha512', secret).update(payload, 'utf8').digest('hex').toUpperCase();
}

/** Compares in a time that does not depend on where the two differ. */
export function isSignedWith(secret: string, payload: string, sign: string): boolean {
  const expected = Buffer.from(signatureOf(secret, payload), 'latin1');
  if (!SIGNATURE.test(sign)) return false;
  return timingSafeEqual(expected, Buffer.from(sign, 'latin1'));
}
