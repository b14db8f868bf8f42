import { writeSync } from 'node:fs';
import type { RestoreMessage } from '../../../persistence/journal/index.ts';
import { lastOfExactRun } from './events.ts';
import { Random } from './random.ts';
import { Threads } from './threads.ts';

/**
 * A process that is meant to be killed: `crash-writer DATA_DIR SEED`. Recovers, checks every event
 * that it gets back, then writes without end and prints what was acknowledged, line by line.
 */

const WINDOW = 8;
const [dataDir = '', seed = '1'] = process.argv.slice(2);
const random = new Random(Number(seed));
const threads = new Threads(dataDir, { snapshots: { keep: 2, archive: true } });
let restored = 0;

function print(line: string): void {
  writeSync(1, `${line}\n`);
}

function restore(message: RestoreMessage): void {
  if (message.kind === 'restore' && message.snapshot !== null) {
    restored = message.snapshot.sequence;
    if (message.snapshot.state !== restored) throw new Error('the snapshot holds another state');
  } else if (message.kind === 'replay') {
    const events = new Uint8Array(message.events);
    restored = lastOfExactRun([{ ...message, events }], restored + 1);
  } else if (message.kind === 'recovered' && message.sequence !== restored) {
    throw new Error(`recovered ${message.sequence}, but got events up to ${restored}`);
  }
}

for (const worker of [threads.journal, threads.snapshots]) {
  worker.on('error', (error) => {
    print(`failed ${error.message}`);
    process.exit(4);
  });
}
threads.report('fatal').then((fatal) => {
  print(`fatal ${fatal.code} ${fatal.sequence}`);
  process.exit(3);
});

/** Says how far it will send before it sends: what comes back later must lie within. */
function send(messages: number): void {
  const counts = Array.from({ length: messages }, () => random.between(1, 20));
  const total = counts.reduce((sum, count) => sum + count, 0);
  sent += total;
  print(`sending ${sent}`);
  for (const count of counts) threads.send(count);
}

print(`recovered ${await threads.recovered(restore)}`);
let sent = restored;
threads.onRelease(({ durableSequence, batches }) => {
  print(`acknowledged ${durableSequence}`);
  send(batches.length);
  if (random.chance(0.01)) {
    threads.snapshotPort.postMessage({ sequence: durableSequence, state: durableSequence });
  }
});
send(WINDOW);
