import { acceptEnd } from './accept-end.ts';

/** `node dist/persistence/journal/accept-end-command.js DATA_DIR` */

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) {
  process.stderr.write('usage: accept-end DATA_DIR\n');
  process.exit(2);
}
try {
  const sequence = acceptEnd(dataDir);
  process.stdout.write(`accepted: the journal ends at sequence ${sequence}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
