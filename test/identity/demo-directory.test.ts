import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readBotCredentials, seedDemoDirectory } from '../../gateway/identity/demo-directory.ts';
import { createPasswordHasher } from '../../gateway/identity/password-hasher.ts';
import { systemRandom } from '../../gateway/identity/random.ts';
import type { Directory } from '../../persistence/directory/index.ts';
import {
  CHEAP_HASH,
  createFixture,
  DEMO_PASSWORD,
  type IdentityFixture,
} from './support/identity-fixture.ts';
import { openInThreadDirectory } from './support/in-thread-directory.ts';
import { basic } from './support/route-caller.ts';

let fixture: IdentityFixture;
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(() => fixture.dispose());

async function seed(directory: Directory = fixture.directory) {
  return await seedDemoDirectory({
    directory,
    passwords: await createPasswordHasher({ parameters: CHEAP_HASH }),
    random: systemRandom,
    dataDirectory: fixture.dataDirectory,
    issuer: 'http://127.0.0.1:9000',
    now: fixture.clock.now,
  });
}

async function botSignsIn(): Promise<number> {
  const bot = readBotCredentials(fixture.dataDirectory);
  if (bot === null) throw new Error('no bot credentials');
  const { status } = await fixture.http.token(
    { grant_type: 'password', username: bot.email, password: bot.password },
    { authorization: basic(bot.clientId, bot.clientSecret) },
  );
  return status;
}

describe('the demo directory', () => {
  test.each([
    ['admin', ['Admin']],
    ['support', ['Support']],
    ['alice', ['Trader']],
    ['bob', ['Trader']],
  ])('%s signs in and is %s', async (name, roles) => {
    const email = `${name}@matchbox.test`;
    for (const client of ['tests', 'lk']) {
      const { status } = await fixture.http.token(
        { grant_type: 'password', username: email, password: DEMO_PASSWORD },
        { authorization: basic(client, `${client}-secret`) },
      );
      expect(status).toBe(200);
    }
    expect((await fixture.directory.users.findByEmail(email))?.roles).toEqual(roles);
  });

  test('the bots sign in with a password that only the owner of the directory can read', async () => {
    expect(await botSignsIn()).toBe(200);
    const file = join(fixture.dataDirectory, 'demo-bots.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(DEMO_PASSWORD);
  });

  test('seeding again changes nothing, and answers the same ids', async () => {
    const before = await fixture.directory.audit.list({ afterId: 0, limit: 1_000 });
    expect(await seed()).toEqual(fixture.userIds);
    const after = await fixture.directory.audit.list({ afterId: 0, limit: 1_000 });
    expect(after).toEqual(before);
  });

  test('a demo user whose password was changed keeps it', async () => {
    const userId = fixture.userIds.get('alice@matchbox.test') ?? '';
    const passwordHash = await fixture.identity.passwords.hash('another one');
    const change = { userId, passwordHash, actor: 'system:test', at: 1 } as const;
    await fixture.directory.users.changePassword(change);
    await seed();
    const form = { grant_type: 'password', username: 'alice@matchbox.test' };
    expect((await fixture.http.token({ ...form, password: 'another one' })).status).toBe(200);
    expect((await fixture.http.token({ ...form, password: DEMO_PASSWORD })).status).toBe(400);
  });

  test('bots whose file was lost get a new password', async () => {
    rmSync(join(fixture.dataDirectory, 'demo-bots.json'));
    await seed();
    expect(await botSignsIn()).toBe(200);
  });

  test('seeding that is cut off at any call is completed by the next one', async () => {
    for (let callsLeft = 0; ; callsLeft += 1) {
      const directory = openInThreadDirectory();
      rmSync(join(fixture.dataDirectory, 'demo-bots.json'), { force: true });
      const finished = await seed(failingAfter(directory, callsLeft)).then(
        () => true,
        () => false,
      );
      const ids = await seed(directory);
      expect([...ids.keys()]).toHaveLength(5);
      for (const client of ['tests', 'lk', 'spa', 'spa_admin']) {
        expect(await directory.oauthClients.get(client), client).not.toBeNull();
      }
      if (finished) break;
    }
  });
});

/** A directory that fails every call after the first few, as one whose process died. */
function failingAfter(directory: Directory, calls: number): Directory {
  let left = calls;
  const limit = <Group extends object>(group: Group): Group =>
    new Proxy(group, {
      get(target, name) {
        const operation: unknown = Reflect.get(target, name);
        if (typeof operation !== 'function') return operation;
        return async (...input: unknown[]) => {
          if (left === 0) throw new Error('cut off');
          left -= 1;
          return await operation.apply(target, input);
        };
      },
    });
  return {
    ...directory,
    meta: limit(directory.meta),
    oauthClients: limit(directory.oauthClients),
    roles: limit(directory.roles),
    users: limit(directory.users),
  };
}
