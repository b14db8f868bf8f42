/**
 * Removes from dist/ what no source file stands behind any more. The compiler only ever adds files,
 * and a compiled test or worker of a deleted source would go on being found and run. Pruning beats
 * emptying the folder: the incremental build stays fast and a running server keeps its files.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

const output = 'dist';
const emitted = /^(.+?)\.js(?:\.map)?$/;

const files = readdirSync(output, { recursive: true, withFileTypes: true });
for (const file of files) {
  if (!file.isFile()) continue;
  const path = join(file.parentPath, file.name);
  const stem = emitted.exec(relative(output, path))?.[1];
  if (stem !== undefined && !existsSync(`${stem}.ts`)) rmSync(path, { force: true });
}
