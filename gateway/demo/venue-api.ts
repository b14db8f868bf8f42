import { type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { OrderForm, QuotedMarket } from './market-quoter.ts';
import { isSuccess, type VenueAnswer, type VenueClient } from './venue-client.ts';

const OPEN_STATUSES = ['Pending', 'Working'];
const OPEN_ORDERS_LIMIT = 100;

const Accounts = Type.Array(Type.Object({ accountId: Type.String(), accountName: Type.String() }));
const Assets = Type.Array(Type.Object({ assetId: Type.String(), isRootAsset: Type.Boolean() }));
const Markets = Type.Array(Type.Object({ marketId: Type.String(), type: Type.String() }));
const MarketDetail = Type.Object({
  marketId: Type.String(),
  baseAssetId: Type.String(),
  quoteAssetId: Type.String(),
  priceScale: Type.Integer(),
  amountScale: Type.Integer(),
  minAmount: Type.Union([Type.String(), Type.Null()]),
});
const PlacedOrder = Type.Object({ order: Type.Object({ orderId: Type.String() }) });
const OrderList = Type.Object({ data: Type.Array(Type.Object({ orderId: Type.String() })) });

/** The part of the HTTP interface that the bots use. */
export class VenueApi {
  readonly #client: VenueClient;

  constructor(client: VenueClient) {
    this.#client = client;
  }

  async accountId(name: string): Promise<string> {
    const accounts = await this.#get('/frontoffice/api/v3/accounts', Accounts);
    const account = accounts.find(({ accountName }) => accountName === name);
    if (account === undefined) throw new Error(`there is no account ${name}`);
    return account.accountId;
  }

  async rootAssetId(): Promise<string> {
    const assets = await this.#get('/frontoffice/api/v3/assets', Assets);
    const root = assets.find(({ isRootAsset }) => isRootAsset);
    if (root === undefined) throw new Error('there is no root asset');
    return root.assetId;
  }

  async spotMarketIds(): Promise<string[]> {
    const markets = await this.#get('/frontoffice/api/v6/markets', Markets);
    return markets.filter(({ type }) => type === 'Spot').map(({ marketId }) => marketId);
  }

  market(marketId: string): Promise<QuotedMarket> {
    const path = `/frontoffice/api/v6/markets/${encodeURIComponent(marketId)}`;
    return this.#get(path, MarketDetail);
  }

  async openOrderIds(accountId: string): Promise<Set<string>> {
    const path = '/frontoffice/api/v4/order-list';
    const body = { orderStatus: OPEN_STATUSES, limit: OPEN_ORDERS_LIMIT };
    const list = await this.#client.read({ method: 'POST', path, accountId, body }, OrderList);
    return new Set(list.data.map(({ orderId }) => orderId));
  }

  /** The id of the order, or why there is none. */
  async place(
    accountId: string,
    form: OrderForm & { readonly clientOrderId: string },
  ): Promise<{ readonly orderId: string } | { readonly refusal: string }> {
    const path = '/frontoffice/api/v3/orders';
    const body = { order: { ...form, orderType: 'Limit' } };
    const answer = await this.#client.send({ method: 'POST', path, accountId, body });
    if (isSuccess(answer.status) && Value.Check(PlacedOrder, answer.body)) return answer.body.order;
    return { refusal: refusalOf(answer) };
  }

  /** False where the order cannot be amended: most often it is open no more. */
  async amend(accountId: string, orderId: string, requestedPrice: string): Promise<boolean> {
    const path = `/frontoffice/api/v4/orders/${orderId}`;
    const body = { order: { requestedPrice } };
    const answer = await this.#client.send({ method: 'PATCH', path, accountId, body });
    return isSuccess(answer.status);
  }

  async cancel(accountId: string, orderId: string): Promise<void> {
    const path = `/frontoffice/api/v3/orders/${orderId}`;
    await this.#client.send({ method: 'DELETE', path, accountId });
  }

  async cancelAll(accountId: string): Promise<void> {
    const path = '/frontoffice/api/v4/orders';
    await this.#client.send({ method: 'DELETE', path, accountId });
  }

  #get<S extends TSchema>(path: string, schema: S) {
    return this.#client.read({ method: 'GET', path }, schema);
  }
}

function refusalOf({ status, body }: VenueAnswer): string {
  return `${status} ${JSON.stringify(body)}`;
}
