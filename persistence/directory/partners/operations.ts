import { partnerAppOperations } from './apps.ts';
import { partnerExportOperations } from './exports.ts';
import { partnerNodeOperations } from './nodes.ts';
import { partnerReassignmentOperations } from './reassignments.ts';
import { partnerRecordOperations } from './records.ts';

/** What can be asked of the partner area, by group. */
export const partnerOperations = {
  partnerApps: partnerAppOperations,
  partnerExports: partnerExportOperations,
  partnerNodes: partnerNodeOperations,
  partnerReassignments: partnerReassignmentOperations,
  partnerRecords: partnerRecordOperations,
};
