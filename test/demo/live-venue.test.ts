import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseUnits } from '../../core/fixed-point/index.ts';
import { TradingSessions } from '../../core/market/index.ts';
import { DEMO_MARKETS } from '../../gateway/demo/markets.ts';
import type { ApiClient } from '../support/api-client.ts';
import { TestServer } from '../support/server.ts';
import { orderOf, placed } from '../support/trading.ts';

const SPOT_MARKETS = ['spot.btc_usdt', 'spot.eth_usdt', 'spot.eth_btc'];
/** Those that never close. */
const MARKETS = [...SPOT_MARKETS, 'cfd.eur_usdt', 'perp.btc_usdt', 'perp.eth_usdt'];
const LEVELS = 5;
const PRICE_SCALE = 8;
const PATIENCE_MS = 60_000;
vi.setConfig({ testTimeout: 3 * PATIENCE_MS, hookTimeout: 2 * PATIENCE_MS });

interface Level {
  readonly price: string;
  readonly amount: string;
}

interface Depth {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

async function depthOf(client: ApiClient, marketId: string): Promise<Depth> {
  const path = `/marketdata/api/v4/instruments/${marketId}/depth`;
  return (await client.get<Depth>(path)).body;
}

/** Waits until the bots quote fully, and not more, in every market, and other than `before`. */
async function quotedDepths(
  client: ApiClient,
  before?: ReadonlyMap<string, Depth>,
): Promise<Map<string, Depth>> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const depths = new Map<string, Depth>();
    for (const marketId of MARKETS) depths.set(marketId, await depthOf(client, marketId));
    const sides = [...depths.values()].flatMap(({ bids, asks }) => [bids, asks]);
    // New quotes come when the old ones of all markets are off: one tells for all.
    const isNew = MARKETS.some(
      (marketId) => bestOf(depths, marketId).bid !== bestOf(before ?? new Map(), marketId).bid,
    );
    if (isNew && sides.every((side) => side.length === LEVELS)) return depths;
    if (performance.now() > deadline) {
      throw new Error(`no full quotes:\n${JSON.stringify([...depths], null, 1)}`);
    }
    await sleep(200);
  }
}

/** In 10^-8, as a bigint: prices of three markets are compared by exact products. */
function bestOf(
  depths: ReadonlyMap<string, Depth>,
  marketId: string,
): { bid: bigint; ask: bigint } {
  const depth = depths.get(marketId);
  const price = (level: Level | undefined) => BigInt(parseUnits(level?.price ?? '0', PRICE_SCALE));
  return { bid: price(depth?.bids[0]), ask: price(depth?.asks[0]) };
}

describe('the live demo venue', () => {
  let server: TestServer;
  let alice: ApiClient;

  beforeAll(async () => {
    server = await TestServer.start({ DEMO: 'live' });
    alice = await server.trader('alice');
  });

  afterAll(async () => {
    await server.cleanup();
  });

  test('is quoted on both sides of every market, and no round through three of them earns', async () => {
    const depths = await quotedDepths(alice);
    for (const marketId of MARKETS) {
      const { bid, ask } = bestOf(depths, marketId);
      expect(bid > 0n && bid < ask).toBe(true);
    }
    const unit = 10n ** BigInt(PRICE_SCALE);
    const [btc, eth, cross] = SPOT_MARKETS.map((marketId) => bestOf(depths, marketId));
    if (btc === undefined || eth === undefined || cross === undefined) throw new Error('no market');
    // usdt -> eth -> btc -> usdt, and the other way round.
    expect((cross.bid * btc.bid) / unit < eth.ask).toBe(true);
    expect((cross.ask * btc.ask) / unit > eth.bid).toBe(true);
  });

  test('fills a first order at the price that it shows', async () => {
    const ask = (await quotedDepths(alice)).get('spot.btc_usdt')?.asks.at(-1);
    const orderId = await placed(alice, { requestedPrice: ask?.price, requestedAmount: '0.001' });
    const deadline = performance.now() + PATIENCE_MS;
    while ((await orderOf(alice, orderId)).status !== 'Completed' && performance.now() < deadline) {
      await sleep(50);
    }
    expect(await orderOf(alice, orderId)).toMatchObject({ status: 'Completed', fillFactor: '1' });
  });

  test('fills orders on margin, which open positions', async () => {
    for (const [path, marketId] of [
      ['cfd', 'cfd.eur_usdt'],
      ['perpetual', 'perp.btc_usdt'],
    ] as const) {
      const ask = (await quotedDepths(alice)).get(marketId)?.asks.at(-1);
      const order = {
        marketId,
        side: 'Buy',
        orderType: 'Limit',
        timeInForce: 'Gtc',
        requestedPrice: ask?.price,
        requestedLotAmount: '0.01',
      };
      const { body } = await alice.post<{ order: { orderId: string } }>(
        `/frontoffice/api/${path}/v4/orders`,
        { order },
      );
      const { orderId } = body.order;
      const deadline = performance.now() + PATIENCE_MS;
      while (
        (await orderOf(alice, orderId)).status !== 'Completed' &&
        performance.now() < deadline
      ) {
        await sleep(50);
      }
      expect(await orderOf(alice, orderId)).toMatchObject({ status: 'Completed' });
    }
    const { body } = await alice.post<{ data: object[] }>('/frontoffice/api/v4/positions/list', {});
    expect(body).toMatchObject({
      data: [
        { marketId: 'perp.btc_usdt', side: 'Buy' },
        { marketId: 'cfd.eur_usdt', side: 'Buy' },
      ],
    });
  });

  test('waits outside the trading hours of gold, and quotes within them', async () => {
    const gold = DEMO_MARKETS.find(({ marketId }) => marketId === 'cfd.xau_usdt');
    const levels = async () => (await depthOf(alice, 'cfd.xau_usdt')).bids.length;
    const sessions = new TradingSessions(gold?.calendar ?? null);
    await quotedDepths(alice);
    // Near the bell either may be: what rests stays when the market closes.
    const isOpen = sessions.isOpen(Date.now());
    if (isOpen === sessions.isOpen(Date.now() + PATIENCE_MS)) {
      const deadline = performance.now() + PATIENCE_MS;
      while (isOpen && (await levels()) < LEVELS && performance.now() < deadline) await sleep(200);
      expect(await levels()).toBe(isOpen ? LEVELS : 0);
    }
  });

  test('has its quotes once, not twice, after a crash', async () => {
    const before = await quotedDepths(alice);
    await server.kill('SIGKILL');
    await server.restart();
    const after = await quotedDepths(alice, before);
    expect([...after.keys()]).toEqual(MARKETS);
  });

  test('takes its quotes off when it is stopped', async () => {
    await quotedDepths(alice);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await server.restart({ DEMO: 'quiet' });
    for (const marketId of MARKETS) {
      expect(await depthOf(alice, marketId)).toMatchObject({ bids: [], asks: [] });
    }
  });
});
