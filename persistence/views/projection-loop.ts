import Database from 'better-sqlite3';
import { ViewsInconsistent } from './errors.ts';
import { type ProjectionPolicy, restAfter } from './pacing.ts';
import type { EventSource } from './progress.ts';
import { Projection } from './projection.ts';
import type { ViewsNotice, ViewsReport } from './protocol.ts';
import { closeCleanly, openViewsForWriting, removeViews } from './store.ts';

/** How long to stay away from a disk that is full or failing, ms. */
const RETRY_AFTER = 1_000;

/** Keeps the views of one data directory up with the journal, as the policy has it. */
export class ProjectionLoop {
  private readonly dataDir: string;
  private readonly source: EventSource;
  private readonly policy: ProjectionPolicy;
  private readonly report: (report: ViewsReport) => void;
  private database: Database.Database | null = null;
  private projection: Projection | null = null;
  private generation = 0;
  private durable = 0;
  private wanted = 0;
  /** Where the views last turned out to be damaged: to stop there twice is beyond repair. */
  private damagedAt = -1;
  private notBefore = 0;
  private closed = false;
  private timer: NodeJS.Timeout | null = null;
  private immediate: NodeJS.Immediate | null = null;

  constructor(
    dataDir: string,
    source: EventSource,
    policy: ProjectionPolicy,
    report: (report: ViewsReport) => void,
  ) {
    this.dataDir = dataDir;
    this.source = source;
    this.policy = policy;
    this.report = report;
  }

  /** Opens the views, makes them anew if need be, and begins. */
  start(): void {
    this.durable = this.source.lastSequence();
    this.schedule();
  }

  notice(notice: ViewsNotice): void {
    switch (notice.kind) {
      case 'durable':
        this.durable = Math.max(this.durable, notice.sequence);
        break;
      case 'wanted':
        this.wanted = Math.max(this.wanted, notice.sequence);
        this.durable = Math.max(this.durable, notice.sequence);
        break;
      case 'damaged':
        if (notice.generation === this.generation) this.rebuild(notice.reason);
        break;
      case 'close':
        return this.close();
    }
    this.schedule();
  }

  private close(): void {
    if (this.closed) return;
    this.closed = true;
    this.cancelSchedule();
    try {
      if (this.database !== null) closeCleanly(this.database);
    } catch (error) {
      // Without its clean mark the file is built anew after a start of the machine; no harm else.
      this.log('warn', `the views could not be flushed: ${String(error)}`);
      this.drop();
    }
    this.report({ kind: 'closed' });
  }

  private get isWanted(): boolean {
    return this.wanted > (this.projection?.sequence ?? 0);
  }

  private schedule(): void {
    this.cancelSchedule();
    if (this.closed) return;
    if (this.projection !== null && this.projection.sequence >= this.durable) return;
    const lag = this.durable - (this.projection?.sequence ?? 0);
    const urgent = this.isWanted || lag > this.policy.lagMax;
    const rest = this.notBefore - performance.now();
    if (this.projection !== null && urgent) this.immediate = setImmediate(() => this.step());
    else this.timer = setTimeout(() => this.step(), Math.max(0, rest));
  }

  private cancelSchedule(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.immediate !== null) clearImmediate(this.immediate);
    this.timer = null;
    this.immediate = null;
  }

  private step(): void {
    const began = performance.now();
    try {
      const projection = this.projection ?? this.open();
      const from = projection.sequence + 1;
      this.project(projection);
      this.notBefore = this.restFrom(began, projection.sequence);
      if (projection.sequence >= from) this.announce(projection);
    } catch (error) {
      this.recover(error);
    }
    this.schedule();
  }

  private project(projection: Projection): void {
    const before = projection.sequence;
    const enough = before + this.policy.eventsPerCommit;
    for (const batch of this.source.batches(projection.sequence + 1)) {
      projection.fold(batch);
      if (projection.sequence >= enough) break;
    }
    if (projection.sequence === before) return;
    projection.commit(this.source.endOfBatchAt(projection.sequence).hash);
    this.durable = Math.max(this.durable, projection.sequence);
  }

  private restFrom(began: number, sequence: number): number {
    const now = performance.now();
    const state = { took: now - began, lag: this.durable - sequence, wanted: this.isWanted };
    return now + restAfter(this.policy, state);
  }

  private open(): Projection {
    const { database, rebuilt } = openViewsForWriting(this.dataDir, this.source);
    this.database = database;
    this.projection = new Projection(database);
    this.generation++;
    if (rebuilt === null) this.log('info', 'the views go on from where they were');
    else this.log('info', `the views are built anew: ${rebuilt}`);
    this.announce(this.projection);
    return this.projection;
  }

  private announce(projection: Projection): void {
    const { generation } = this;
    this.report({ kind: 'projected', sequence: projection.sequence, generation });
  }

  /** Drops what is in memory; the file has whole transactions only, or is made anew. */
  private recover(error: unknown): void {
    if (isDamage(error)) return this.rebuild(String(error));
    if (!(error instanceof Database.SqliteError)) throw error;
    this.log('error', `the views cannot be written, trying again: ${error.code}`);
    this.drop();
    this.notBefore = performance.now() + RETRY_AFTER;
  }

  private rebuild(reason: string): void {
    const reached = this.projection?.sequence ?? 0;
    if (reached <= this.damagedAt) {
      throw new ViewsInconsistent(`built anew, the views fail again: ${reason}`);
    }
    this.damagedAt = reached;
    this.log('warn', `the views are damaged and will be built anew: ${reason}`);
    this.drop();
    removeViews(this.dataDir);
  }

  private drop(): void {
    this.database?.close();
    this.database = null;
    this.projection = null;
    this.notBefore = 0;
  }

  private log(level: 'info' | 'warn' | 'error', message: string): void {
    const details = { sequence: this.projection?.sequence ?? 0, generation: this.generation };
    this.report({ kind: 'log', level, details, message });
  }
}

/** What a rebuild can mend: a damaged file, or rows that do not go with the journal. */
function isDamage(error: unknown): boolean {
  if (error instanceof ViewsInconsistent) return true;
  if (!(error instanceof Database.SqliteError)) return false;
  return /^SQLITE_(CORRUPT|NOTADB|CONSTRAINT|MISMATCH|ERROR|SCHEMA)/.test(error.code);
}
