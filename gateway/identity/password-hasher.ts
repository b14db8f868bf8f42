import { hash, verify } from '@node-rs/argon2';
import { BoundedGate } from './bounded-gate.ts';

/** Cost of argon2id. The defaults are OWASP's; a stored hash of lower cost is renewed at sign-in. */
interface PasswordHashParameters {
  readonly memoryKibibytes: number;
  readonly iterations: number;
  readonly parallelism: number;
}

export interface PasswordHasherOptions {
  readonly parameters?: PasswordHashParameters;
  /** Hashes computed at once; each takes a core for tens of milliseconds. 1 by default. */
  readonly running?: number;
  /** Sign-ins that may wait for theirs; beyond that they are refused. 16 by default. */
  readonly waiting?: number;
}

interface PasswordVerification {
  readonly matches: boolean;
  /** A hash of the same password at the current cost, when the stored one was made at another. */
  readonly rehashed?: string;
}

/** Hashes and checks passwords off the main thread, in libuv's pool. */
export interface PasswordHasher {
  /** A PHC string. Throws `GateFullError` when too many wait, RangeError for an unfit length. */
  hash(password: string): Promise<string>;
  /** `stored` is null for a user who does not exist: that costs the same time and never matches. */
  verify(password: string, stored: string | null): Promise<PasswordVerification>;
}

const OWASP_PARAMETERS: PasswordHashParameters = {
  memoryKibibytes: 19_456,
  iterations: 2,
  parallelism: 1,
};
export const PASSWORD_BYTES_MAX = 1_024;
/** `Algorithm.Argon2id`: the library declares a const enum, which isolated modules cannot read. */
const ARGON2ID = 2;

/** Resolves when the hash that stands in for unknown users has been made. */
export async function createPasswordHasher(
  options: PasswordHasherOptions = {},
): Promise<PasswordHasher> {
  const parameters = options.parameters ?? OWASP_PARAMETERS;
  const gate = new BoundedGate({ running: options.running ?? 1, waiting: options.waiting ?? 16 });
  const hashNow = (password: string) =>
    hash(password, {
      algorithm: ARGON2ID,
      memoryCost: parameters.memoryKibibytes,
      timeCost: parameters.iterations,
      parallelism: parameters.parallelism,
    });
  const currentPrefix = prefixOf(parameters);
  const standIn = await hashNow('nobody has this password');

  return {
    async hash(password) {
      const normalised = normalise(password);
      if (normalised === null) {
        throw new RangeError(`a password has 1 to ${PASSWORD_BYTES_MAX} bytes`);
      }
      return await gate.run(() => hashNow(normalised));
    },

    async verify(password, stored) {
      const normalised = normalise(password);
      if (normalised === null) return { matches: false };
      return await gate.run(async () => {
        const matches = (await verify(stored ?? standIn, normalised)) && stored !== null;
        if (!matches || stored.startsWith(currentPrefix)) return { matches };
        return { matches, rehashed: await hashNow(normalised) };
      });
    },
  };
}

/** The same characters typed on different systems give the same bytes; null is an unfit length. */
function normalise(password: string): string | null {
  const normalised = password.normalize('NFC');
  const bytes = Buffer.byteLength(normalised, 'utf8');
  return bytes >= 1 && bytes <= PASSWORD_BYTES_MAX ? normalised : null;
}

function prefixOf({ memoryKibibytes, iterations, parallelism }: PasswordHashParameters): string {
  return `$argon2id$v=19$m=${memoryKibibytes},t=${iterations},p=${parallelism}$`;
}
