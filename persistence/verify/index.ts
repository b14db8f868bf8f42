export { Difference } from './difference.ts';
export { rematchAll } from './rematch-all.ts';
export { type Verification, verify } from './verify.ts';
