import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { cancel, orderOf, place, placed, type RefusalBody } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { BACK_OFFICE, outcome, put } from './back-office.ts';

const server = useServer();
let admin: ApiClient;
let support: ApiClient;
let alice: ApiClient;
let bob: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  support = await server().user('support');
  alice = await server().trader('alice');
  bob = await server().trader('bob');
});

const market = (marketId: string) => `${BACK_OFFICE}/market/${marketId}`;
const read = async (marketId: string, client = support) =>
  (await client.get<Record<string, unknown>>(`${BACK_OFFICE}/v2/markets/${marketId}`)).body;
const shown = async (marketId: string) =>
  outcome(await alice.get(`/frontoffice/api/v6/markets/${marketId}`));

const BTC_ETH = {
  id: 'btc_eth',
  base_asset: 'btc',
  quote_asset: 'eth',
  amount_scale: 4,
  min_amount: '0.001',
  price_deviation: 0.5,
  price_scale: 3,
  max_price: 1000,
  min_price: '0.5',
  base_fee: 0,
  maker_fee: 0.001,
  taker_fee: '0.002',
  status: 'Open',
  side: 'BuySell',
};

describe('a new market', () => {
  it('trades at once, with its commission, and after a restart', async () => {
    const made = await admin.post(market('btc_eth'), BTC_ETH);
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      ...BTC_ETH,
      id: 'spot.btc_eth',
      price_deviation: '0.5',
      max_price: '1000',
      base_fee: '0',
      quote_fee: '0.002',
      maker_fee: '0.001',
      maker_fee_limit: '0',
      taker_fee_limit: '0',
      hidden: false,
    });
    const order = { marketId: 'spot.btc_eth', requestedPrice: '12.5', requestedAmount: '0.5' };
    const maker = await placed(alice, { ...order, side: 'Sell' });
    await server().kill('SIGKILL');
    await server().restart();
    const taker = await placed(bob, { ...order, side: 'Buy', timeInForce: 'Ioc' });
    const { body } = await bob.get<{ order: object }>(`/frontoffice/api/v4/orders/${taker}`);
    expect(body.order).toMatchObject({ status: 'Completed', commissionAmount: '0.0125' });
    expect((await orderOf(alice, maker)).commissionAmount).toBe('0.00625');
    expect(await read('spot.btc_eth')).toMatchObject({
      marketId: 'spot.btc_eth',
      displayName: 'BTC/ETH',
      fullName: 'Bitcoin / Ether',
      minAmount: '0.001',
      priceDeviation: '0.5',
      priceScale: 3,
      amountScale: 4,
      slippageRate: '1',
      status: 'Open',
      type: 'Spot',
      isSynchronized: false,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const low = { ...order, requestedPrice: '0.499' };
    expect(outcome(await place(alice, { ...low, side: 'Buy' }))).toBe('400 TR0224');
    const high = { ...order, requestedPrice: '1000.001' };
    expect(outcome(await place(alice, { ...high, side: 'Sell' }))).toBe('400 TR0211');
  });

  it('says what an order may be of at most, where nobody said so', async () => {
    const { body } = await alice.get<{ maxBaseAmount: string }>(
      '/frontoffice/api/v6/markets/spot.btc_eth',
    );
    expect(body.maxBaseAmount).toBe('10000000');
    const order = { marketId: 'spot.btc_eth', requestedPrice: '12.5', side: 'Buy' };
    const most = { ...order, requestedAmount: body.maxBaseAmount };
    expect(outcome(await place(alice, most))).toBe('400 TR0400');
    const more = { ...order, requestedAmount: '10000000.0001' };
    expect(outcome(await place(alice, more))).toBe('400 TR0210');
  });

  it.each<[string, string, object, string]>([
    ['it is there', 'btc_usdt', { id: null, quote_asset: 'usdt' }, '409 TR0602'],
    ['its base is unknown', 'nix_eth', { id: null, base_asset: 'nix' }, '400 TR0500'],
    ['its quote is unknown', 'btc_nix', { id: null, quote_asset: 'nix' }, '400 TR0500'],
    ['its id is not its assets', 'btc_eur', { id: null }, '400 TR0600'],
    ['its ids differ', 'btc_eur', {}, '400 TR0600'],
    ['its price scale is 1', 'eth_eur', { price_scale: 1 }, '400 TR0015'],
    ['its price scale is 9', 'eth_eur', { price_scale: 9 }, '400 TR0015'],
    ['its amount scale is 9', 'eth_eur', { amount_scale: 9 }, '400 TR0015'],
    ['it names no quote', 'btc_eur', { quote_asset: undefined }, '400 TR0008'],
    ['its two fees of takers differ', 'btc_eth', { quote_fee: 0.001 }, '400 TR0600'],
    ['the base is charged', 'btc_eth', { base_fee: 0.001 }, '400 TR0600'],
    ['its deviation is above 1', 'xau_eth', { price_deviation: 2 }, '400 TR0600'],
    ['an asset is traded for itself', 'btc_btc', { id: null, quote_asset: 'btc' }, '400 TR0600'],
    ['its status is none', 'eth_eur', { status: 'Closed' }, '400 TR0011'],
  ])('is refused where %s', async (_, marketId, change, expected) => {
    const body = { ...BTC_ETH, id: 'btc_eth', ...change };
    const isWhole = marketId === 'btc_eth' || marketId === 'xau_eth';
    const [base, quote] = marketId.split('_');
    const assets = isWhole ? { id: null, base_asset: base, quote_asset: quote } : {};
    expect(outcome(await admin.post(market(marketId), { ...body, ...assets }))).toBe(expected);
    expect(outcome(await admin.get(`${BACK_OFFICE}/v2/markets/spot.eth_eur`))).toBe('400 TR0300');
  });
});

describe('an update', () => {
  it('changes what is sent and nothing else, and stays', async () => {
    const before = await read('spot.eth_usdt');
    expect(before['createdAt']).toMatch(/Z$/);
    const changed = await put(admin, market('eth_usdt'), { price_deviation: '0.25', side: null });
    expect(changed.body).toMatchObject({ price_deviation: '0.25', side: 'BuySell' });
    await server().kill('SIGKILL');
    await server().restart();
    const after = await read('spot.eth_usdt');
    expect(after).toEqual({ ...before, priceDeviation: '0.25', updatedAt: after['updatedAt'] });
  });

  it('of one side at a time loses none of two at once', async () => {
    const path = market('spot.eth_usdt');
    await Promise.all([
      put(admin, path, { min_amount: '0.5' }),
      put(admin, path, { price_deviation: '0.125' }),
    ]);
    const after = { minAmount: '0.5', priceDeviation: '0.125' };
    expect(await read('spot.eth_usdt')).toMatchObject(after);
  });

  it('carries figures over to new scales, and wants those that do not fit', async () => {
    const path = market('eth_btc');
    await put(admin, path, { min_amount: '0.0125' });
    expect(outcome(await put(admin, path, { amount_scale: 3 }))).toBe('400 TR0600');
    await put(admin, path, { amount_scale: 4, price_scale: 5 });
    const after = { minAmount: '0.0125', amountScale: 4, priceScale: 5 };
    expect(await read('spot.eth_btc')).toMatchObject(after);
    const both = { amount_scale: 3, min_amount: '0.012' };
    expect(outcome(await put(admin, path, both))).toBe('200');
    expect(await read('spot.eth_btc')).toMatchObject({ minAmount: '0.012', amountScale: 3 });
    const order = { marketId: 'spot.eth_btc', requestedPrice: '0.001', requestedAmount: '1' };
    const open = await placed(alice, order);
    expect(outcome(await put(admin, path, { amount_scale: 4 }))).toBe('409 TR0601');
    await cancel(alice, open);
  });

  it.each([
    [{ price_deviation: '1.1' }, 'price_deviation 1.1 is not allowed: 0 to 1.'],
    [{ taker_fee: 2 }, 'taker_fee 2 is not allowed: 0 to 1.'],
    [{ quote_fee: '2.5' }, 'quote_fee 2.5 is not allowed: 0 to 1.'],
    [{ maker_fee: 3 }, 'maker_fee 3 is not allowed: 0 to 1.'],
  ])('of %j is refused in its own words', async (update, description) => {
    const refused = await put<RefusalBody>(admin, market('eth_btc'), update);
    expect(refused.body.description).toBe(description);
  });

  it('of the side holds for orders in clearing', async () => {
    await put(admin, market('btc_usdt'), { side: 'Sell' });
    const refused = await place(alice);
    expect(outcome(refused)).toBe('400 TR0304');
    await put(admin, market('btc_usdt'), { side: 'BuySell' });
    await cancel(alice, await placed(alice));
  });

  it('of the status pauses and halts', async () => {
    const open = await placed(alice);
    await put(admin, market('btc_usdt'), { status: 'Paused' });
    expect(outcome(await place(alice))).toBe('400 TR0301');
    await put(admin, market('btc_usdt'), { status: 'Halted' });
    const { body } = await alice.get<{ order: object }>(`/frontoffice/api/v4/orders/${open}`);
    expect(body.order).toMatchObject({ status: 'Cancelled', reason: 'MarketHalted' });
    await put(admin, market('btc_usdt'), { status: 'Open' });
  });

  it('that hides takes the market away from traders, not what they have in it', async () => {
    const open = await placed(alice);
    await put(admin, market('btc_usdt'), { hidden: true });
    expect(await shown('spot.btc_usdt')).toBe('400 TR0300');
    expect(outcome(await place(alice))).toBe('400 TR0300');
    expect(outcome(await cancel(alice, open))).toBe('200');
    expect(await read('spot.btc_usdt')).toMatchObject({ status: 'Open' });
    await put(admin, market('btc_usdt'), { hidden: false });
    expect(await shown('spot.btc_usdt')).toBe('200');
  });

  it('of a market that does not exist is refused', async () => {
    expect(outcome(await put(admin, market('no_such'), {}))).toBe('400 TR0300');
    expect(outcome(await put(admin, market('btc_usdt'), { colour: 1 }))).toBe('400 TR0010');
  });
});

describe('a support user', () => {
  const path = market('btc_usdt');

  it('hides and shows, and repeats what is so already', async () => {
    const same = { hidden: true, status: 'Open', taker_fee: 0.001, min_amount: '0.000010' };
    expect(outcome(await put(support, path, same))).toBe('200');
    expect(await shown('spot.btc_usdt')).toBe('400 TR0300');
    expect(outcome(await put(support, path, { hidden: false }))).toBe('200');
    expect(await shown('spot.btc_usdt')).toBe('200');
  });

  it('changes nothing else: the first field is named and nothing is saved', async () => {
    const before = await read('spot.btc_usdt');
    const sent = { hidden: true, status: 'Open', side: 'Buy', price_scale: 3 };
    const refused = await put<RefusalBody>(support, path, sent);
    expect(outcome(refused)).toBe('403 TR0106');
    expect(refused.body.description).toMatch(/^side /);
    expect(await shown('spot.btc_usdt')).toBe('200');
    expect(await read('spot.btc_usdt')).toEqual(before);
    expect(outcome(await support.post(market('btc_eur'), BTC_ETH))).toBe('403 TR0101');
  });

  it('is more than a trader', async () => {
    expect(outcome(await put(alice, path, { hidden: true }))).toBe('403 TR0101');
    expect(outcome(await alice.get(`${BACK_OFFICE}/v2/markets/spot.btc_usdt`))).toBe('403 TR0101');
  });
});
