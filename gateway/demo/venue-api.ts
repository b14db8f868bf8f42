import { type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parseDecimal, parseUnits } from '../../core/fixed-point/index.ts';
import { TradingSessions } from '../../core/market/index.ts';
import type { OrderForm, QuotedMarket } from './market-quoter.ts';
import { isSuccess, type VenueAnswer, type VenueClient } from './venue-client.ts';

const OPEN_STATUSES = ['Pending', 'Working'];
const OPEN_ORDERS_LIMIT = 100;

const SPOT_PLACEMENT = { path: '/frontoffice/api/v3/orders', amountField: 'requestedAmount' };
/** By the first part of a market's id. */
const PLACEMENT: Readonly<Record<string, { readonly path: string; readonly amountField: string }>> =
  {
    spot: SPOT_PLACEMENT,
    cfd: { path: '/frontoffice/api/cfd/v4/orders', amountField: 'requestedLotAmount' },
    perp: { path: '/frontoffice/api/perpetual/v4/orders', amountField: 'requestedLotAmount' },
  };

const Accounts = Type.Array(Type.Object({ accountId: Type.String(), accountName: Type.String() }));
const Assets = Type.Array(Type.Object({ assetId: Type.String(), isRootAsset: Type.Boolean() }));
const Markets = Type.Array(Type.Object({ marketId: Type.String() }));
const Text = Type.Union([Type.String(), Type.Null()]);
const TimeIntervals = Type.Array(Type.Object({ start: Type.String(), end: Type.String() }));
const MarketDetail = Type.Object({
  marketId: Type.String(),
  baseAssetId: Type.String(),
  quoteAssetId: Type.String(),
  priceScale: Type.Integer(),
  amountScale: Type.Union([Type.Integer(), Type.Null()]),
  minAmount: Text,
  lotSize: Type.Union([Type.Integer(), Type.Null()]),
  minLotAmount: Text,
  lotStep: Text,
  calendar: Type.Object({
    timeZoneId: Type.String(),
    tradingSessions: Type.Array(
      Type.Object({ dayOfWeek: Type.String(), timeIntervals: TimeIntervals }),
    ),
    sessionOverrides: Type.Array(
      Type.Object({
        date: Type.String(),
        timeIntervals: Type.Union([TimeIntervals, Type.Null()]),
      }),
    ),
  }),
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

  async marketIds(): Promise<string[]> {
    const markets = await this.#get('/frontoffice/api/v6/markets', Markets);
    return markets.map(({ marketId }) => marketId);
  }

  async market(marketId: string): Promise<QuotedMarket> {
    const path = `/frontoffice/api/v6/markets/${encodeURIComponent(marketId)}`;
    const detail = await this.#get(path, MarketDetail);
    const { baseAssetId, quoteAssetId, priceScale, lotSize, lotStep } = detail;
    const amountScale = detail.amountScale ?? parseDecimal(lotStep ?? '1')?.scale ?? 0;
    const units = (text: string | null) =>
      BigInt(Math.max(1, parseUnits(text ?? '0', amountScale)));
    const sessions = new TradingSessions(detail.calendar);
    return {
      marketId,
      baseAssetId,
      quoteAssetId,
      priceScale,
      amountScale,
      lotSize: lotSize ?? 1,
      amountStep: units(lotStep),
      minAmount: units(detail.minLotAmount ?? detail.minAmount),
      isOpen: (now) => sessions.isOpen(now),
    };
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
    const { requestedAmount, ...order } = form;
    const [type = ''] = form.marketId.split('.');
    const { path, amountField } = PLACEMENT[type] ?? SPOT_PLACEMENT;
    const body = { order: { ...order, orderType: 'Limit', [amountField]: requestedAmount } };
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
