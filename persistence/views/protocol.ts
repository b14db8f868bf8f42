import type { MessagePort } from 'node:worker_threads';
import type { ProjectionPolicy } from './pacing.ts';
import type { QueryRequest } from './queries/requests.ts';

/** Client → views thread. */
export type ViewsNotice =
  /** The journal is durable up to here. */
  | { readonly kind: 'durable'; readonly sequence: number }
  /** A reader waits for this sequence, which is durable. */
  | { readonly kind: 'wanted'; readonly sequence: number }
  /** A query found the file of this generation damaged. */
  | { readonly kind: 'damaged'; readonly generation: number; readonly reason: string }
  | { readonly kind: 'close' };

/** Views thread → client. */
export type ViewsReport =
  /** Readable up to here. The generation grows each time the file is made anew. */
  | { readonly kind: 'projected'; readonly sequence: number; readonly generation: number }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly details: object;
      readonly message: string;
    }
  | { readonly kind: 'closed' };

/** workerData of views-thread.ts. */
export interface ViewsThreadData {
  readonly dataDir: string;
  readonly port: MessagePort;
  readonly policy: ProjectionPolicy;
  /** How much the thread steps back behind the others, 0 to 19; where the system can do that. */
  readonly niceness: number;
}

/** What a query thread is asked: requests of one moment, answered in one read transaction. */
export interface QueryTask {
  readonly generation: number;
  readonly requests: readonly QueryRequest[];
}

/** Errors lose their class on the way between threads, so they travel as data. */
export type QueryOutcome =
  | { readonly ok: true; readonly texts: readonly (string | null)[] }
  | { readonly ok: false; readonly damaged: boolean; readonly message: string };
