import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Journal } from '../../persistence/journal/index.ts';
import type { SqliteStore } from '../../persistence/journal/sqlite-store.ts';
import type * as ViewsModule from '../../persistence/views/index.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { openJournal } from '../persistence/support/journals.ts';
import { RecordingLogger } from '../persistence/support/logger.ts';
import { Random } from '../persistence/support/random.ts';
import { EventStream } from './support/event-stream.ts';
import { NaiveViews } from './support/naive.ts';

/** Threads run compiled files, so this works on what `npm run build` made. */
const compiled = pathToFileURL(resolve('dist/persistence/views/index.js')).href;

describe('the threads of the views', () => {
  let dataDir: string;
  let journal: Journal;
  let store: SqliteStore;
  let stream: EventStream;
  let logger: RecordingLogger;
  let views: ViewsModule.Views;
  let naive: NaiveViews;
  let applied = 0;

  /** Commits what happened and takes it into the naive computation. */
  function happen(steps: number): number {
    for (let step = 0; step < steps; step++) stream.step();
    const { count } = stream.writer;
    const events = stream.writer.take();
    journal.append([{ firstSequence: journal.durableSequence + 1, count, events }]);
    for (const event of stream.events.slice(applied)) naive.apply(event);
    applied = stream.events.length;
    return journal.durableSequence;
  }

  async function open(options: Partial<ViewsModule.ViewsOptions> = {}): Promise<void> {
    const { openViews } = (await import(compiled)) as typeof ViewsModule;
    // A wait that only a fault can exhaust.
    views = openViews({ dataDir, logger, waitMax: 20_000, ...options });
  }

  async function ordersOf(account: number, atLeast: number): Promise<unknown[]> {
    const { parseJson } = (await import(compiled)) as typeof ViewsModule;
    const page = { createdAtFrom: null, createdAtTo: null, limit: 1_000, lastOrderId: null };
    const read = await views.client.orders({ account, statuses: null, ...page }, atLeast);
    if (read.kind !== 'answer') throw new Error(read.kind);
    return parseJson(read.json);
  }

  const expected = (account: number): unknown[] =>
    naive.orderIdsOf(account).map((id) => naive.orderView(id));

  beforeEach(() => {
    dataDir = temporaryDirectory();
    ({ journal, store } = openJournal(dataDir));
    stream = new EventStream(new Random(31));
    naive = new NaiveViews();
    applied = 0;
    logger = new RecordingLogger();
    stream.openVenue();
  });

  afterEach(async () => {
    await views.close();
    store.close();
  });

  test('a read sees everything up to the sequence that it names', async () => {
    await open({ policy: { restMin: 3_600_000 } });
    for (let round = 0; round < 10; round++) {
      const sequence = happen(20);
      for (const account of [0, 1, 2]) {
        expect(await ordersOf(account, sequence)).toEqual(expected(account));
      }
    }
    expect(views.client.projectedSequence).toBe(journal.durableSequence);
  });

  test('what is durable is projected though nobody reads', async () => {
    await open();
    const sequence = happen(300);
    views.client.durable(sequence);
    await vi.waitFor(() => expect(views.client.projectedSequence).toBe(sequence), 10_000);
  });

  test('many reads of single orders are answered, each with its own', async () => {
    await open();
    const sequence = happen(500);
    const orders = [...naive.orders.values()].map(({ accepted }) => accepted);
    const reads = await Promise.all(
      orders.map(({ account, orderId }) => views.client.order(account, orderId, sequence)),
    );
    const texts = reads.map((read) => (read.kind === 'answer' ? JSON.parse(read.json) : read));
    expect(texts).toEqual(orders.map(({ orderId }) => naive.orderView(orderId)));
    const foreign = await views.client.order(99, orders[0]?.orderId ?? 0, sequence);
    expect(foreign).toEqual({ kind: 'missing' });
  });

  test('views that were closed go on, and those that were deleted are built anew', async () => {
    await open();
    const before = happen(200);
    expect(await ordersOf(0, before)).toEqual(expected(0));
    await views.close();
    const after = happen(50);
    await open();
    expect(await ordersOf(0, after)).toEqual(expected(0));
    expect(logger.messages()).toEqual([
      'the views are built anew: there were none',
      'the views go on from where they were',
    ]);
  });

  test('a read that asks for what is not durable gives up in the end', async () => {
    await open({ waitMax: 50 });
    const sequence = happen(10);
    const read = await views.client.order(0, 1, sequence + 1_000);
    expect(read).toEqual({ kind: 'lagging' });
  });
});
