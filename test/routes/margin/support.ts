import type { Answer, ApiClient } from '../../support/api-client.ts';
import type { OrderFields, RefusalBody } from '../../support/trading.ts';

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
