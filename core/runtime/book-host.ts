import { MarketWorker } from '../market/index.ts';
import { type BatchWriter, RecordCursor } from '../messages/record.ts';
import type { Channel } from './channel.ts';

/** Where one market worker lives, as clearing's host sees it. */
export interface BookHost {
  /** Sends the collected commands on their way. Returns how many outcomes will come for them. */
  send(commands: BatchWriter): number;
  /** The next batch of results that waits. */
  receive(): ArrayBuffer | undefined;
  close(): void;
}

/** A worker in a thread of its own. `wake` is called when results arrive while clearing is idle. */
export function threadedBooks(channel: Channel, wake: (results: ArrayBuffer) => void): BookHost {
  channel.onBatch(wake);
  return {
    send(commands) {
      const { count } = commands;
      channel.flush(commands);
      return count;
    },
    receive: () => channel.receive(),
    close: () => channel.close(),
  };
}

/** A worker in clearing's own thread: results are there as soon as the commands were sent. */
export function localBooks(): BookHost {
  const worker = new MarketWorker();
  return {
    send(commands) {
      if (commands.empty) return 0;
      const { count } = commands;
      const cursor = new RecordCursor(commands.take());
      while (cursor.next()) worker.command(cursor);
      return count;
    },
    receive: () => (worker.results.empty ? undefined : worker.results.take()),
    close: () => {},
  };
}
