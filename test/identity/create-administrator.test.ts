import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openInThreadDirectory } from './support/in-thread-directory.ts';

/** Compiled: the command opens the directory in a thread, which loads only JavaScript. */
const compiled = pathToFileURL(resolve('dist/gateway/identity/create-administrator.js')).href;
const { createAdministrator } = (await import(
  compiled
)) as typeof import('../../gateway/identity/create-administrator.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'matchbox-admin-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: string[], input: string) {
  const output = new PassThrough();
  const code = await createAdministrator({
    args,
    dataDirectory: folder,
    input: Readable.from([input]),
    output,
    now: 7,
  });
  output.end();
  return { code, text: (await output.toArray()).join('') };
}

describe('the create-admin command', () => {
  test('makes an administrator with the password from its input', async () => {
    const { code, text } = await run(['--email', 'root@example.test'], 'a long password\nrest\n');
    expect(code).toBe(0);
    expect(text).toMatch(/^Administrator root@example\.test created \([0-9a-f-]{36}\)\.\n$/);
    const directory = openInThreadDirectory(join(folder, 'directory.db'));
    const credentials = await directory.users.findCredentials('root@example.test');
    expect(credentials).toMatchObject({ user: { roles: ['Admin'], nickname: 'root' } });
    const { verify } = await import('@node-rs/argon2');
    expect(await verify(credentials?.passwordHash ?? '', 'a long password')).toBe(true);
    const audit = await directory.audit.list({ afterId: 0, limit: 100 });
    expect(audit.at(-1)).toMatchObject({ actor: 'system:create-admin', action: 'user.create' });
    await directory.close();
  });

  test('keeps the password out of every file and out of its output', async () => {
    const { text } = await run(['--email', 'root@example.test'], 'a long password\n');
    expect(text).not.toContain('a long password');
    for (const name of readdirSync(folder)) {
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain('a long password');
    }
  });

  test('refuses an email that is taken', async () => {
    await run(['--email', 'root@example.test'], 'a long password\n');
    const again = await run(['--email', 'ROOT@example.test'], 'another password\n');
    expect(again).toEqual({ code: 1, text: 'ROOT@example.test exists already.\n' });
  });

  test.each([
    [[], 'a long password\n', /^Usage: /],
    [['--email', 'nonsense'], 'a long password\n', /^Usage: /],
    [['--password', 'x'], 'a long password\n', /--password/],
    [['--email', 'a@example.test'], 'short\n', /at least 8 characters/],
    [['--email', 'a@example.test'], '', /at least 8 characters/],
    [['--email', 'a@example.test'], `${'x'.repeat(1_025)}\n`, /more than 1024 bytes/],
  ])('%j is refused and makes no directory (case %#)', async (args, input, message) => {
    const { code, text } = await run(args, input);
    expect(code).toBe(1);
    expect(text).toMatch(message);
    expect(readdirSync(folder)).toEqual([]);
  });
});
