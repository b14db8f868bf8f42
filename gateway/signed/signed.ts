import type { Directory } from '../../persistence/directory/index.ts';
import { type Identity, loadSecretBox, type SecretBox } from '../identity/index.ts';
import { SignedSessions } from './signed-sessions.ts';
import { UsedNonces } from './used-nonces.ts';

export interface SignedOptions {
  readonly directory: Directory;
  /** Where the key lies that secrets are sealed under. */
  readonly dataDirectory: string;
  readonly identity: Pick<Identity, 'roles' | 'onUserChange'>;
  /** UTC milliseconds. */
  readonly now: number;
}

/** What the signed interface knows: whose keys there are, and which nonces they have used. */
export interface Signed {
  readonly sessions: SignedSessions;
  readonly nonces: UsedNonces;
  readonly secrets: SecretBox;
}

/** Takes up the nonces of the last moments before a restart. */
export async function openSigned(options: SignedOptions): Promise<Signed> {
  const { directory, dataDirectory, identity, now } = options;
  const secrets = loadSecretBox(dataDirectory);
  const sessions = new SignedSessions(directory, identity.roles, secrets);
  identity.onUserChange(() => sessions.forget());
  const nonces = new UsedNonces(directory);
  await nonces.load(now);
  return { sessions, nonces, secrets };
}
