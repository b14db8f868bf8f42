import type { QueryOutcome, QueryTask } from './protocol.ts';
import type { QueryRequest } from './queries/requests.ts';

/** How a query ended. A null text: there is no such thing. */
export type QueryResult =
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'lagging' }
  | { readonly kind: 'failed'; readonly damaged: boolean; readonly message: string };

export interface PendingQuery {
  readonly request: QueryRequest;
  readonly settle: (result: QueryResult) => void;
}

/** Reads of single orders that travel as one task. */
const POINTS_PER_TASK = 256;

/**
 * Hands queries to the pool. Whatever arrives while its threads are busy forms the next task: many
 * reads of single orders share one message each way, lists go one by one, in turn with them.
 */
export class QueryQueue {
  /** Of the file that is to be read. */
  generation = 0;
  private readonly run: (task: QueryTask) => Promise<QueryOutcome>;
  private readonly tasksMax: number;
  private points: PendingQuery[] = [];
  private readonly lists: PendingQuery[] = [];
  private tasks = 0;
  private listTurn = false;

  constructor(run: (task: QueryTask) => Promise<QueryOutcome>, tasksMax: number) {
    this.run = run;
    this.tasksMax = tasksMax;
  }

  add(query: PendingQuery): void {
    if ('orderId' in query.request) this.points.push(query);
    else this.lists.push(query);
    this.dispatch();
  }

  private dispatch(): void {
    while (this.tasks < this.tasksMax) {
      const queries = this.take();
      if (queries.length === 0) return;
      this.tasks++;
      this.execute(queries).finally(() => {
        this.tasks--;
        this.dispatch();
      });
    }
  }

  private take(): PendingQuery[] {
    this.listTurn = !this.listTurn;
    if (this.lists.length > 0 && (this.listTurn || this.points.length === 0)) {
      return this.lists.splice(0, 1);
    }
    if (this.points.length <= POINTS_PER_TASK) {
      const all = this.points;
      this.points = [];
      return all;
    }
    return this.points.splice(0, POINTS_PER_TASK);
  }

  private async execute(queries: readonly PendingQuery[]): Promise<void> {
    const requests = queries.map(({ request }) => request);
    const outcome = await this.attempt({ generation: this.generation, requests });
    for (const [index, query] of queries.entries()) {
      if (outcome.ok) query.settle({ kind: 'text', text: outcome.texts[index] ?? null });
      else query.settle({ kind: 'failed', damaged: outcome.damaged, message: outcome.message });
    }
  }

  private async attempt(task: QueryTask): Promise<QueryOutcome> {
    try {
      return await this.run(task);
    } catch (error) {
      return { ok: false, damaged: false, message: String(error) };
    }
  }
}
