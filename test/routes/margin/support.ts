import { expect } from 'vitest';
import { type RefusalName, Refusals, refusalCode } from '../../../core/messages/refusals.ts';
import type { Answer, ApiClient } from '../../support/api-client.ts';
import {
  balancesOf,
  type OrderFields,
  openOrdersOf,
  type RefusalBody,
} from '../../support/trading.ts';

export const CFD_ORDERS = '/frontoffice/api/cfd/v4/orders';
export const PERP_ORDERS = '/frontoffice/api/perpetual/v4/orders';
export const POSITIONS = '/frontoffice/api/v4/positions';
export const CLOSED = '/frontoffice/api/v4/orders/closed-positions';

export interface ResultBody {
  readonly order: { readonly orderId: string; readonly status: string };
}

export interface Position {
  readonly positionId: string;
  readonly marketId: string;
  readonly side: string;
  readonly lotAmount: string;
  readonly closingLotAmount: string;
  readonly baseAmount: string;
  readonly openPrice: string;
  readonly currentPrice: string | null;
  readonly unrealizedPnlInRAT: string;
  readonly usedMarginInRAT: string;
  readonly leverage: string;
  readonly stopLoss: { readonly price: string; readonly isTrailing: boolean } | null;
  readonly takeProfit: { readonly price: string } | null;
  readonly openOrderId: string;
  readonly comment: string | null;
}

/** A limit order for 0.1 lots of 100,000 euros that nobody meets. */
export const EURO = {
  marketId: 'cfd.eur_usdt',
  side: 'Buy',
  orderType: 'Limit',
  timeInForce: 'Gtc',
  requestedLotAmount: '0.1',
  requestedPrice: '1.1',
  leverage: 10,
} as const;

export function place(
  client: ApiClient,
  fields: OrderFields = {},
  path = CFD_ORDERS,
): Promise<Answer<ResultBody & RefusalBody>> {
  return client.post(path, { order: { ...EURO, ...fields } });
}

/** Places an order that is taken; answers its id. */
export async function placed(client: ApiClient, fields: OrderFields = {}): Promise<string> {
  const answer = await place(client, fields);
  if (answer.status !== 200) throw new Error(`not placed: ${answer.status} ${answer.text}`);
  return answer.body.order.orderId;
}

/** Two accounts trade at a price: the first buys, the second sells. Answers both orders' ids. */
export async function trade(
  buyer: ApiClient,
  seller: ApiClient,
  fields: OrderFields = {},
  sellerFields: OrderFields = {},
): Promise<readonly [string, string]> {
  const sold = await placed(seller, { ...fields, side: 'Sell', ...sellerFields });
  const bought = await placed(buyer, { ...fields, side: 'Buy' });
  return [bought, sold];
}

export async function positionsOf(
  client: ApiClient,
  filter: object = {},
): Promise<readonly Position[]> {
  const answer = await client.post<{ data: readonly Position[] }>(`${POSITIONS}/list`, filter);
  if (answer.status !== 200) throw new Error(`no positions: ${answer.status} ${answer.text}`);
  return answer.body.data;
}

/** The only position that there is. */
export async function positionOf(client: ApiClient): Promise<Position> {
  const [position, another] = await positionsOf(client);
  if (position === undefined || another !== undefined) throw new Error('not one position');
  return position;
}

export function close(
  client: ApiClient,
  positionId: string,
  order?: OrderFields,
): Promise<Answer<ResultBody & RefusalBody>> {
  return client.post(`${POSITIONS}/${positionId}/close`, order === undefined ? {} : { order });
}

/** Sets both triggers of a position. */
export function setTriggers(
  client: ApiClient,
  positionId: string,
  triggers: OrderFields,
): Promise<Answer<{ readonly position: Position } & RefusalBody>> {
  return client.send('PUT', `${POSITIONS}/${positionId}/triggers`, triggers);
}

export interface Margin {
  readonly marginBalanceInRAT: string;
  readonly unrealizedPnlInRAT: string;
  readonly equityInRAT: string;
  readonly usedMarginInRAT: string;
  readonly freeMarginInRAT: string;
  readonly marginLevel: string | null;
  readonly collateralAssetIds: readonly string[];
}

export async function marginOf(client: ApiClient): Promise<Margin> {
  return (await client.get<Margin>('/frontoffice/api/v4/account-margin')).body;
}

/** All of it that a refused request must leave as it was. */
async function stateOf(client: ApiClient): Promise<unknown> {
  return {
    balances: await balancesOf(client),
    orders: await openOrdersOf(client),
    positions: await positionsOf(client),
    margin: await marginOf(client),
    stops: (await client.post('/frontoffice/api/v4/stop-order-list', {})).body,
  };
}

/** Sends what must be refused, and sees to it that it is, by this code, and changes nothing. */
export async function expectRefused(
  name: RefusalName,
  field: string,
  client: ApiClient,
  send: () => Promise<Answer>,
): Promise<void> {
  const before = await stateOf(client);
  const { status, body } = await send();
  const refusal = Refusals[name];
  expect({ status, ...(body as RefusalBody) }).toEqual({
    status: refusal.status,
    code: refusalCode(refusal),
    description: expect.stringContaining(field),
  });
  expect((body as RefusalBody).description).not.toMatch(/\{\w+\}|undefined|\[object/);
  expect(await stateOf(client)).toEqual(before);
}
