export { OrderBook } from './order-book.ts';
export {
  ANY_BUY_LIMIT,
  ANY_SELL_LIMIT,
  Buy,
  type DepthLevels,
  type FillSink,
  SelfTrade,
  Sell,
} from './types.ts';
