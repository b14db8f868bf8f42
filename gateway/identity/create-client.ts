import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDirectory } from '../../persistence/directory/index.ts';
import { DIRECTORY_FILE } from './identity.ts';
import { digestToken, systemRandom } from './random.ts';

interface CreateClientCommand {
  /** `--client-id` is required, `--name` optional. */
  readonly args: readonly string[];
  readonly dataDirectory: string;
  readonly output: NodeJS.WritableStream;
  /** UTC milliseconds. */
  readonly now: number;
}

const ACTOR = 'system:create-client';
const USAGE = 'Usage: create-client --client-id ID [--name NAME].';

/**
 * Registers an OAuth client for trusted servers (password grant, both offices) in a data directory,
 * also while the server runs on it. The secret is made here and shown once. Answers the exit code.
 */
export async function createClient(command: CreateClientCommand): Promise<number> {
  const { output } = command;
  const { values } = parseArgs({
    args: [...command.args],
    options: { 'client-id': { type: 'string' }, name: { type: 'string' } },
    strict: false,
  });
  const clientId = values['client-id'];
  if (typeof clientId !== 'string' || !/^[\w.-]{1,64}$/.test(clientId)) {
    output.write(`${USAGE}\n`);
    return 1;
  }
  const directory = await openDirectory({ file: join(command.dataDirectory, DIRECTORY_FILE) });
  try {
    const secret = systemRandom.token();
    const isNew = await directory.oauthClients.register({
      clientId,
      name: typeof values.name === 'string' ? values.name : clientId,
      secretHash: digestToken(secret),
      grantTypes: ['password', 'refresh_token'],
      scopes: ['openid', 'offline_access', 'FrontOffice', 'BackOffice'],
      redirectUris: [],
      actor: ACTOR,
      at: command.now,
    });
    output.write(
      isNew ? `Client ${clientId}, secret ${secret}\n` : `${clientId} exists already.\n`,
    );
    return isNew ? 0 : 1;
  } finally {
    await directory.close();
  }
}
