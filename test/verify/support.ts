import { cpSync } from 'node:fs';
import { type ClearingSnapshot, hashState } from '../../core/clearing/index.ts';
import { Journal, recover, silentLogger } from '../../persistence/journal/index.ts';
import { SnapshotStore } from '../../persistence/snapshots/snapshot-store.ts';
import { type RecordedBatch, Rig } from '../clearing/rig.ts';
import { asset, openAccount, spotMarket } from '../clearing/venue.ts';
import { CommandSource, swarmWeights } from '../model/naive-venue-commands.ts';
import { temporaryDirectory } from '../persistence/support/directory.ts';
import { Dice } from '../simulation/dice.ts';

const ASSETS = [asset('usdt', 6, { isRoot: true, marginRatio: 10_000 }), asset('btc', 8)];
const MARKETS = [
  spotMarket('btc', 'usdt', { makerFeeRate: 33_331 }),
  spotMarket('usdt', 'btc', { priceScale: 4 }),
];

export interface RecordedVenue {
  readonly rig: Rig;
  readonly batches: readonly RecordedBatch[];
  readonly snapshots: readonly ClearingSnapshot[];
}

/** A venue that has been busy and was restarted twice, with everything that it recorded. */
export function recordedVenue(seed: number, commands = 400): RecordedVenue {
  const dice = new Dice(seed);
  let rig = new Rig();
  for (const configuration of ASSETS) rig.cold({ type: 'ConfigureAsset', configuration });
  for (const configuration of MARKETS) rig.cold({ type: 'ConfigureMarket', configuration });
  for (const account of [1, 2, 3]) {
    rig.cold(openAccount(`Account ${account}`, `user ${account}`));
    for (const { assetId } of ASSETS) rig.deposit(account, assetId, '50');
  }
  const shape = { accounts: 4, assetIds: ['usdt', 'btc'], markets: MARKETS };
  const source = new CommandSource(dice, shape, { ...swarmWeights(dice), amend: 10, cancel: 10 });
  const batches: RecordedBatch[] = [];
  const snapshots: ClearingSnapshot[] = [];
  for (let n = 0; n < commands; n++) {
    const open = rig.state.markets.flatMap(({ orders }) =>
      [...orders.slotsByPriority()].map((slot) => ({
        id: orders.orderIds[slot]!,
        account: orders.accounts[slot]!,
      })),
    );
    const orders = rig.state.nextOrderId - 1;
    rig.run(source.next({ orders, transfers: 0, open, now: rig.now }));
    rig.now += dice.below(60);
    if (n % 100 === 50) snapshots.push(rig.snapshot());
    if (n % 150 === 120) {
      batches.push(...rig.journal);
      rig = rig.restarted();
    }
  }
  batches.push(...rig.journal);
  return { rig, batches, snapshots };
}

/** Writes what a venue recorded into a data directory, as the journal and snapshot threads would. */
export function dataDirectoryOf({ batches, snapshots }: RecordedVenue): string {
  const dataDir = temporaryDirectory();
  const { store, end, batches: none } = recover(dataDir, silentLogger, { walBytes: 256 << 10 });
  for (const _ of none);
  const journal = new Journal(store, end);
  for (const batch of batches) journal.append([batch]);
  const shelf = SnapshotStore.open(dataDir, silentLogger);
  for (const state of snapshots) {
    const { sequence } = state;
    const snapshot = { sequence, stateHash: hashState(state), state };
    shelf.write(snapshot, store.endOfBatchAt(sequence));
  }
  shelf.close();
  store.checkpoint();
  store.close();
  return dataDir;
}

export function copyOf(dataDir: string): string {
  const copy = temporaryDirectory();
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}
