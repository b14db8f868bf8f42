import type { Session } from '../../http/authorisation.ts';

/** What commands say of an order that a program sent with a key. */
export const BY_KEY = 1;

/** Whether this caller is such a program, as commands say it. */
export function byKeyOf({ isByKey }: Session): number {
  return isByKey === true ? BY_KEY : 0;
}
