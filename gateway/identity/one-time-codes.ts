import { randomInt, timingSafeEqual } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const DIGITS = 6;
const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
/** Clocks of telephones are allowed to be one step off. */
const STEPS_TOLERATED = 1;
const ISSUER = 'Matchbox';

/** A code to be mailed: six digits. */
export function newMailCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
}

/** Whether a text can be a code at all: people type spaces between the digits. */
export function normaliseCode(text: string): string | null {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}

/** The seed of a new authenticator, base32. */
export function newAuthenticatorSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What an authenticator app reads as a QR code. */
export function authenticatorUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The time step that the code belongs to; null where it is wrong. */
export function matchingStep(secret: string, code: string, now: number): number | null {
  const delta = totpOf(secret, '').validate({
    token: code,
    timestamp: now,
    window: STEPS_TOLERATED,
  });
  return delta === null ? null : Math.floor(now / 1_000 / STEP_SECONDS) + delta;
}

export function isSameDigest(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: STEP_SECONDS,
  });
}
