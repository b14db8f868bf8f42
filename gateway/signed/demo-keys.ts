import type { Directory } from '../../persistence/directory/index.ts';
import { type DemoEmail, type SecretBox, systemRandom } from '../identity/index.ts';
import type { Reference } from '../venue/reference.ts';
import { mainAccountOf } from './main-account.ts';
import { secretContext } from './signed-sessions.ts';

/** Their secrets are published, so they exist only in data directories that were made for a demo. */
const DEMO_KEYS = [
  { email: 'alice@matchbox.test', key: 'demo-key-alice', secret: 'demo-secret-alice' },
  { email: 'bob@matchbox.test', key: 'demo-key-bob', secret: 'demo-secret-bob' },
] as const;

const SEEDED_MARK = 'demo-signed-keys';
const KEYS_MAX = 20;

export interface DemoKeyParts {
  readonly directory: Directory;
  readonly reference: Reference;
  readonly secrets: SecretBox;
  readonly userIds: ReadonlyMap<DemoEmail, string>;
  /** UTC milliseconds. */
  readonly now: number;
}

/** Makes the keys of the demo once, each for its user's `Main` account; one revoked since stays so. */
export async function seedDemoSignedKeys(parts: DemoKeyParts): Promise<void> {
  const { directory, reference, secrets, userIds, now } = parts;
  if ((await directory.meta.get(SEEDED_MARK)) !== null) return;
  for (const { email, key, secret } of DEMO_KEYS) {
    const userId = userIds.get(email);
    const account = userId === undefined ? undefined : mainAccountOf(reference, userId);
    if (userId === undefined || account === undefined) throw new Error(`${email} has no account`);
    if ((await directory.signedKeys.find(key)) !== null) continue;
    const id = systemRandom.uuid();
    await directory.signedKeys.create({
      id,
      userId,
      accountId: account.configuration.accountId,
      name: 'Demo',
      key,
      sealedSecret: secrets.seal(secret, secretContext(id)),
      keysMax: KEYS_MAX,
      actor: 'system:demo',
      at: now,
    });
  }
  await directory.meta.set({ key: SEEDED_MARK, value: String(now) });
}
