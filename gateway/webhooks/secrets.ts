import type { Directory, SealedWebhookSecret } from '../../persistence/directory/index.ts';
import type { SecretBox } from '../identity/index.ts';
import { newWebhookSecret } from './signature.ts';

/** A signing key as administrators read it. Times are UTC milliseconds. */
export interface WebhookSecret {
  readonly secret: string;
  readonly createdAt: number;
  /** When it ceases to sign beside its successor; null for the newest. */
  readonly expiresAt: number | null;
}

/** How long receivers have to take up a new key. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;
const CONTEXT = 'webhook secret';

/** The keys that calls are signed with. They lie in the directory, sealed. */
export class WebhookSecrets {
  readonly #directory: Directory;
  readonly #box: SecretBox;

  constructor(directory: Directory, box: SecretBox) {
    this.#directory = directory;
    this.#box = box;
  }

  /** The valid keys, newest first; the first of all is made when it is first asked for. */
  async valid(now: number): Promise<readonly WebhookSecret[]> {
    const known = await this.#directory.webhooks.secrets(now);
    if (known.length > 0) return known.map((secret) => this.#opened(secret));
    return await this.#add('system:webhooks', now);
  }

  /** Makes a new key; the one before signs beside it for a day. Answers all that are valid. */
  async rotate(userId: string, now: number): Promise<readonly WebhookSecret[]> {
    await this.valid(now);
    return await this.#add(`user:${userId}`, now);
  }

  async #add(
    actor: `user:${string}` | `system:${string}`,
    at: number,
  ): Promise<readonly WebhookSecret[]> {
    const sealed = this.#box.seal(newWebhookSecret(), CONTEXT);
    const previousUntil = at + OVERLAP_MS;
    await this.#directory.webhooks.addSecret({ sealed, actor, at, previousUntil });
    const secrets = await this.#directory.webhooks.secrets(at);
    return secrets.map((secret) => this.#opened(secret));
  }

  #opened({ sealed, createdAt, expiresAt }: SealedWebhookSecret): WebhookSecret {
    return { secret: this.#box.open(sealed, CONTEXT), createdAt, expiresAt };
  }
}
