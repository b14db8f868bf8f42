import { type MessagePort, workerData } from 'node:worker_threads';
import { MarketWorker } from '../market/index.ts';
import { RecordCursor } from '../messages/record.ts';
import { portChannel } from './channel.ts';

/** workerData of this thread: the port to clearing. The thread ends when clearing closes it. */
export interface MarketThreadData {
  readonly clearing: MessagePort;
}

const channel = portChannel((workerData as MarketThreadData).clearing);
const worker = new MarketWorker();

function match(batch: ArrayBuffer): void {
  const cursor = new RecordCursor(batch);
  while (cursor.next()) worker.command(cursor);
}

channel.onBatch((first) => {
  match(first);
  for (let batch = channel.receive(); batch !== undefined; batch = channel.receive()) match(batch);
  channel.flush(worker.results);
});
