import { describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
const PATH = '/frontoffice/api/v4/account-margin-settings/assets';

interface MarginAsset {
  readonly assetId: string;
  readonly isSelected: boolean;
}

const select = (client: ApiClient, assetId: string): Promise<Answer> =>
  client.post(`${PATH}/${assetId}`);
const deselect = (client: ApiClient, assetId: string): Promise<Answer> =>
  client.del(`${PATH}/${assetId}`);

async function selectedOf(client: ApiClient): Promise<string[]> {
  const { body } = await client.get<{ assets: MarginAsset[] }>(PATH);
  return body.assets.filter(({ isSelected }) => isSelected).map(({ assetId }) => assetId);
}

describe('the collateral of an account', () => {
  it('is the root asset until its owner selects others', async () => {
    const alice = await server().trader('alice');
    expect(await selectedOf(alice)).toEqual(['usdt']);
    for (let times = 0; times < 2; times++) {
      expect(await select(alice, 'btc')).toMatchObject({ status: 200, body: {} });
    }
    await select(alice, 'eth');
    expect(await selectedOf(alice)).toEqual(['btc', 'eth', 'usdt']);
    await server().kill('SIGKILL');
    await server().restart();
    expect(await selectedOf(alice)).toEqual(['btc', 'eth', 'usdt']);
    for (let times = 0; times < 2; times++) {
      expect(await deselect(alice, 'btc')).toMatchObject({ status: 200, body: {} });
    }
    expect(await selectedOf(alice)).toEqual(['eth', 'usdt']);
  });

  it('is chosen for each account alone; without one named, for the oldest', async () => {
    const [main, hedging] = [await server().trader('bob'), await server().trader('bob', 'Hedging')];
    await select(hedging, 'eth');
    expect([await selectedOf(main), await selectedOf(hedging)]).toEqual([
      ['usdt'],
      ['eth', 'usdt'],
    ]);
    const user = await server().user('bob');
    await select(user, 'btc');
    expect([await selectedOf(main), await selectedOf(user)]).toEqual([
      ['btc', 'usdt'],
      ['btc', 'usdt'],
    ]);
    await deselect(user, 'btc');
    expect(await selectedOf(main)).toEqual(['usdt']);
  });

  it('always has the root asset', async () => {
    const alice = await server().trader('alice');
    const before = await selectedOf(alice);
    expect(await select(alice, 'usdt')).toMatchObject({ status: 200, body: {} });
    expect(await deselect(alice, 'usdt')).toMatchObject({ status: 409, code: 'TR0418' });
    expect(await selectedOf(alice)).toEqual(before);
  });

  it('takes no asset without a margin ratio, and has none whose ratio is gone', async () => {
    const [admin, alice] = [await server().user('admin'), await server().trader('alice')];
    const assets = '/back-api/backoffice/v2/internal-assets';
    const made = await admin.post(assets, { id: 'doge', name: 'Doge', scale: 2, type: 'Crypto' });
    expect(made.status).toBe(201);
    expect(await select(alice, 'doge')).toMatchObject({ status: 400, code: 'TR0417' });
    const ratio = (marginRatio: string) =>
      admin.send('PUT', `${assets}/doge`, { marginRatio }).then(({ status }) => status);
    expect(await ratio('0.5')).toBe(200);
    expect((await select(alice, 'doge')).status).toBe(200);
    expect(await selectedOf(alice)).toContain('doge');
    expect(await ratio('0')).toBe(200);
    expect(await selectedOf(alice)).not.toContain('doge');
    expect((await deselect(alice, 'doge')).status).toBe(200);
  });

  it('is refused for assets and accounts that are not there or not theirs', async () => {
    const [alice, bob] = [await server().trader('alice'), await server().trader('bob')];
    for (const change of [select, deselect]) {
      expect(await change(alice, 'nix')).toMatchObject({ status: 400, code: 'TR0500' });
      const foreign = alice.with({ accountId: bob.accountId });
      expect(await change(foreign, 'btc')).toMatchObject({ status: 403, code: 'TR0103' });
      const nobody = server().anonymous();
      expect(await change(nobody, 'btc')).toMatchObject({ status: 401, code: 'TR0100' });
    }
    expect(await selectedOf(bob)).toEqual(['usdt']);
  });
});
