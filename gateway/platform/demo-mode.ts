import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';

export type DemoMode = 'live' | 'quiet' | 'off';

/** A data directory that has this file was made for a demo. */
const MARK = 'demo';

/**
 * What `DEMO` says; where it says nothing, `live` in an empty data directory and in one that was made
 * for a demo, else `off`. A directory that becomes one of a demo is marked before anything is put into
 * it, so that seeding that was cut off goes on at the next start. Call it before anything is written.
 */
export function demoMode({ demo, dataDir }: Pick<Config, 'demo' | 'dataDir'>): DemoMode {
  const mark = join(dataDir, MARK);
  const isMarked = existsSync(mark);
  const mode = demo ?? (isMarked || readdirSync(dataDir).length === 0 ? 'live' : 'off');
  if (mode !== 'off' && !isMarked) {
    writeFileSync(mark, 'This directory holds a demo: its credentials are published.\n');
  }
  return mode;
}
