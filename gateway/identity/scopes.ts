import type { OauthClient } from '../../persistence/directory/index.ts';
import { OauthRefusal } from './oauth-error.ts';

/** What a sign-in without a scope parameter gets: the front office and no refresh token. */
const DEFAULT_SCOPES = ['openid', 'FrontOffice'];

/** The scopes of a space-separated list, each once, in the order given. */
export function splitScopes(text: string): string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))];
}

/** The scopes that a sign-in gets. All that were asked for must be open to the client. */
export function resolveScopes(
  client: OauthClient,
  requested: string | undefined,
): readonly string[] | OauthRefusal {
  const scopes = splitScopes(requested ?? '');
  if (scopes.length === 0) return DEFAULT_SCOPES.filter((scope) => client.scopes.includes(scope));
  if (scopes.every((scope) => client.scopes.includes(scope))) return scopes;
  return new OauthRefusal('invalid_scope', 'A requested scope is not open to this client.');
}
