import { describe, expect, it } from 'vitest';
import type { Refused } from '../../gateway/http/refused.ts';
import { NONCE_WINDOW_MS, UsedNonces } from '../../gateway/signed/used-nonces.ts';
import { openDirectoryDatabase } from '../../persistence/directory/database.ts';
import {
  createDirectoryCalls,
  executeDirectoryRequest,
} from '../../persistence/directory/operations.ts';

const NOW = 1_700_000_000_000;

/** A directory whose writes can be held back. */
function directory() {
  const database = openDirectoryDatabase(':memory:');
  let writes = 0;
  let gate = Promise.resolve();
  const calls = createDirectoryCalls(async (request) => {
    if (request.name === 'use') writes += 1;
    await gate;
    return executeDirectoryRequest(database, request);
  });
  return {
    calls,
    writes: () => writes,
    hold(): () => void {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
    rows: () =>
      database.statement<{ n: number }>('SELECT count(*) AS n FROM signed_nonces').get()?.n,
  };
}

const code = (outcome: Refused | undefined) => outcome?.refusal.name ?? 'taken';

describe('used nonces', () => {
  it('are refused to the end of their window, and free again after it', async () => {
    const nonces = new UsedNonces(directory().calls);
    expect(code(await nonces.use('a', '1', NOW))).toBe('taken');
    expect(code(await nonces.use('b', '1', NOW))).toBe('taken');
    expect(code(await nonces.use('a', '1', NOW + NONCE_WINDOW_MS - 1))).toBe('NonceUsed');
    expect(code(await nonces.use('a', '1', NOW + NONCE_WINDOW_MS))).toBe('taken');
  });

  it('are known after a restart for as long as before it', async () => {
    const { calls } = directory();
    await new UsedNonces(calls).use('a', '1', NOW);
    const next = new UsedNonces(calls);
    await next.load(NOW + 5000);
    expect(code(await next.use('a', '1', NOW + 5000))).toBe('NonceUsed');
    expect(code(await next.use('a', '2', NOW + 5000))).toBe('taken');
    expect(code(await next.use('a', '1', NOW + NONCE_WINDOW_MS))).toBe('taken');
  });

  it('count only once they are written, and share their writes', async () => {
    const { calls, hold, writes, rows } = directory();
    const nonces = new UsedNonces(calls);
    const open = hold();
    let done = 0;
    const uses = Array.from({ length: 100 }, async (_, index) => {
      await nonces.use('a', String(index), NOW);
      done += 1;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(0);
    open();
    await Promise.all(uses);
    expect([writes(), rows()]).toEqual([2, 100]);
  });

  it('are forgotten on disk too', async () => {
    const { calls, rows } = directory();
    const nonces = new UsedNonces(calls);
    for (let count = 0; count < 10; count++) await nonces.use('a', String(count), NOW);
    await nonces.use('a', '10', NOW + 2 * NONCE_WINDOW_MS);
    expect(rows()).toBe(1);
  });

  it('of one key are bounded without taking room from others', async () => {
    const none = { signedNonces: { use: async () => undefined, since: async () => [] } };
    const nonces = new UsedNonces(none);
    let outcome: Refused | undefined;
    let taken = 0;
    while (outcome === undefined && taken <= 200_000) {
      outcome = await nonces.use('greedy', String(taken), NOW);
      taken += outcome === undefined ? 1 : 0;
    }
    expect([code(outcome), taken]).toEqual(['TooManyRequests', 100_000]);
    expect(code(await nonces.use('modest', '1', NOW))).toBe('taken');
    expect(code(await nonces.use('greedy', '200001', NOW + NONCE_WINDOW_MS))).toBe('taken');
  });
});
