import { decodeCold, encodeCold } from '../../core/messages/codec.ts';
import type { ChainPoint } from '../../persistence/journal/chain.ts';
import type { SnapshotInput } from '../../persistence/journal/protocol.ts';
import type { SnapshotSource } from '../../persistence/journal/recover.ts';
import { verifiedBatches } from '../../persistence/journal/verify.ts';
import type { StoredSnapshot } from '../../persistence/snapshots/snapshot-store.ts';
import { type Fate, MemoryStore } from '../persistence/support/memory-store.ts';
import { Random } from '../persistence/support/random.ts';
import type { Dice } from './dice.ts';

interface KeptSnapshot {
  readonly sequence: number;
  readonly anchor: ChainPoint;
  readonly content: Uint8Array;
  readonly damaged: boolean;
}

/** Snapshots that a machine keeps; some turn out to be unreadable. */
class SnapshotShelf implements SnapshotSource {
  private kept: KeptSnapshot[] = [];

  put(snapshot: SnapshotInput, anchor: ChainPoint, damaged: boolean): void {
    const { sequence } = snapshot;
    const others = this.kept.filter((each) => each.sequence !== sequence);
    this.kept = [{ sequence, anchor, content: encodeCold(snapshot), damaged }, ...others].slice(
      0,
      3,
    );
  }

  headers(): KeptSnapshot[] {
    return this.kept;
  }

  newestGood(): StoredSnapshot | null {
    const good = this.kept.find(({ damaged }) => !damaged);
    if (good === undefined) return null;
    const { sequence, anchor, content } = good;
    const header = { sequence, anchor, bytes: content.length };
    return { header, snapshot: decodeCold<SnapshotInput>(content) };
  }
}

/** What survives the process: the journal’s batches, its mark, and snapshots. */
export class SimulatedDisk {
  readonly store: MemoryStore;
  readonly snapshots = new SnapshotShelf();
  private readonly dice: Dice;

  constructor(dice: Dice) {
    this.dice = dice;
    this.store = new MemoryStore(new Random(dice.below(2 ** 31)));
  }

  /** The next write of the journal goes wrong somewhere on its way. */
  breakNextWrite(): void {
    const step = this.dice.pick(['append', 'append', 'writeMark'] as const);
    const fate = this.dice.pick<Fate>(['fails before', 'fails after', 'tears']);
    this.store.fate = (at) => (at === step ? fate : 'succeeds');
  }

  /** The process is gone; sometimes the machine went off with it. */
  settle(powerLost: boolean): void {
    this.store.fate = () => 'succeeds';
    if (powerLost) this.store.losePower();
  }

  keep(snapshot: SnapshotInput, damaged: boolean): void {
    this.snapshots.put(snapshot, this.store.endOfBatchAt(snapshot.sequence), damaged);
  }

  /** The whole journal, verified against its chain. */
  *batches() {
    const { store } = this;
    for (const batch of verifiedBatches(store, store.origin(), store.end())) {
      yield { firstSequence: batch.firstSequence, count: batch.count, events: batch.payload };
    }
  }
}
