import { existsSync } from 'node:fs';
import { journalPath } from '../journal/files.ts';
import { isJournalError } from '../journal/index.ts';
import { Difference } from './difference.ts';
import { reportOf } from './report.ts';
import { verify } from './verify.ts';

/**
 * `npm run verify -- DIR`: proves the data directory of a stopped venue right. Exits with 0 where
 * everything agrees, with 1 where something does not, and names it.
 */
function run(dataDir: string): number {
  const started = performance.now();
  if (!existsSync(journalPath(dataDir))) {
    process.stdout.write(`NOT VERIFIED: there is no journal in ${dataDir}\n`);
    return 1;
  }
  try {
    const verification = verify(dataDir);
    const milliseconds = Math.round(performance.now() - started);
    const right = verification.differences.length === 0;
    const verdict = `${right ? 'verified' : 'NOT VERIFIED'} in ${milliseconds} ms`;
    process.stdout.write(`${[...reportOf(verification), verdict].join('\n')}\n`);
    return right ? 0 : 1;
  } catch (error) {
    if (!isJournalError(error) && !(error instanceof Difference)) throw error;
    process.stdout.write(`NOT VERIFIED: ${error.message}\n`);
    return 1;
  }
}

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) {
  process.stderr.write('usage: npm run verify -- DIRECTORY\n');
  process.exitCode = 2;
} else process.exitCode = run(dataDir);
