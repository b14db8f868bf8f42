import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PROJECTION_POLICY, restAfter } from '../../persistence/views/pacing.ts';
import { ProjectionLoop } from '../../persistence/views/projection-loop.ts';
import type { ViewsReport } from '../../persistence/views/protocol.ts';
import { viewsPath } from '../../persistence/views/schema.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { Random } from '../persistence/support/random.ts';
import { EventStream } from './support/event-stream.ts';
import { MemorySource } from './support/memory-source.ts';

describe('the rest after a commit', () => {
  const rest = (took: number, lag: number, wanted: boolean): number =>
    restAfter(PROJECTION_POLICY, { took, lag, wanted });

  test('is a multiple of the time that the commit took', () => {
    expect(rest(50, 10, false)).toBe(150);
  });

  test('is never shorter than the least', () => {
    expect(rest(1, 10, false)).toBe(PROJECTION_POLICY.restMin);
  });

  test('is none while a reader waits', () => {
    expect(rest(50, 10, true)).toBe(0);
  });

  test('is none while the views are too far behind', () => {
    expect(rest(50, PROJECTION_POLICY.lagMax + 1, false)).toBe(0);
    expect(rest(50, PROJECTION_POLICY.lagMax, false)).toBeGreaterThan(0);
  });
});

describe('the projection loop', () => {
  /** Long rests: what happens soon can only be on a reader's account. */
  const policy = { eventsPerCommit: 40, restFactor: 0, restMin: 3_600_000, lagMax: 1_000_000 };
  let dataDir: string;
  let source: MemorySource;
  let stream: EventStream;
  let reports: ViewsReport[];
  let loop: ProjectionLoop;

  function grow(steps: number): void {
    for (let step = 0; step < steps; step++) {
      stream.step();
      if (step % 4 === 3) source.take(stream.writer);
    }
    source.take(stream.writer);
  }

  const projected = (): number =>
    reports.findLast((report) => report.kind === 'projected')?.sequence ?? -1;
  const logged = (): string[] =>
    reports.flatMap((report) => (report.kind === 'log' ? [report.message] : []));
  const start = (overrides = {}): void => {
    loop = new ProjectionLoop(dataDir, source, { ...policy, ...overrides }, (report) => {
      reports.push(report);
    });
    loop.start();
  };
  const wantAll = async (): Promise<void> => {
    const sequence = source.lastSequence();
    loop.notice({ kind: 'wanted', sequence });
    await vi.waitFor(() => expect(projected()).toBe(sequence));
  };

  beforeEach(() => {
    dataDir = temporaryDirectory();
    source = new MemorySource();
    stream = new EventStream(new Random(11));
    stream.openVenue();
    reports = [];
    grow(200);
  });

  afterEach(() => loop.notice({ kind: 'close' }));

  test('catches up in bounded commits when a reader waits', async () => {
    start();
    await wantAll();
    const steps = reports.flatMap((report) =>
      report.kind === 'projected' ? [report.sequence] : [],
    );
    expect(steps[0]).toBe(0);
    expect(steps.length).toBeGreaterThan(5);
    for (const [n, step] of steps.slice(1).entries()) {
      expect(step).toBeGreaterThan(steps[n] ?? 0);
      expect(step - (steps[n] ?? 0)).toBeLessThan(policy.eventsPerCommit + 30);
    }
  });

  test('rests between commits while nobody waits, and wakes up for a reader', async () => {
    start();
    await vi.waitFor(() => expect(projected()).toBeGreaterThan(0));
    const rested = projected();
    loop.notice({ kind: 'durable', sequence: source.lastSequence() });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(projected()).toBe(rested);
    await wantAll();
  });

  test('takes no rest while it is too far behind', async () => {
    start({ lagMax: 60 });
    await vi.waitFor(() =>
      expect(projected()).toBeGreaterThan(source.lastSequence() - 60 - policy.eventsPerCommit),
    );
  });

  test('takes up what is reported durable', async () => {
    start({ restMin: 1 });
    await vi.waitFor(() => expect(projected()).toBe(source.lastSequence()));
    grow(20);
    loop.notice({ kind: 'durable', sequence: source.lastSequence() });
    await vi.waitFor(() => expect(projected()).toBe(source.lastSequence()));
  });

  test('goes on after a restart without a look at what it has done', async () => {
    start();
    await wantAll();
    loop.notice({ kind: 'close' });
    expect(reports.at(-1)).toEqual({ kind: 'closed' });
    const before = source.lastSequence();
    reports = [];
    grow(20);
    const read = vi.spyOn(source, 'batches');
    start();
    await wantAll();
    expect(read.mock.calls[0]).toEqual([before + 1]);
    expect(logged()).toEqual(['the views go on from where they were']);
  });

  test('builds the views anew, as another generation, where a query found them damaged', async () => {
    start();
    await wantAll();
    loop.notice({ kind: 'damaged', generation: 1, reason: 'noise' });
    await vi.waitFor(() => {
      const last = reports.findLast((report) => report.kind === 'projected');
      expect(last).toMatchObject({ generation: 2, sequence: source.lastSequence() });
    });
    // A late word about the file that is gone changes nothing.
    loop.notice({ kind: 'damaged', generation: 1, reason: 'noise' });
    expect(logged().filter((message) => message.includes('damaged'))).toHaveLength(1);
  });

  test('builds the views anew where an event names an order that they lack', async () => {
    start();
    await wantAll();
    const other = new Database(viewsPath(dataDir));
    other.exec('DELETE FROM orders');
    other.close();
    grow(50);
    await wantAll();
    expect(logged().join()).toMatch(/there is no order \d+ to change/);
  });

  test('gives up on a journal that is inconsistent from the start', async () => {
    const broken = new EventStream(new Random(1));
    const order = { orderId: 9, account: 0, market: 0, side: 0, price: 1, quantity: 1 };
    broken.close({ ...order, remaining: 1 }, 4);
    source = new MemorySource();
    source.take(broken.writer);
    const failure = new Promise<unknown>((resolve) => {
      process.once('uncaughtException', resolve);
    });
    const others = process.listeners('uncaughtException').slice(0, -1);
    for (const listener of others) process.off('uncaughtException', listener);
    start();
    expect(String(await failure)).toContain('fail again');
    for (const listener of others) process.on('uncaughtException', listener);
  });
});
