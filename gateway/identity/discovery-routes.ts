import { type Route, route } from '../http/route.ts';
import { DiscoveryResponse, JwksResponse } from './identity-schemas.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

const CACHED = { 'cache-control': 'public, max-age=300' };

/** What a client reads before it signs anybody in: where things are, and the keys to check with. */
export function discoveryRoutes(keys: SigningKeys, issuer: string): Route[] {
  return [
    jwksRoute(keys),
    discoveryRoute('/.well-known/openid-configuration', issuer),
    discoveryRoute('/identity/.well-known/openid-configuration', issuer),
  ];
}

function jwksRoute(keys: SigningKeys): Route {
  const body = { keys: keys.all.map(({ publicJwk }) => publicJwk) };
  return route({
    method: 'GET',
    path: '/identity/.well-known/jwks.json',
    area: 'identity',
    operation: 'none',
    extension: true,
    summary: 'The public keys that access tokens and ID tokens are signed with',
    responseHeaders: CACHED,
    responses: { 200: JwksResponse },
    handler: () => body,
  });
}

function discoveryRoute(path: string, issuer: string): Route {
  const body = {
    issuer,
    authorization_endpoint: `${issuer}/identity/connect/authorize`,
    token_endpoint: `${issuer}/identity/connect/token`,
    jwks_uri: `${issuer}/identity/.well-known/jwks.json`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'password', 'refresh_token'],
    subject_types_supported: ['public'],
    scopes_supported: ['openid', 'offline_access', 'FrontOffice', 'BackOffice'],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash'],
    id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
  };
  return route({
    method: 'GET',
    path,
    area: 'identity',
    operation: 'none',
    extension: true,
    summary: 'Where the identity component is and what it can do (OpenID Connect Discovery)',
    responseHeaders: CACHED,
    responses: { 200: DiscoveryResponse },
    handler: () => body,
  });
}
