export { MarketWorker } from './market-worker.ts';
export { DEPTH_LEVELS_MAX } from './matching.ts';
export { endOfDay, TradingSessions } from './sessions.ts';
