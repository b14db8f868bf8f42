import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDirectory } from '../../persistence/directory/index.ts';
import { createUser } from './create-user.ts';
import { DIRECTORY_FILE } from './identity.ts';
import { createPasswordHasher, PASSWORD_BYTES_MAX } from './password-hasher.ts';
import { systemRandom } from './random.ts';
import { type PasswordInput, readPassword } from './read-password.ts';
import { synchroniseRoles } from './roles.ts';

interface CreateAdministratorCommand {
  /** `--email` is required, `--nickname` optional. A password is never an argument. */
  readonly args: readonly string[];
  readonly dataDirectory: string;
  readonly input: PasswordInput;
  readonly output: NodeJS.WritableStream;
  /** UTC milliseconds. */
  readonly now: number;
}

const PASSWORD_LENGTH_MIN = 8;
const ACTOR = 'system:create-admin';

/**
 * Makes an administrator in a data directory, also while the server runs on it. The password comes
 * from the terminal, unseen, or as the first line of the input. Answers the exit code.
 */
export async function createAdministrator(command: CreateAdministratorCommand): Promise<number> {
  const { output } = command;
  const options = readOptions(command.args);
  if (typeof options === 'string') return fail(output, options);
  const password = await readPassword(command.input, output, `Password of ${options.email}: `);
  const fault = faultOf(password);
  if (fault !== null) return fail(output, fault);

  const directory = await openDirectory({ file: join(command.dataDirectory, DIRECTORY_FILE) });
  try {
    await synchroniseRoles(directory, command.now);
    const passwords = await createPasswordHasher();
    const user = await createUser(
      { directory, passwords, random: systemRandom },
      {
        ...options,
        password,
        roles: ['Admin'],
        isEmailConfirmed: true,
        actor: ACTOR,
        at: command.now,
      },
    );
    if (user === null) return fail(output, `${options.email} exists already.`);
    output.write(`Administrator ${user.email} created (${user.id}).\n`);
    return 0;
  } finally {
    await directory.close();
  }
}

function readOptions(args: readonly string[]): { email: string; nickname: string } | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { email: { type: 'string' }, nickname: { type: 'string' } },
    });
    const { email } = values;
    if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email)) {
      return 'Usage: create-admin --email ADDRESS [--nickname NAME], password on the input.';
    }
    return { email, nickname: values.nickname ?? email.replace(/@.*$/, '') };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function faultOf(password: string): string | null {
  if (password.length < PASSWORD_LENGTH_MIN) {
    return `The password needs at least ${PASSWORD_LENGTH_MIN} characters.`;
  }
  if (Buffer.byteLength(password.normalize('NFC'), 'utf8') > PASSWORD_BYTES_MAX) {
    return `The password has more than ${PASSWORD_BYTES_MAX} bytes.`;
  }
  return null;
}

function fail(output: NodeJS.WritableStream, message: string): number {
  output.write(`${message}\n`);
  return 1;
}
