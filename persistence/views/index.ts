export type { OrderView } from '../../core/messages/order-view.ts';
export { type OrderPositionPair, ViewsClient } from './client.ts';
export { compareViews, type ViewsComparison } from './compare.ts';
export { PROJECTION_POLICY, type ProjectionPolicy } from './pacing.ts';
export {
  type CandleView,
  type ExecutionPage,
  type ExecutionView,
  type OrderRecord,
  orderFacts,
  type TradeView,
  type TradeWindowView,
  type TransferView,
} from './queries/forms.ts';
export { ORDERS_PER_REQUEST, PAGE_DEFAULT, PAGE_LIMITS } from './queries/requests.ts';
export { type JsonOf, parseJson, type Read } from './reads.ts';
export { TIMEFRAMES, type Timeframe } from './timeframes.ts';
export { openViews, type Views, type ViewsOptions } from './views.ts';
