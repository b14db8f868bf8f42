import { type Directory, DirectoryBusyError } from '../../persistence/directory/index.ts';
import { authenticateClient } from './client-authentication.ts';
import type { GrantTable } from './grants.ts';
import type { TokenFormFields } from './identity-schemas.ts';
import { missingParameter, OauthRefusal } from './oauth-error.ts';
import type { TokenSet } from './token-service.ts';

export interface TokenRequest {
  /** The Authorization header, '' when absent. */
  readonly authorization: string;
  readonly form: TokenFormFields;
  readonly remoteAddress: string;
  readonly now: number;
}

const busy = new OauthRefusal('temporarily_unavailable', 'Try again in a moment.', 1);

/** The token endpoint of RFC 6749 (3.2), apart from HTTP: first the client, then its grant. */
export class TokenEndpoint {
  readonly #directory: Directory;
  readonly #grants: GrantTable;

  constructor(directory: Directory, grants: GrantTable) {
    this.#directory = directory;
    this.#grants = grants;
  }

  async answer(request: TokenRequest): Promise<TokenSet | OauthRefusal> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof DirectoryBusyError) return busy;
      throw error;
    }
  }

  async #answer(request: TokenRequest): Promise<TokenSet | OauthRefusal> {
    const { form } = request;
    const { client_id: formClientId, client_secret: formClientSecret } = form;
    const client = await authenticateClient(this.#directory, {
      authorization: request.authorization,
      formClientId,
      formClientSecret,
    });
    if (client instanceof OauthRefusal) return client;
    const { grant_type: grantType } = form;
    if (grantType === undefined) return missingParameter('grant_type');
    const grant = this.#grants.get(grantType);
    if (grant === undefined) {
      return new OauthRefusal('unsupported_grant_type', 'There is no such grant_type here.');
    }
    if (!client.grantTypes.includes(grantType)) {
      return new OauthRefusal('unauthorized_client', 'The client may not use this grant_type.');
    }
    return await grant({ client, form, remoteAddress: request.remoteAddress, now: request.now });
  }
}
