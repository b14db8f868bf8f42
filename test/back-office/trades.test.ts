import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { executionsOf, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { outcome } from './back-office.ts';

const TRADES = '/back-api/api/v2/account_trades/';
const LATEST = '/back-api/api/v2/last_trades';
const server = useServer();
let alice: ApiClient;
let bob: ApiClient;
let support: ApiClient;

interface LegacyTrade {
  readonly id: number;
  readonly executionId: number;
  readonly tradeId: number;
  readonly orderId: number;
  readonly userId: string;
  readonly email: string;
  readonly marketId: string;
  readonly side: string;
  readonly makerOrTaker: string;
  readonly baseAmount: string;
}

interface LatestTrades {
  readonly paging: { readonly next: number | null; readonly prev: number | null };
  readonly data: readonly {
    readonly email: string;
    readonly executedAt: string;
    readonly executionId: number;
  }[];
}

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  support = await server().user('support');
});

/** Alice buys from bob; answers the ids of both orders, hers first. */
async function trade(amount: string, price: string, marketId = 'spot.btc_usdt') {
  const order = { marketId, requestedAmount: amount, requestedPrice: price };
  const maker = await placed(bob, { ...order, side: 'Sell' });
  const taker = await placed(alice, { ...order, side: 'Buy' });
  return { maker, taker };
}

function now(offsetMs = 0): string {
  return new Date(Date.now() + offsetMs).toISOString();
}

function list(query: Record<string, string> = {}): Promise<Answer<readonly LegacyTrade[]>> {
  const window = { from: now(-300_000), to: now(60_000), ...query };
  return support.get(`${TRADES}?${new URLSearchParams(window)}`);
}

describe('account trades', () => {
  it('show both sides of each trade with their orders, users and commissions', async () => {
    const { maker, taker } = await trade('0.2', '30000');
    const { status, text, body } = await list({ market: 'btc_usdt' });
    expect(status, text).toBe(200);
    const [sold, bought] = body;
    const common = {
      marketId: 'spot.btc_usdt',
      orderType: 'Limit',
      orderStatus: 'Completed',
      executionPrice: '30000',
      baseAmount: '0.2',
      quoteAmount: '6000',
      commission: '6',
      commissionCurrency: 'usdt',
      commissionInRootAsset: '6',
      commissionInRootAssetNow: '6',
      rootAsset: 'usdt',
      remainingAmount: '0',
      totalBaseAmount: '0.2',
      totalQuoteAmount: '6000',
      totalCommission: '6',
      userRole: 'Trader',
      userRoles: ['Trader'],
    };
    expect(sold).toMatchObject({
      ...common,
      orderId: Number(maker),
      email: 'bob@matchbox.test',
      side: 'Sell',
      makerOrTaker: 'Maker',
    });
    expect(bought).toMatchObject({
      ...common,
      orderId: Number(taker),
      email: 'alice@matchbox.test',
      side: 'Buy',
      makerOrTaker: 'Taker',
    });
    expect(sold?.tradeId).toBe(bought?.executionId);
    expect(sold?.executionId).toBe((bought?.executionId ?? 0) + 1);
    const [execution] = await executionsOf(alice, [taker]);
    expect(execution?.executionId).toBe(String(bought?.id));
  });

  it('are those of the market, the amounts and the moment that were asked for', async () => {
    await trade('0.1', '3', 'spot.eth_usdt');
    await trade('0.3', '3', 'spot.eth_usdt');
    const market = 'spot.eth_usdt';
    const amounts = async (query: Record<string, string>) =>
      (await list({ market, ...query })).body.map(({ baseAmount }) => baseAmount);
    expect(await amounts({})).toEqual(['0.3', '0.3', '0.1', '0.1']);
    expect(await amounts({ minAmount: '0.1' })).toHaveLength(4);
    expect(await amounts({ minAmount: '0.100000000001' })).toEqual(['0.3', '0.3']);
    expect(await amounts({ maxAmount: '1e-1' })).toEqual(['0.1', '0.1']);
    expect(await amounts({ minAmount: '0.15', maxAmount: '0.2' })).toEqual([]);
    expect(await amounts({ from: now(-300_000), to: now(-200_000) })).toEqual([]);
    const all = await list();
    expect(new Set(all.body.map(({ marketId }) => marketId)).size).toBeGreaterThan(1);
    const ids = all.body.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((left, right) => right - left));
    const window = new URLSearchParams({ from: now(-300_000), to: now(60_000) });
    const unslashed = await support.get(`${TRADES.slice(0, -1)}?${window}`);
    expect(unslashed.body).toEqual(all.body);
  });

  it('come in pages', async () => {
    const all = (await list()).body.map(({ id }) => id);
    const paged: number[] = [];
    for (;;) {
      const last = paged.at(-1);
      const { body } = await list({
        limit: '3',
        ...(last === undefined ? {} : { lastExecutionId: String(last) }),
      });
      paged.push(...body.map(({ id }) => id));
      if (body.length < 3) break;
    }
    expect(paged).toEqual(all);
  });

  it.each([
    ['without a window', `${TRADES}`, '400 TR0008'],
    ['without an end', `${TRADES}?from=2026-01-01T00:00:00.000Z`, '400 TR0008'],
    [
      'for more than ten minutes',
      `${TRADES}?from=2026-01-01T00:00:00.000Z&to=2026-01-01T00:10:00.001Z`,
      '400 TR0015',
    ],
    [
      'for no time',
      `${TRADES}?from=2026-01-01T00:00:00.000Z&to=2026-01-01T00:00:00.000Z`,
      '400 TR0019',
    ],
    [
      'backwards',
      `${TRADES}?from=2026-01-01T00:00:01.000Z&to=2026-01-01T00:00:00.000Z`,
      '400 TR0019',
    ],
    ['for no date', `${TRADES}?from=yesterday&to=today`, '400 TR0012'],
  ])('are refused %s', async (_, path, expected) => {
    expect(outcome(await support.get(path))).toBe(expected);
  });

  it('are refused for what is no market and no amount', async () => {
    expect(outcome(await list({ market: 'btc_xxx' }))).toBe('400 TR0300');
    expect(outcome(await list({ market: 'cfd.eur_usdt' }))).toBe('400 TR0300');
    expect(outcome(await list({ minAmount: 'much' }))).toBe('400 TR0012');
    expect(outcome(await list({ maxAmount: '1e999' }))).toBe('400 TR0012');
    expect(outcome(await alice.get(`${TRADES}?from=${now(-1000)}&to=${now()}`))).toBe('403 TR0101');
  });

  it('take a window of exactly ten minutes', async () => {
    const window = 'from=2026-01-01T00:00:00.000Z&to=2026-01-01T00:10:00.000Z';
    const { status, body } = await support.get(`${TRADES}?${window}`);
    expect([status, body]).toEqual([200, []]);
  });
});

describe('last trades', () => {
  it('come a page at a time, each execution once', async () => {
    for (let count = 0; count < 60; count++) await trade('0.01', '3', 'spot.eth_usdt');
    const total = Math.max(...(await list()).body.map(({ id }) => id));
    const seen: number[] = [];
    let page: number | null = 1;
    while (page !== null) {
      const answer: Answer<LatestTrades> = await support.get(`${LATEST}?cursor=${page}`);
      expect(answer.status, answer.text).toBe(200);
      const { data, paging } = answer.body;
      expect(paging.prev).toBe(page === 1 ? null : page - 1);
      seen.push(...data.map(({ executionId }) => executionId));
      expect(data.every(({ email }) => /^(alice|bob)@matchbox\.test$/.test(email))).toBe(true);
      page = paging.next;
    }
    expect(seen).toEqual(Array.from({ length: total }, (_, index) => total - index));
    const first = await support.get<LatestTrades>(LATEST);
    expect(first.body.data).toHaveLength(100);
    expect(first.body.paging).toEqual({ next: 2, prev: null });
  });

  it('end where there are none', async () => {
    const { body } = await support.get<LatestTrades>(`${LATEST}?cursor=1000000`);
    expect(body).toEqual({ paging: { next: null, prev: 999_999 }, data: [] });
    for (const cursor of ['0', '-1', 'x', '1.5', '99999999999']) {
      expect(outcome(await support.get(`${LATEST}?cursor=${cursor}`))).toMatch(/^400 TR00/);
    }
  });
});

it('answers what the API document says', async () => {
  const document = await server()
    .anonymous()
    .get<{ paths: Record<string, unknown> }>('/openapi.json');
  const schemaOf = (path: string) => {
    const operation = document.body.paths[path] as {
      get: { responses: { 200: { content: { 'application/json': { schema: object } } } } };
    };
    return operation.get.responses[200].content['application/json'].schema;
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  expect(ajv.validate(schemaOf(TRADES), (await list()).body), JSON.stringify(ajv.errors)).toBe(
    true,
  );
  const { body } = await support.get(LATEST);
  expect(ajv.validate(schemaOf(LATEST), body), JSON.stringify(ajv.errors)).toBe(true);
});
