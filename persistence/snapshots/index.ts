export {
  type SnapshotHeader,
  SnapshotStore,
  type StoredSnapshot,
} from './snapshot-store.ts';

/** The thread's entry file: `new Worker(url, { workerData })`. */
export const SNAPSHOT_THREAD = new URL('./thread.js', import.meta.url);

/** The entry of the snapshot thread: `new Worker(url, { workerData: SnapshotThreadData })`. */
export const SNAPSHOT_THREAD = new URL('./snapshot-thread.js', import.meta.url);
