export type { OrderView } from '../../core/messages/order-view.ts';
export { ViewsClient } from './client.ts';
export { compareViews, type ViewsComparison } from './compare.ts';
export { PROJECTION_POLICY } from './pacing.ts';
export {
  type CallbackView,
  type ExecutionPage,
  orderFacts,
  type PositionRecord,
  type TradeWindowView,
} from './queries/forms.ts';
export {
  ORDERS_PER_REQUEST,
  PAGE_DEFAULT,
  PAGE_LIMITS,
} from './queries/requests.ts';
export type { AccountTradeView, TradeMoves } from './queries/spot-trade-forms.ts';
export { type JsonOf, parseJson, type Read } from './reads.ts';
export { TIMEFRAMES, type Timeframe } from './timeframes.ts';
export { openViews, type Views, type ViewsOptions } from './views.ts';
