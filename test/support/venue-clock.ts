import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './server.ts';

/** How often a process asks what its clock shows. */
const POLL_MS = 20;

/** What every thread of the process runs first: its clock is so far from the real one as the file says. */
const PRELOADED = `
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
const Real = Date;
let offset = 0;
const read = () => { offset = Number(readFileSync(env.VENUE_CLOCK_FILE, 'utf8')) || offset; };
read();
setInterval(read, ${POLL_MS}).unref();
globalThis.Date = class Date extends Real {
  constructor(...parts) {
    if (parts.length === 0) super(Real.now() + offset);
    else super(...parts);
  }
  static now() { return Real.now() + offset; }
};`;

/**
 * The clock of a server under test, for what happens once a day. It runs as fast as the real one, and
 * goes where it is put, in the running process as well as in those that are started later.
 *
 *     const clock = new VenueClock('2026-11-20T21:00:00Z');
 *     const server = await TestServer.start(clock.environment);
 *     clock.put('2026-11-21T00:00:01Z');
 */
export class VenueClock {
  readonly environment: Environment;
  private readonly directory = mkdtempSync(join(tmpdir(), 'matchbox-clock-'));

  constructor(time: string) {
    this.put(time);
    this.environment = {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(PRELOADED)}`,
      VENUE_CLOCK_FILE: this.file,
    };
  }

  /** Puts the clock to a UTC timestamp; running processes follow within moments. */
  put(time: string): void {
    writeFileSync(this.file, String(Date.parse(time) - Date.now()));
  }

  cleanup(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  private get file(): string {
    return join(this.directory, 'offset');
  }
}
