import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUIDE = join(ROOT, 'docs/venue-from-nothing.md');
const TIMEOUT_MS = 180_000;

/** The commands of the guide as they stand, on a port and a data directory of this test. */
function script(port: number, dataDir: string): string {
  const blocks = [...readFileSync(GUIDE, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)];
  const commands = blocks.map(([, block]) => block).join('\n');
  const placed = commands
    .replace('/var/lib/matchbox', dataDir)
    .replace('PORT=9000', `PORT=${port}`)
    .replaceAll('127.0.0.1:9000', `127.0.0.1:${port}`);
  return `set -e -o pipefail\ntrap 'kill $(jobs -p); wait' EXIT\n${placed}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

it(
  'the guide leads from an empty directory to an order that holds money',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'matchbox-guide-'));
    try {
      const commands = script(await freePort(), join(directory, 'data'));
      const shell = spawn('bash', ['-c', commands], { cwd: ROOT });
      let output = '';
      shell.stdout.on('data', (text) => {
        output += text;
      });
      shell.stderr.on('data', (text) => {
        output += text;
      });
      const [code] = await once(shell, 'close');
      expect(output).toContain(
        '{"id":"btc","name":"Bitcoin","scale":8,"source":"Internal","type":"Crypto"}',
      );
      expect(output).toContain('"status":"Pending"');
      expect(output).toContain(
        '{"assetId":"usdt","total":"1000","available":"499.5","locked":"500.5"}',
      );
      expect({ code, output }).toMatchObject({ code: 0 });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
  TIMEOUT_MS,
);
