import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { generateWorkload } from './core/generate-workload.ts';
import { encodeWorkload } from './core/workload-file.ts';

/**
 * `node dist/bench/workload.js OUT [--resting N] [--commands N] [--seed N]`: writes a flow of order
 * commands as a file that `bench:replay` reads. The same arguments give the same bytes.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    resting: { type: 'string', default: '1000' },
    commands: { type: 'string', default: '3000000' },
    seed: { type: 'string', default: '1' },
  },
});
const [out] = positionals;
const size = {
  resting: Number(values.resting),
  commands: Number(values.commands),
  seed: Number(values.seed),
};
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;
if (out === undefined || !Object.values(size).every(isCount) || size.seed === 0) {
  console.error('usage: workload OUT [--resting N] [--commands N] [--seed N]');
  process.exit(2);
}
writeFileSync(out, encodeWorkload(generateWorkload(size)));
