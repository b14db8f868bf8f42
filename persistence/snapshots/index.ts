export {
  type SnapshotHeader,
  SnapshotStore,
  type StoredSnapshot,
} from './snapshot-store.ts';
