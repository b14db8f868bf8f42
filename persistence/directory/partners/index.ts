export { APP_GRANT } from './apps.ts';
export type { ExportResult } from './export-file.ts';
export { type ExportPool, openExportPool } from './export-pool.ts';
export {
  EXPORT_FORMATS,
  EXPORT_STATUSES,
  EXPORT_SUBJECTS,
  type ExportFormat,
} from './exports.ts';
export { CHAIN_NODES_MAX } from './nodes.ts';
export {
  REASSIGNMENT_STATUSES,
  REASSIGNMENT_TYPES,
} from './reassignment-reader.ts';
export { RELATIONS_A_STEP } from './reassignment-work.ts';
export type { PartnerRecord } from './record-reader.ts';
export type { PartnerResourceName } from './resources.ts';
export type { Attempt, Violation } from './violations.ts';
