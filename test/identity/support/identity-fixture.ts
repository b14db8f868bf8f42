import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedDemoDirectory } from '../../../gateway/identity/demo-directory.ts';
import {
  createIdentity,
  type Identity,
  type IdentityOptions,
} from '../../../gateway/identity/identity.ts';
import { createPasswordHasher } from '../../../gateway/identity/password-hasher.ts';
import { systemRandom } from '../../../gateway/identity/random.ts';
import type { Directory } from '../../../persistence/directory/index.ts';
import { openInThreadDirectory } from './in-thread-directory.ts';
import { RouteCaller } from './route-caller.ts';

/** Cheap, so that tests are about behaviour; the cost itself has a test of its own. */
export const CHEAP_HASH = { memoryKibibytes: 8, iterations: 1, parallelism: 1 };
export const DEMO_PASSWORD = 'Matchbox-1!';
const ISSUER = 'http://127.0.0.1:9000';
export const ALICE = 'alice@matchbox.test';

export interface IdentityFixture {
  readonly directory: Directory;
  readonly identity: Identity;
  readonly userIds: ReadonlyMap<string, string>;
  readonly dataDirectory: string;
  readonly http: RouteCaller;
  /** UTC milliseconds, for the test to move. */
  readonly clock: { now: number };
  dispose(): Promise<void>;
}

/** A demo directory and the identity component on it, called as the server would call it. */
export async function createFixture(
  options: Partial<IdentityOptions> = {},
): Promise<IdentityFixture> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'matchbox-identity-'));
  const directory = options.directory ?? openInThreadDirectory();
  const clock = { now: 1_767_225_600_123 };
  const passwords = await createPasswordHasher({ parameters: CHEAP_HASH });
  const userIds = await seedDemoDirectory({
    directory,
    passwords,
    random: systemRandom,
    dataDirectory,
    issuer: options.issuer ?? ISSUER,
    now: clock.now,
  });
  const identity = await createIdentity({
    directory,
    dataDirectory,
    issuer: ISSUER,
    now: clock.now,
    passwords,
    monotonicNow: () => clock.now,
    ...options,
  });
  return {
    directory,
    identity,
    userIds,
    dataDirectory,
    http: new RouteCaller(identity, clock),
    clock,
    async dispose() {
      await directory.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
