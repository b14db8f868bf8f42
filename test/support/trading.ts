import type { OrderForm, OrderRead } from '../../gateway/routes/orders/schemas.ts';
import type { Answer, ApiClient } from './api-client.ts';

export const ORDERS = '/frontoffice/api/v3/orders';
export const ORDERS_V4 = '/frontoffice/api/v4/orders';

/** The body of a refusal in the trading area. */
export interface RefusalBody {
  readonly code: string;
  readonly description: string;
}

export interface OrderBody {
  readonly order: OrderForm;
}

export interface ReadBody {
  readonly order: OrderRead;
}

/** A limit order that rests far from every price that tests trade at. */
export const RESTING = {
  marketId: 'spot.btc_usdt',
  side: 'Buy',
  orderType: 'Limit',
  timeInForce: 'Gtc',
  requestedAmount: '0.01',
  requestedPrice: '1000',
} as const;

export type OrderFields = Readonly<Record<string, unknown>>;

/** Places an order: the resting one, but for what is named. `undefined` leaves a field out. */
export function place(client: ApiClient, fields: OrderFields = {}): Promise<Answer<OrderBody>> {
  return client.post<OrderBody>(ORDERS, { order: { ...RESTING, ...fields } });
}

/** Places an order that is taken; answers its id. */
export async function placed(client: ApiClient, fields: OrderFields = {}): Promise<string> {
  const answer = await place(client, fields);
  if (answer.status !== 201) throw new Error(`not placed: ${answer.status} ${answer.text}`);
  return answer.body.order.orderId;
}

export function cancel(client: ApiClient, orderId: string): Promise<Answer<OrderBody>> {
  return client.del<OrderBody>(`${ORDERS}/${orderId}`);
}

export function amend(
  client: ApiClient,
  orderId: string,
  order: OrderFields,
): Promise<Answer<OrderBody>> {
  return client.patch<OrderBody>(`${ORDERS_V4}/${orderId}`, { order });
}

/** How many orders were cancelled. */
export async function cancelAll(client: ApiClient, marketId?: string): Promise<number> {
  const query = marketId === undefined ? '' : `?marketId=${marketId}`;
  const answer = await client.del<{ cancelledCount: number }>(`${ORDERS_V4}${query}`);
  return answer.body.cancelledCount;
}

export function read(client: ApiClient, orderId: string): Promise<Answer<ReadBody>> {
  return client.get<ReadBody>(`${ORDERS_V4}/${orderId}`);
}

/** An order that is there, as it is now. */
export async function orderOf(client: ApiClient, orderId: string): Promise<OrderRead> {
  const answer = await read(client, orderId);
  if (answer.status !== 200) throw new Error(`no order ${orderId}: ${answer.text}`);
  return answer.body.order;
}

export const LIST = '/frontoffice/api/v4/order-list';
const PAGE = 500;
const EXECUTIONS_MAX = 1000;
export const BALANCES = '/frontoffice/api/v4/balances';

export interface Balance {
  readonly total: string;
  readonly available: string;
  readonly locked: string;
}

interface AssetBalance extends Balance {
  readonly assetId: string;
}

/** The account's balances by asset. */
export async function balancesOf(client: ApiClient): Promise<Readonly<Record<string, Balance>>> {
  const { status, text, body } = await client.get<readonly AssetBalance[]>(BALANCES);
  if (status !== 200) throw new Error(`no balances: ${status} ${text}`);
  return Object.fromEntries(body.map(({ assetId, ...amounts }) => [assetId, amounts]));
}

/** Every order of the account that is open, newest first. */
export async function openOrdersOf(client: ApiClient): Promise<readonly OrderRead[]> {
  return await ordersOf(client, { orderStatus: ['Started', 'Pending', 'Working'] });
}

/** Every order of the account that fits, page by page. */
export async function ordersOf(client: ApiClient, filter: object): Promise<readonly OrderRead[]> {
  const orders: OrderRead[] = [];
  for (;;) {
    const lastOrderId = orders.at(-1)?.orderId ?? null;
    const page = { ...filter, limit: PAGE, lastOrderId };
    const { status, text, body } = await client.post<{ data: readonly OrderRead[] }>(LIST, page);
    if (status !== 200) throw new Error(`no order list: ${status} ${text}`);
    orders.push(...body.data);
    if (body.data.length < PAGE) return orders;
  }
}

/** What a refused request must leave as it was: balances and open orders of every account given. */
export async function stateOf(clients: readonly ApiClient[]): Promise<unknown> {
  const states = clients.map(async (client) => ({
    balances: await balancesOf(client),
    orders: await openOrdersOf(client),
  }));
  return await Promise.all(states);
}

/** What one side of one trade was. */
export interface Execution {
  readonly positionId: string;
  readonly orderId: string;
  readonly executionId: string;
  readonly side: string;
  readonly reason: string;
  readonly createdAt: string;
  readonly baseAmount: string;
  readonly executionPrice: string;
  readonly commissionAmountInRAT: string;
  readonly commissions: readonly { readonly assetId: string; readonly amount: string }[];
  readonly comment: string | null;
  readonly realizedPnlInRAT: string;
  readonly positionSizeIncreased: boolean;
}

export interface ExecutionPage {
  readonly executions: readonly Execution[];
  readonly isExceeded: boolean;
}

/** Every execution of these orders, newest first; each of them may have more than a page. */
export async function executionsOf(
  client: ApiClient,
  orderIds: readonly string[],
): Promise<readonly Execution[]> {
  const path = '/frontoffice/api/v4/orders/executions/list';
  const answer = await client.post<ExecutionPage>(path, { orderIds, limit: EXECUTIONS_MAX });
  const { status, text, body } = answer;
  if (status !== 200) throw new Error(`no executions: ${status} ${text}`);
  if (!body.isExceeded) return body.executions;
  const [half, rest] = [
    orderIds.slice(0, orderIds.length / 2),
    orderIds.slice(orderIds.length / 2),
  ];
  if (half.length === 0) throw new Error(`order ${orderIds[0]} has too many executions`);
  return [...(await executionsOf(client, half)), ...(await executionsOf(client, rest))];
}
