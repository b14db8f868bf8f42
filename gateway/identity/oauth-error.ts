/**
 * The error codes that the token endpoint answers, with their status: those of RFC 6749 (5.2), and for
 * limits and load the two registered ones that come closest.
 */
export const OAUTH_ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  slow_down: 429,
  temporarily_unavailable: 503,
} as const;

export type OauthErrorCode = keyof typeof OAUTH_ERROR_STATUS;

/** A refusal of the token endpoint: an expected outcome, hence a value and no Error. */
export class OauthRefusal {
  readonly error: OauthErrorCode;
  readonly description: string;
  /** Seconds until a repeat makes sense, where the refusal is about load or attempts. */
  readonly retryAfterSeconds: number | null;

  constructor(error: OauthErrorCode, description: string, retryAfterSeconds: number | null = null) {
    this.error = error;
    this.description = description;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function missingParameter(name: string): OauthRefusal {
  return new OauthRefusal('invalid_request', `The parameter ${name} is required.`);
}
