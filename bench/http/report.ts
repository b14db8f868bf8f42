import { cpus } from 'node:os';
import type { ScenarioResult } from './scenarios.ts';

const COLUMNS = [
  'scenario',
  'connections',
  'bare/s',
  'ours/s',
  'bare p50',
  'ours p50',
  'ours p99',
  'flush',
  'ratio',
  'aim',
] as const;

function verdict({ measure, ratio, aim }: ScenarioResult): string {
  if (aim === null) return '';
  const isRate = measure === 'rate';
  const isReached = isRate ? ratio >= aim : ratio <= aim;
  return `${isRate ? '>=' : '<='} ${aim} ${isReached ? 'reached' : 'missed'}`;
}

/** A table for people; latencies in µs. */
export function printTable(results: readonly ScenarioResult[]): void {
  const rows = results.map((result) => {
    const { name, connections, bare, ours, flushMicros, ratio } = result;
    return [
      name,
      String(connections),
      whole(bare.rate),
      whole(ours.rate),
      whole(bare.p50),
      whole(ours.p50),
      whole(ours.p99),
      whole(flushMicros),
      ratio.toFixed(2),
      verdict(result),
    ];
  });
  const table = [[...COLUMNS], ...rows];
  const widths = COLUMNS.map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? '').length)),
  );
  for (const row of table) {
    console.log(row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
  }
  console.log('\nratio: of the rates; at 1 connection our median / (bare median + one flush)');
  console.log('place cfd: in place of the bare server stand Spot orders at the same venue');
  for (const { name, connections, threads } of results) {
    const shares = threads.map(({ thread, share }) => `${thread} ${whole(share * 100)} %`);
    if (shares.length > 0) console.log(`${name} ${connections}: ${shares.join(', ')}`);
  }
}

/** One line for machines. */
export function printJson(client: string, results: readonly ScenarioResult[]): void {
  const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version };
  console.log(JSON.stringify({ bench: 'http', machine, client, results }));
}

function whole(value: number): string {
  return String(Math.round(value));
}
