import { timingSafeEqual } from 'node:crypto';
import type { Directory, OauthClient } from '../../persistence/directory/index.ts';
import { OauthRefusal } from './oauth-error.ts';
import { digestToken } from './random.ts';

interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface PresentedCredentials {
  /** The Authorization header, '' when absent. */
  readonly authorization: string;
  /** client_id and client_secret of the form. */
  readonly formClientId: string | undefined;
  readonly formClientSecret: string | undefined;
}

const NO_SECRET = new Uint8Array(32);
const failed = new OauthRefusal('invalid_client', 'Client authentication failed.');

/** An unknown client is refused in the same way, and after the same work, as a wrong secret. */
export async function authenticateClient(
  directory: Directory,
  presented: PresentedCredentials,
): Promise<OauthClient | OauthRefusal> {
  const credentials = readCredentials(presented);
  if (credentials instanceof OauthRefusal) return credentials;
  const client = await directory.oauthClients.get(credentials.clientId);
  const expected = client?.secretHash ?? NO_SECRET;
  const matches = timingSafeEqual(digestToken(credentials.clientSecret), expected);
  return matches && client !== null ? client : failed;
}

/** By the Basic header or by the form, never by both; the form may repeat the header's client_id. */
function readCredentials(presented: PresentedCredentials): ClientCredentials | OauthRefusal {
  const { authorization, formClientId, formClientSecret } = presented;
  if (authorization === '') {
    if (formClientId === undefined || formClientSecret === undefined) return failed;
    return { clientId: formClientId, clientSecret: formClientSecret };
  }
  const credentials = parseBasic(authorization);
  if (credentials === null) return failed;
  if (formClientSecret !== undefined) {
    return new OauthRefusal('invalid_request', 'Use one method of client authentication.');
  }
  if (formClientId !== undefined && formClientId !== credentials.clientId) {
    return new OauthRefusal(
      'invalid_request',
      'client_id is not that of the Authorization header.',
    );
  }
  return credentials;
}

function parseBasic(authorization: string): ClientCredentials | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  return {
    clientId: formDecode(text.slice(0, colon)),
    clientSecret: formDecode(text.slice(colon + 1)),
  };
}

/**
 * RFC 6749 (2.3.1) has both halves form-encoded first, which strict clients do and curl does not. What
 * cannot be decoded was not encoded.
 */
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
