export { OrderBook } from './order-book.ts';
export {
  ANY_BUY_LIMIT,
  ANY_SELL_LIMIT,
  Buy,
  type DepthLevels,
  type FillSink,
  type RestingVisitor,
  SelfTrade,
  Sell,
} from './types.ts';
