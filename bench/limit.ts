import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './core/median.ts';

/**
 * `node dist/bench/limit.js LIMIT_CPP WORKLOAD.bin [ROUNDS]`: the book beside a C++ program that does
 * nothing but match, in turn and each in a process of its own, because speeds drift between runs.
 * The program is compiled here; it takes the workload without `.bin` and prints `ops_s` in JSON.
 */
const [source, workload, rounds = '5'] = process.argv.slice(2);
if (source === undefined || workload === undefined) {
  console.error('usage: limit LIMIT_CPP WORKLOAD.bin [ROUNDS]');
  process.exit(2);
}

interface Round {
  readonly ours: number;
  readonly limit: number;
}

const replay = join(dirname(fileURLToPath(import.meta.url)), 'replay.js');
const folder = mkdtempSync(join(tmpdir(), 'limit-'));
try {
  const program = join(folder, 'limit');
  const flags = ['-O3', '-march=native', '-std=c++20', '-DNDEBUG'];
  execFileSync(process.env['CXX'] ?? 'g++', [...flags, source, '-o', program]);
  const results: Round[] = [];
  for (let round = 0; round < Number(rounds); round++) {
    results.push({
      ours: figure(process.execPath, [replay, workload], 'opsPerSecond'),
      limit: figure(program, [workload.replace(/\.bin$/, '')], 'ops_s'),
    });
  }
  const share = ({ ours, limit }: Round) => Math.round((1000 * ours) / limit) / 1000;
  console.table(results.map((round) => ({ ...round, share: share(round) })));
  console.log(`${workload}: ${median(results.map(share))} of the limit, the median`);
} finally {
  rmSync(folder, { recursive: true });
}

function figure(command: string, args: readonly string[], name: string): number {
  const line: unknown = JSON.parse(execFileSync(command, args, { encoding: 'utf8' }));
  return Number((line as Record<string, unknown>)[name]);
}
