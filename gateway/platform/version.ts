import { readFileSync } from 'node:fs';

/** The compiled files lie in a folder beside package.json. */
const PACKAGE = new URL('../../../package.json', import.meta.url);

/** The version of this program. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };
  return version;
}
