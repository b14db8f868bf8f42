import type { Directory } from '../../persistence/directory/index.ts';
import type { ViewsClient } from '../../persistence/views/index.ts';
import type { Route } from '../http/route.ts';
import { loadSecretBox } from '../identity/index.ts';
import { resolveName } from './resolver.ts';
import type { RetryPolicy } from './retries.ts';
import { WebhookSecrets } from './secrets.ts';
import { WebhookSender } from './sender.ts';
import { RefusedTarget, Targets } from './targets.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { Webhooks } from './webhooks.ts';

/** What whoever changes a transfer needs of it. */
export interface Callbacks {
  /** Why a callback address is not taken; undefined where it is. */
  refusalOf(url: string): string | undefined;
  /** A transfer changed. */
  changed(): void;
}

export interface CallbackOptions {
  readonly directory: Directory;
  readonly views: ViewsClient;
  readonly dataDirectory: string;
  /** Networks that may be called although they are not public. */
  readonly allowed: readonly string[];
  readonly retries: RetryPolicy;
  /** The newest sequence that was acknowledged to anyone. */
  durableSequence(): number;
  /** UTC milliseconds. */
  now(): number;
  onError(error: unknown): void;
}

const CALL_TIMEOUT_MS = 10_000;

/** Calls to the callback addresses of transfers: their routes, and the work behind them. */
export interface RunningCallbacks extends Callbacks {
  readonly routes: readonly Route[];
  stop(): Promise<void>;
}

/** Starts with what a stop or a crash left. */
export function startCallbacks(options: CallbackOptions): RunningCallbacks {
  const { directory, dataDirectory, allowed } = options;
  const targets = new Targets(allowed);
  const secrets = new WebhookSecrets(directory, loadSecretBox(dataDirectory));
  const webhooks = new Webhooks({
    ...options,
    secrets,
    sender: new WebhookSender({ targets, resolve: resolveName, timeoutMs: CALL_TIMEOUT_MS }),
    random: Math.random,
  });
  webhooks.wake();
  return {
    routes: webhookRoutes({ directory, secrets }),
    refusalOf(url) {
      const target = targets.parse(url);
      return target instanceof RefusedTarget ? target.reason : undefined;
    },
    changed: () => webhooks.wake(),
    stop: () => webhooks.stop(),
  };
}
