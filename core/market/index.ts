export { MarketWorker } from './market-worker.ts';
export { DEPTH_LEVELS_MAX, Matching } from './matching.ts';
export { endOfDay, TradingSessions } from './sessions.ts';
