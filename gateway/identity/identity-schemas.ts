import { type Static, Type } from '@sinclair/typebox';
import { Int32, Nullable, OneOf, TimestampOutput } from '../http/schema.ts';
import { OAUTH_ERROR_STATUS, type OauthErrorCode } from './oauth-error.ts';

/** Unknown parameters are ignored (RFC 6749, 3.2); each grant asks for the ones it needs. */
export const TokenForm = Type.Object(
  {
    grant_type: Type.Optional(
      Type.String({ description: 'authorization_code, password or refresh_token' }),
    ),
    scope: Type.Optional(Type.String({ description: 'Space-separated' })),
    username: Type.Optional(Type.String({ description: 'The email, for grant_type=password' })),
    password: Type.Optional(Type.String({ description: 'For grant_type=password' })),
    refresh_token: Type.Optional(Type.String({ description: 'For grant_type=refresh_token' })),
    code: Type.Optional(Type.String({ description: 'For grant_type=authorization_code' })),
    code_verifier: Type.Optional(
      Type.String({
        description: 'For grant_type=authorization_code: what the challenge was made of',
      }),
    ),
    redirect_uri: Type.Optional(
      Type.String({ description: 'For grant_type=authorization_code: as at the authorization' }),
    ),
    client_id: Type.Optional(Type.String({ description: 'Where no Basic header is sent' })),
    client_secret: Type.Optional(Type.String({ description: 'Where no Basic header is sent' })),
  },
  { additionalProperties: true },
);

export type TokenFormFields = Static<typeof TokenForm>;

export const TokenResponse = Type.Object({
  access_token: Type.String(),
  expires_in: Type.Number({ description: 'Seconds' }),
  token_type: Type.Literal('Bearer'),
  refresh_token: Type.Optional(
    Type.String({ description: 'Only with the scope offline_access; good for one use' }),
  ),
  scope: Type.String(),
  id_token: Type.Optional(
    Type.String({ description: 'With the scope openid, for grant_type=authorization_code' }),
  ),
});

/** Unknown parameters are ignored; what is wrong with the known ones is answered 401. */
export const AuthorizeQuery = Type.Object(
  {
    client_id: Type.Optional(Type.String({ description: 'Required. spa or spa_admin' })),
    response_type: Type.Optional(Type.String({ description: 'Required. code' })),
    redirect_uri: Type.Optional(
      Type.String({ description: 'Required. Exactly as registered for the client' }),
    ),
    scope: Type.Optional(Type.String({ description: 'Space-separated' })),
    state: Type.Optional(Type.String({ description: 'Comes back with the code' })),
    nonce: Type.Optional(Type.String({ description: 'Comes back in the ID token' })),
    code_challenge: Type.Optional(
      Type.String({ description: 'Required. base64url of SHA-256 of the code_verifier' }),
    ),
    code_challenge_method: Type.Optional(Type.String({ description: 'Required. S256' })),
    response_mode: Type.Optional(Type.String({ description: 'query, the default' })),
    request: Type.Optional(Type.String({ description: 'Not supported' })),
    request_uri: Type.Optional(Type.String({ description: 'Not supported' })),
  },
  { additionalProperties: true },
);

export type AuthorizeParameters = Static<typeof AuthorizeQuery>;

/** Where a route reads the cookies of the identity component. */
export const CookieHeader = Type.Object({ cookie: Type.Optional(Type.String()) });

const Password = Type.String({ minLength: 1, maxLength: 1_024 });
const VerificationCode = Type.String({ minLength: 1, maxLength: 32, description: 'Six digits' });
const Provider = () => OneOf(['Email', 'Authenticator'], { description: 'Where codes come from' });

/** Email and password first; where they are not enough, provider and VerificationCode then. */
export const SignInBody = Type.Object({
  email: Type.Optional(
    Type.String({ minLength: 1, maxLength: 320, description: 'Required in the first step' }),
  ),
  password: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_024, description: 'Required in the first step' }),
  ),
  provider: Type.Optional(Provider()),
  VerificationCode: Type.Optional(VerificationCode),
});

export const SecondFactorState = Type.Object({
  twoFactorEnabled: Type.Boolean(),
  provider: Nullable(Provider()),
});

export const SecondFactorBegin = Type.Object({
  provider: Provider(),
  password: Password,
  VerificationCode: Type.Optional(VerificationCode),
});

export const SecondFactorBegun = Type.Object({
  provider: Provider(),
  secret: Type.Optional(Type.String({ description: 'Base32, for an authenticator; shown once' })),
  uri: Type.Optional(Type.String({ description: 'otpauth address, for an authenticator' })),
});

export const SecondFactorConfirm = Type.Object({ VerificationCode });

export const SecondFactorDisable = Type.Object({
  password: Password,
  VerificationCode: Type.Optional(VerificationCode),
});

export const SignInResponse = Type.Object({
  secondFactorRequired: Type.Boolean(),
  message: Type.Optional(Type.String({ description: 'When a second factor is required' })),
  provider: Type.Optional(Provider()),
});

export const DiscoveryResponse = Type.Object({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  jwks_uri: Type.String(),
  response_types_supported: Type.Array(Type.String()),
  response_modes_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  subject_types_supported: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  claims_supported: Type.Array(Type.String()),
  id_token_signing_alg_values_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  code_challenge_methods_supported: Type.Array(Type.String()),
  authorization_response_iss_parameter_supported: Type.Boolean(),
  request_parameter_supported: Type.Boolean(),
  request_uri_parameter_supported: Type.Boolean(),
  claims_parameter_supported: Type.Boolean(),
});

const OAUTH_ERROR_CODES = Object.keys(OAUTH_ERROR_STATUS) as OauthErrorCode[];

export const OauthErrorResponse = Type.Object({
  error: OneOf(OAUTH_ERROR_CODES),
  error_description: Type.String(),
});

const Token = Type.Object({
  token: Type.String(),
  createdAt: TimestampOutput(),
  expiresAt: TimestampOutput(),
});

export const TokenPairResponse = Type.Object({ accessToken: Token, refreshToken: Token });

export const IdentityErrorResponse = Type.Object({
  error: Type.Object({
    message: Type.String(),
    code: Type.Optional(Int32()),
    details: Type.Array(
      Type.Object({
        issue: Type.String(),
        field: Type.String(),
        name: Type.Optional(Type.String()),
      }),
    ),
  }),
});

export const JwksResponse = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      crv: Type.String(),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      alg: Type.String(),
      use: Type.String(),
    }),
  ),
});
