import { type Static, Type } from '@sinclair/typebox';
import { Int32, OneOf, TimestampOutput } from '../http/schema.ts';
import { OAUTH_ERROR_STATUS, type OauthErrorCode } from './oauth-error.ts';

/** Unknown parameters are ignored (RFC 6749, 3.2); each grant asks for the ones it needs. */
export const TokenForm = Type.Object(
  {
    grant_type: Type.Optional(Type.String({ description: 'password or refresh_token' })),
    scope: Type.Optional(Type.String({ description: 'Space-separated' })),
    username: Type.Optional(Type.String({ description: 'The email, for grant_type=password' })),
    password: Type.Optional(Type.String({ description: 'For grant_type=password' })),
    refresh_token: Type.Optional(Type.String({ description: 'For grant_type=refresh_token' })),
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
