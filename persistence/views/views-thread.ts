import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { JournalReader } from '../journal/index.ts';
import { ProjectionLoop } from './projection-loop.ts';
import type { ViewsNotice, ViewsThreadData } from './protocol.ts';

/** The thread that writes the views. Its data says where and how; it ends after a `close`. */

const { dataDir, port, policy, niceness } = workerData as ViewsThreadData;

stepBack();
const source = new JournalReader(dataDir);
const loop = new ProjectionLoop(dataDir, source, policy, (report) => {
  port.postMessage(report);
  if (report.kind !== 'closed') return;
  source.close();
  port.close();
});
port.on('message', (notice: ViewsNotice) => loop.notice(notice));
loop.start();

/**
 * Linux gives each thread a priority of its own, so that the threads that answer clients go first
 * when the cores are short. Elsewhere the call would slow the whole process, and is left out.
 */
function stepBack(): void {
  if (process.platform === 'linux' && niceness > 0) setPriority(niceness);
}
