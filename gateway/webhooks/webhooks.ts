import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Directory,
  DirectoryBusyError,
  type DueWebhook,
  type NewWebhookDelivery,
} from '../../persistence/directory/index.ts';
import { type CallbackView, parseJson, type ViewsClient } from '../../persistence/views/index.ts';
import { BackgroundWork } from '../background-work.ts';
import { pauseAfter, type RetryPolicy } from './retries.ts';
import type { WebhookSecrets } from './secrets.ts';
import type { CallResult, WebhookSender } from './sender.ts';
import { signedHeaders } from './signature.ts';

export interface WebhooksOptions {
  readonly views: Pick<ViewsClient, 'callbacks'>;
  /** The newest sequence that was acknowledged to anyone. */
  durableSequence(): number;
  readonly directory: Directory;
  readonly secrets: WebhookSecrets;
  readonly sender: WebhookSender;
  readonly retries: RetryPolicy;
  /** UTC milliseconds. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
  onError(error: unknown): void;
}

const CALLS_MAX = 16;
/** A target that is slow keeps no more than these from the others. */
const CALLS_A_TARGET_MAX = 2;
const TAKEN_AT_ONCE = 500;
const BUSY_PAUSE_MS = 100;
const ERROR_PAUSE_MS = 5_000;
/** Timers reach no further than this. */
const SLEEP_MS_MAX = 60 * 60 * 1000;

/**
 * Tells whoever asked for it what becomes of transfers: at least once, each transfer's states in their
 * order, also those of a life of the process that ended early. What is to be told is read from the
 * views, so that it is durable before anybody hears of it, and written down before it is sent.
 */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #work: BackgroundWork;
  readonly #stopping = new AbortController();
  /** Calls under way. */
  readonly #calls = new Map<number, { readonly target: string; readonly done: Promise<void> }>();
  /** The newest callback that is written down; undefined: not read yet. */
  #taken: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#work = new BackgroundWork({ step: () => this.#step(), onError: options.onError });
  }

  /** There may be something to tell. Also goes on with what a stop or a crash left. */
  wake(): void {
    this.#work.wake();
  }

  /** Gives up the calls under way; they are made again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#work.stop();
    await Promise.all([...this.#calls.values()].map(({ done }) => done));
  }

  async #step(): Promise<boolean> {
    clearTimeout(this.#timer);
    if (!(await this.#takeNew())) {
      this.#wakeIn(BUSY_PAUSE_MS);
      return false;
    }
    if (await this.#startCalls()) return true;
    const exceptTargets = this.#fullTargets();
    const exceptIds = [...this.#calls.keys()];
    if (this.#calls.size >= CALLS_MAX) return false;
    const nextAt = await this.#options.directory.webhooks.nextAt({ exceptTargets, exceptIds });
    if (nextAt !== null) this.#wakeIn(nextAt - this.#options.now());
    return false;
  }

  #wakeIn(milliseconds: number): void {
    if (this.#stopping.signal.aborted) return;
    const pause = Math.min(Math.max(milliseconds, 0), SLEEP_MS_MAX);
    this.#timer = setTimeout(() => this.wake(), pause);
  }

  /** Writes down what is new in the views; false where they cannot be read at the moment. */
  async #takeNew(): Promise<boolean> {
    const { views, directory, durableSequence, now } = this.#options;
    this.#taken ??= await directory.webhooks.newest();
    for (;;) {
      const page = { after: this.#taken, limit: TAKEN_AT_ONCE };
      const read = await views.callbacks(page, durableSequence());
      if (read.kind !== 'answer') return false;
      const deliveries = parseJson(read.json).map(deliveryOf);
      const last = deliveries.at(-1);
      if (last === undefined) return true;
      await directory.webhooks.add({ deliveries, at: now() });
      this.#taken = last.id;
    }
  }

  /** Starts what may be sent now; answers whether anything was. */
  async #startCalls(): Promise<boolean> {
    const limit = CALLS_MAX - this.#calls.size;
    if (limit === 0) return false;
    const { directory, now } = this.#options;
    const due = await directory.webhooks.due({
      at: now(),
      exceptIds: [...this.#calls.keys()],
      exceptTargets: this.#fullTargets(),
      limit,
    });
    for (const delivery of due) {
      if (this.#callsTo(delivery.target) >= CALLS_A_TARGET_MAX) continue;
      const done = this.#deliver(delivery).finally(() => {
        this.#calls.delete(delivery.id);
        this.wake();
      });
      this.#calls.set(delivery.id, { target: delivery.target, done });
    }
    return due.length > 0;
  }

  #callsTo(target: string): number {
    return [...this.#calls.values()].filter((call) => call.target === target).length;
  }

  #fullTargets(): string[] {
    const targets = new Set([...this.#calls.values()].map(({ target }) => target));
    return [...targets].filter((target) => this.#callsTo(target) >= CALLS_A_TARGET_MAX);
  }

  async #deliver(delivery: DueWebhook): Promise<void> {
    try {
      const { secrets, sender, now } = this.#options;
      const { id, url, body, attempts } = delivery;
      const valid = await this.#patiently(() => secrets.valid(now()));
      if (valid === undefined) return;
      const at = now();
      const keys = valid.map(({ secret }) => secret);
      const headers = signedHeaders({ id: messageId(delivery), body }, keys, at);
      const started = performance.now();
      const result = await sender.send({ url, body, headers, attempts }, this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      const durationMs = Math.round(performance.now() - started);
      const attempt = { id, attempt: attempts + 1, at, durationMs, ...this.#outcome(result) };
      const { directory } = this.#options;
      await this.#patiently(() =>
        directory.webhooks.recordAttempt({
          ...attempt,
          status: this.#statusAfter(result, attempts + 1),
          nextAttemptAt: now() + this.#pauseAfter(attempts + 1),
        }),
      );
    } catch (error) {
      this.#options.onError(error);
      await this.#pause(ERROR_PAUSE_MS);
    }
  }

  #outcome(result: CallResult): {
    readonly httpStatus: number | null;
    readonly error: string | null;
  } {
    return result.kind === 'answered'
      ? { httpStatus: result.status, error: null }
      : { httpStatus: null, error: result.reason };
  }

  #statusAfter(result: CallResult, attempt: number): 'Pending' | 'Delivered' | 'Failed' {
    if (result.kind === 'refused') return 'Failed';
    const isTaken = result.kind === 'answered' && result.status >= 200 && result.status < 300;
    if (isTaken) return 'Delivered';
    return attempt >= this.#options.retries.attemptsMax ? 'Failed' : 'Pending';
  }

  #pauseAfter(attempt: number): number {
    const { retries, random } = this.#options;
    return pauseAfter(retries, attempt, random());
  }

  /** The directory may have too much to do; undefined once this is stopping. */
  async #patiently<T>(ask: () => Promise<T>): Promise<T | undefined> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof DirectoryBusyError)) throw error;
        await this.#pause(BUSY_PAUSE_MS);
      }
    }
    return undefined;
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

function messageId({ transferId, id }: DueWebhook): string {
  return `transfer_${transferId}_${id}`;
}

const TYPES = {
  AwaitingConfirmation: 'transfer.awaiting_confirmation',
  Pending: 'transfer.pending',
  Completed: 'transfer.completed',
  Failed: 'transfer.failed',
  Canceled: 'transfer.canceled',
} as const;

function deliveryOf({ id, url, transfer }: CallbackView): NewWebhookDelivery {
  const { transferId, status, updatedAt } = transfer;
  const body = JSON.stringify({ type: TYPES[status], timestamp: updatedAt, data: transfer });
  const target = URL.canParse(url) ? new URL(url).host : '';
  return { id, transferId: Number(transferId), target, url, body };
}
