import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** In memory where that is to be had: these tests are about what is written, not about the disk. */
const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const made: string[] = [];

afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

/** An empty directory that is gone after the tests of the file. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(root, 'journal-test-'));
  made.push(path);
  return path;
}

/** Replaces `to` by a copy of `from`. */
export function copyDirectory(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}
