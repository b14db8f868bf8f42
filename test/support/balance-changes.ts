import type { ApiClient } from './api-client.ts';
import { unitsOf } from './decimals.ts';
import { balancesOf } from './trading.ts';

/** The scales of the demo venue's assets. */
export const ASSET_SCALES: Readonly<Record<string, number>> = {
  btc: 8,
  eth: 8,
  usdt: 6,
  eur: 2,
  xau: 4,
};

export interface BalanceUnits {
  readonly total: bigint;
  readonly available: bigint;
}

type Units = Readonly<Record<string, BalanceUnits>>;

/** Runs `work` and answers by how much it changed each client's balances, in units of the assets. */
export async function balanceChanges(
  clients: readonly ApiClient[],
  work: () => Promise<unknown>,
): Promise<Units[]> {
  const before = await Promise.all(clients.map(balanceUnits));
  await work();
  const after = await Promise.all(clients.map(balanceUnits));
  return after.map((units, index) => difference(units, before[index] ?? {}));
}

async function balanceUnits(client: ApiClient): Promise<Units> {
  const balances = Object.entries(await balancesOf(client));
  return Object.fromEntries(
    balances.map(([assetId, { total, available }]) => {
      const scale = ASSET_SCALES[assetId] ?? 0;
      return [assetId, { total: unitsOf(total, scale), available: unitsOf(available, scale) }];
    }),
  );
}

function difference(after: Units, before: Units): Units {
  return Object.fromEntries(
    Object.entries(after).map(([assetId, { total, available }]) => {
      const earlier = before[assetId] ?? { total: 0n, available: 0n };
      return [assetId, { total: total - earlier.total, available: available - earlier.available }];
    }),
  );
}
