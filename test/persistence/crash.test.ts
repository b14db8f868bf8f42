import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { JournalReader } from '../../persistence/journal/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { lastOfExactRun } from './support/events.ts';
import { Random, seedOf } from './support/random.ts';

const WRITER = resolve('dist/test/persistence/support/crash-writer.js');
/** Makes single system calls fail; where it is not installed that test is left out. */
const STRACE = 'strace';
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 15);
const seed = seedOf('crash');

interface Life {
  /** null where it was killed before it had recovered. */
  readonly recovered: number | null;
  readonly acknowledged: number;
  readonly sending: number;
  readonly fatal: string | undefined;
  readonly exitCode: number | null;
}

interface Death {
  readonly afterStart?: number;
  readonly afterRecovery?: number;
}

/** Runs the writer until it ends by itself or is killed so many milliseconds after the given moment. */
async function live(command: readonly string[], death: Death): Promise<Life> {
  const [program = '', ...parameters] = command;
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  const killed = new AbortController();
  const killAfter = async (milliseconds: number): Promise<void> => {
    await pause(milliseconds, undefined, { signal: killed.signal }).catch(() => {});
    child.kill('SIGKILL');
  };
  let output = '';
  child.stdout.on('data', (data) => {
    if (output === '' && death.afterRecovery !== undefined) killAfter(death.afterRecovery);
    output += data;
  });
  if (death.afterStart !== undefined) killAfter(death.afterStart);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  killed.abort();
  const lines = output.split('\n').slice(0, -1);
  const lastOf = (word: string): number | null => {
    const line = lines.findLast((candidate) => candidate.startsWith(`${word} `));
    return line === undefined ? null : Number(line.split(' ')[1]);
  };
  const failed = lines.find((line) => line.startsWith('failed '));
  if (failed !== undefined) throw new Error(failed);
  return {
    recovered: lastOf('recovered'),
    acknowledged: lastOf('acknowledged') ?? 0,
    sending: lastOf('sending') ?? 0,
    fatal: lines.find((line) => line.startsWith('fatal ')),
    exitCode,
  };
}

describe('a process that writes the journal', () => {
  it('loses no acknowledged event and invents none when it is killed at any moment', async () => {
    const random = new Random(seed);
    const dataDir = temporaryDirectory();
    let acknowledged = 0;
    let sending = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const command = [process.execPath, WRITER, dataDir, String(seed + round)];
      const death = random.chance(0.3)
        ? { afterStart: random.between(20, 500) }
        : { afterRecovery: random.between(0, 250) };
      const life = await live(command, death);
      expect(life.fatal).toBeUndefined();
      if (life.recovered === null) continue;
      expect(life.recovered).toBeGreaterThanOrEqual(acknowledged);
      expect(life.recovered).toBeLessThanOrEqual(sending);
      acknowledged = Math.max(life.recovered, life.acknowledged);
      sending = Math.max(life.recovered, life.sending);
    }
    expect(acknowledged).toBeGreaterThan(0);
    const reader = new JournalReader(dataDir);
    const last = lastOfExactRun(reader.batches(1));
    reader.close();
    expect(last).toBeGreaterThanOrEqual(acknowledged);
    expect(last).toBeLessThanOrEqual(sending);
    process.stdout.write(`crash: ${ROUNDS} rounds, ${acknowledged} events acknowledged\n`);
  }, 120_000);

  it('stops acknowledging and exits when a file may not grow, and goes on once it may', async () => {
    const dataDir = temporaryDirectory();
    const limit = `trap '' XFSZ; ulimit -f 900; exec "$0" "$@"`;
    const command = [process.execPath, WRITER, dataDir, String(seed)];
    const life = await live(['bash', '-c', limit, ...command], {});
    expect(life.exitCode).toBe(3);
    expect(life.fatal).toContain('fatal');
    expect(life.acknowledged).toBeGreaterThan(0);
    const again = await live(command, { afterRecovery: 100 });
    expect(again.recovered).toBeGreaterThanOrEqual(life.acknowledged);
    expect(again.recovered).toBeLessThanOrEqual(life.sending);
    expect(again.acknowledged).toBeGreaterThan(life.acknowledged);
  }, 60_000);

  it.skipIf(!hasStrace())(
    'exits at the first flush that fails, keeping what was acknowledged before',
    async () => {
      const random = new Random(seed);
      for (let i = 0; i < 3; i++) {
        const dataDir = temporaryDirectory();
        const command = [process.execPath, WRITER, dataDir, String(seed + i)];
        const flush = `inject=fsync,fdatasync:error=EIO:when=${random.between(20, 90)}`;
        const strace = [STRACE, '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null'];
        const traced = [...strace, '-e', 'trace=fsync,fdatasync', '-e', flush, ...command];
        const life = await live(traced, {});
        expect(life.exitCode, flush).toBe(3);
        const again = await live(command, { afterRecovery: 50 });
        expect(again.recovered).toBeGreaterThanOrEqual(life.acknowledged);
        expect(again.recovered).toBeLessThanOrEqual(life.sending);
      }
    },
    60_000,
  );
});

function hasStrace(): boolean {
  return spawnSync(STRACE, ['--seccomp-bpf', '-f', 'true']).status === 0;
}
