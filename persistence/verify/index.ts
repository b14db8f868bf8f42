export { Difference } from './difference.ts';
export { rematchAll } from './rematch-all.ts';
export { verify } from './verify.ts';
