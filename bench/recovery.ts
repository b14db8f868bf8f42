import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * `npm run bench:recovery [-- COUNT]`: how long a restart takes with COUNT (1,000,000) events behind
 * the last snapshot, and with COUNT resting orders in a snapshot; and how long clearing stood still
 * for snapshots. The venue is the real one; the directories are filled by its own threads.
 */
const COUNT = Number(process.argv[2] ?? 1_000_000);
const PAUSE_ORDERS = 100_000;
const fill = fileURLToPath(new URL('./recovery/fill.js', import.meta.url));
const main = fileURLToPath(new URL('../gateway/main.js', import.meta.url));

interface LogLine {
  readonly msg: string;
  readonly thread?: string;
  readonly milliseconds?: number;
  readonly sequence?: number;
  readonly bytes?: number;
}

interface Restart {
  /** How long clearing stood still for the last snapshot while the directory was filled. */
  readonly pauseMs: number;
  readonly readySeconds: number;
  readonly lines: readonly LogLine[];
}

/** Starts the venue on the directory, waits until it is ready to trade, stops it. */
async function restart(dataDir: string): Promise<Omit<Restart, 'pauseMs'>> {
  const started = performance.now();
  const env = { ...process.env, DATA_DIR: dataDir, DEMO: 'quiet', PORT: '0', LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: LogLine[] = [];
  let readySeconds = 0;
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as LogLine;
    lines.push(line);
    if (line.msg !== 'ready to trade') continue;
    readySeconds = (performance.now() - started) / 1000;
    child.kill('SIGTERM');
  }
  if (readySeconds === 0) throw new Error(`the venue did not start: ${JSON.stringify(lines)}`);
  return { readySeconds, lines };
}

async function scenario(kind: string, count: number): Promise<Restart> {
  const dataDir = mkdtempSync(join(tmpdir(), 'matchbox-recovery-'));
  try {
    const filled = spawnSync(process.execPath, [fill, dataDir, kind, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    if (filled.status !== 0) throw new Error(`filling with ${count} ${kind} failed`);
    const { pauseMs } = JSON.parse(filled.stdout) as { pauseMs: number };
    return { pauseMs, ...(await restart(dataDir)) };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function logged({ lines }: Restart, message: string): LogLine {
  return lines.find(({ msg }) => msg === message) ?? { msg: message };
}

const empty = await scenario('events', 1);
const events = await scenario('events', COUNT);
const resting = await scenario('resting', COUNT);
const paused = await scenario('resting', PAUSE_ORDERS);

const replay = logged(events, 'recovered');
const replayed = replay.sequence ?? 0;
const replaySeconds = (replay.milliseconds ?? 0) / 1000;
const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
console.log(
  JSON.stringify(
    {
      machine,
      emptyStartSeconds: empty.readySeconds,
      events: {
        count: replayed,
        replaySeconds,
        eventsPerSecond: Math.round(replayed / replaySeconds),
        startSeconds: events.readySeconds,
      },
      restingOrders: [resting, paused].map((run, index) => ({
        count: index === 0 ? COUNT : PAUSE_ORDERS,
        startSeconds: run.readySeconds,
        snapshotPauseMs: run.pauseMs,
      })),
    },
    null,
    2,
  ),
);
