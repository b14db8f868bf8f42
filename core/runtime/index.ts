export type { ClearingControl, ClearingReport, ClearingThreadData } from './clearing-thread.ts';
export type { MarketThreadData } from './market-thread.ts';

/** The threads' entry files: `new Worker(url, { workerData })`. */
export const CLEARING_THREAD = new URL('./clearing-thread.js', import.meta.url);
export const MARKET_THREAD = new URL('./market-thread.js', import.meta.url);
