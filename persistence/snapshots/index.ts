export { SnapshotStore } from './snapshot-store.ts';

/** The entry of the snapshot thread: `new Worker(url, { workerData: SnapshotThreadData })`. */
export const SNAPSHOT_THREAD = new URL('./snapshot-thread.js', import.meta.url);
