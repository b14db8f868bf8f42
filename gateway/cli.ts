import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { acceptEnd, isJournalError } from '../persistence/journal/index.ts';
import { ConfigError, readConfig } from './config.ts';
import { systemClock } from './http/server-state.ts';
import { createAdministrator, createClient } from './identity/index.ts';

/**
 * What an administrator does from a shell, on the data directory that `DATA_DIR` names:
 *
 *     node dist/gateway/cli.js create-admin --email ADDRESS [--nickname NAME]
 *     node dist/gateway/cli.js create-client --client-id ID [--name NAME]
 *     node dist/gateway/cli.js accept-end
 */

const USAGE = `Usage: cli COMMAND, on the data directory that DATA_DIR names.

  create-admin --email ADDRESS [--nickname NAME]
      Makes an administrator; asks for the password, or takes a line of the input.
  create-client --client-id ID [--name NAME]
      Registers an OAuth client for a trusted server; prints its secret once.
  accept-end
      Takes the end of the journal as it is for the truth, after its mark or its last
      batches were lost for good. The venue must not be running.
`;

async function run(command: string | undefined, args: readonly string[]): Promise<number> {
  const { dataDir } = readConfig(process.env);
  const { stdin: input, stdout: output } = process;
  const now = systemClock.now();
  switch (command) {
    case 'create-admin':
      await mkdir(dataDir, { recursive: true });
      return createAdministrator({ args, dataDirectory: dataDir, input, output, now });
    case 'create-client':
      await mkdir(dataDir, { recursive: true });
      return createClient({ args, dataDirectory: dataDir, output, now });
    case 'accept-end':
      if (!existsSync(dataDir)) throw new ConfigError(`There is no data directory ${dataDir}.`);
      output.write(`The journal ends at sequence ${acceptEnd(dataDir)}.\n`);
      return 0;
    default:
      process.stderr.write(USAGE);
      return 2;
  }
}

const [command, ...args] = process.argv.slice(2);
try {
  process.exitCode = await run(command, args);
} catch (error) {
  if (!(error instanceof ConfigError || isJournalError(error))) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
