export { audit } from './audit.ts';
export { submissionOf } from './books.ts';
export {
  buyHoldOf,
  creditOf,
  debitOf,
  feeOf,
  lesser,
  notionalOf,
  notionalScale,
} from './charges.ts';
export { Clearing, type ClearingOptions } from './clearing.ts';
export { applyCold } from './cold-events.ts';
export { checkDeletion, checkTarget } from './commission-rules.ts';
export { CommissionSchedule, DEFAULT_PROFILE, isDefault } from './commission-schedule.ts';
export type { Denial } from './denial.ts';
export { HOUSE_ACCOUNT } from './ledger.ts';
export { highestLeverage } from './margin/leverage.ts';
export { greatestAmount } from './market.ts';
export { Replay } from './replay.ts';
export { type ClearingSnapshot, isOfThisVersion, restoreState, takeSnapshot } from './snapshot.ts';
export { CLIENT_ORDER_ID_WINDOW, ClearingState } from './state.ts';
export { hashState } from './state-hash.ts';
