/**
 * What the declarations of guest endpoints have in common: nobody signs in, neither Authorization nor
 * accountId is read, and requests are taken from the budget that guests have a caller.
 */
export const GUEST = { area: 'trading', operation: 'none', rateClass: 'guest' } as const;
