import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLogger } from '../../persistence/journal/index.ts';
import { ViewsClient, type ViewsClientOptions } from '../../persistence/views/client.ts';
import type {
  QueryOutcome,
  QueryTask,
  ViewsNotice,
  ViewsReport,
} from '../../persistence/views/protocol.ts';
import { parseJson, type Read } from '../../persistence/views/reads.ts';

interface Call {
  readonly task: QueryTask;
  readonly finish: (outcome: QueryOutcome) => void;
}

describe('the client of the views', () => {
  let thread: MessagePort;
  let client: ViewsClient;
  let notices: ViewsNotice[];
  let calls: Call[];
  let port: MessagePort;

  function connect(options: Partial<ViewsClientOptions> = {}): void {
    client = new ViewsClient({
      run: (task) => new Promise((finish) => calls.push({ task, finish })),
      tasksMax: 1,
      waitMax: 60_000,
      pendingMax: 1_000,
      logger: silentLogger,
      ...options,
    });
    client.attach(port);
  }

  async function report(message: ViewsReport): Promise<void> {
    thread.postMessage(message);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  const projected = (sequence: number, generation = 1): Promise<void> =>
    report({ kind: 'projected', sequence, generation });

  /** Answers the oldest open task with the ids asked for. */
  function finish(): void {
    const call = calls.shift();
    const texts = call?.task.requests.map((request) =>
      request.kind === 'order' && request.orderId < 1_000 ? `{"id":${request.orderId}}` : null,
    );
    call?.finish({ ok: true, texts: texts ?? [] });
  }

  const idsOf = (call: Call | undefined): (number | string)[] =>
    call?.task.requests.map((each) => (each.kind === 'order' ? each.orderId : each.kind)) ?? [];

  const transfers = (): Promise<Read<unknown>> =>
    client.transfers({ account: 1, limit: null, lastTransferId: null }, 0);

  beforeEach(() => {
    const { port1, port2 } = new MessageChannel();
    port = port1;
    thread = port2;
    const received: ViewsNotice[] = [];
    notices = received;
    calls = [];
    thread.on('message', (notice: ViewsNotice) => received.push(notice));
  });

  afterEach(() => port.close());

  test('reads at once what the views have reached', async () => {
    connect();
    await projected(10);
    const read = client.order(1, 7, 10);
    expect(idsOf(calls[0])).toEqual([7]);
    finish();
    const found: Read<unknown> = await read;
    expect(found).toEqual({ kind: 'answer', json: '{"id":7}' });
    expect(found.kind === 'answer' && parseJson(found.json)).toEqual({ id: 7 });
    expect(notices).toEqual([]);
    expect(client.pendingReads).toBe(0);
  });

  test('tells what is not there from what is', async () => {
    connect();
    await projected(10);
    const read = client.order(1, 5_000, 10);
    finish();
    expect(await read).toEqual({ kind: 'missing' });
  });

  test('waits for the sequence that a read must see, and asks for it once', async () => {
    connect();
    await projected(10);
    const reads = [client.order(1, 1, 12), client.order(1, 2, 12), client.order(1, 3, 11)];
    await projected(11);
    expect(calls.map(idsOf)).toEqual([[3]]);
    finish();
    await projected(12);
    expect(calls.map(idsOf)).toEqual([[1]]);
    await vi.waitFor(() => {
      finish();
      expect(client.pendingReads).toBe(0);
    });
    expect((await Promise.all(reads)).map(({ kind }) => kind)).toEqual(Array(3).fill('answer'));
    expect(notices).toEqual([{ kind: 'wanted', sequence: 12 }]);
  });

  test('waits also where the views are not open yet', async () => {
    connect();
    const read = client.order(1, 1, 0);
    expect(calls).toEqual([]);
    await projected(0);
    finish();
    expect((await read).kind).toBe('answer');
  });

  test('gives up after the longest wait', async () => {
    connect({ waitMax: 10 });
    await projected(10);
    expect(await client.order(1, 1, 11)).toEqual({ kind: 'lagging' });
    expect(client.pendingReads).toBe(0);
    await projected(11);
    expect(calls).toEqual([]);
  });

  test('waits again where the views are built anew', async () => {
    connect();
    await projected(10);
    await projected(0, 2);
    const read = client.order(1, 1, 10);
    expect(calls).toEqual([]);
    await projected(10, 2);
    expect(calls[0]?.task.generation).toBe(2);
    finish();
    expect((await read).kind).toBe('answer');
  });

  test('sends reads of orders that came while the pool was busy as one task', async () => {
    connect();
    await projected(10);
    const reads = [1, 2, 3, 4].map((id) => client.order(1, id, 10));
    expect(calls.map(idsOf)).toEqual([[1]]);
    finish();
    await reads[0];
    await vi.waitFor(() => expect(calls.map(idsOf)).toEqual([[2, 3, 4]]));
    finish();
    const found = await Promise.all(reads);
    expect(found.map((each) => each.kind === 'answer' && each.json)).toEqual([
      '{"id":1}',
      '{"id":2}',
      '{"id":3}',
      '{"id":4}',
    ]);
  });

  test('lets lists and single orders take turns', async () => {
    connect();
    await projected(10);
    const order: (number | string)[] = [];
    const reads = [client.order(1, 1, 0), transfers(), transfers(), client.order(1, 2, 0)];
    await vi.waitFor(() => {
      const call = calls[0];
      if (call !== undefined) order.push(...idsOf(call));
      finish();
      expect(client.pendingReads).toBe(0);
    });
    await Promise.all(reads);
    expect(order[0]).toBe(1);
    expect(order.slice(1, 3).toSorted()).toEqual([2, 'transfers']);
    expect(order).toHaveLength(4);
  });

  test('refuses more reads than may be under way', async () => {
    connect({ pendingMax: 2 });
    await projected(10);
    const reads = [client.order(1, 1, 10), client.order(1, 2, 99)];
    expect(await client.order(1, 3, 10)).toEqual({ kind: 'busy' });
    finish();
    await reads[0];
    expect(client.pendingReads).toBe(1);
  });

  test('reports a damaged file and answers that the views lag', async () => {
    connect();
    await projected(10, 3);
    const read = client.order(1, 1, 10);
    calls.shift()?.finish({ ok: false, damaged: true, message: 'noise' });
    expect(await read).toEqual({ kind: 'lagging' });
    await vi.waitFor(() =>
      expect(notices).toEqual([{ kind: 'damaged', generation: 3, reason: 'noise' }]),
    );
  });

  test('rejects a read that failed for another reason, and goes on', async () => {
    connect();
    await projected(10);
    const read = client.order(1, 1, 10);
    calls.shift()?.finish({ ok: false, damaged: false, message: 'a fault' });
    await expect(read).rejects.toThrow('a fault');
    connect({ run: () => Promise.reject(new Error('no pool')) });
    await projected(10);
    await expect(client.order(1, 1, 10)).rejects.toThrow('no pool');
    expect(client.pendingReads).toBe(0);
  });

  test('has one notice of durable events under way, the newest next', async () => {
    connect();
    await projected(0);
    for (const sequence of [5, 6, 7, 7, 3]) client.durable(sequence);
    await vi.waitFor(() => expect(notices).toEqual([{ kind: 'durable', sequence: 5 }]));
    await projected(4);
    expect(notices).toHaveLength(1);
    await projected(6);
    await vi.waitFor(() => expect(notices).toHaveLength(2));
    expect(notices[1]).toEqual({ kind: 'durable', sequence: 7 });
    await projected(9);
    client.durable(12);
    await vi.waitFor(() => expect(notices).toHaveLength(3));
  });

  test('answers nothing more once it refuses, but what is under way', async () => {
    connect();
    await projected(10);
    const running = client.order(1, 1, 10);
    const waiting = client.order(1, 2, 11);
    client.refuse();
    expect(await waiting).toEqual({ kind: 'lagging' });
    expect(await client.order(1, 3, 0)).toEqual({ kind: 'lagging' });
    finish();
    expect((await running).kind).toBe('answer');
  });
});
