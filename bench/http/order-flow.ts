import { SeededRandom } from '../../gateway/demo/seeded-random.ts';
import { rawRequest } from './load.ts';
import type { Trader } from './trader.ts';

const MARKET = 'spot.btc_usdt';
const MID_CENTS = 6_000_000;
const MARGIN_MARKET = 'cfd.eur_usdt';
const MID_POINTS = 110_000;
/** Makers rest on this many price levels a side; takers reach all of them. */
const LEVELS = 20;
const MAKERS_OF_TEN = 6;
/** In 10^-6 btc, around a tenth of a cent's worth of risk: no balance ever runs low. */
const MAKER_STEPS_MIN = 10;
const TAKER_STEPS_MIN = 15;
const REQUESTS = 2000;

/** An order at this distance from the middle, in cents: a taker's is negative. */
export function orderBody(side: 'Buy' | 'Sell', apart: number, steps: number): string {
  const cents = side === 'Buy' ? MID_CENTS - apart : MID_CENTS + apart;
  return JSON.stringify({
    order: {
      marketId: MARKET,
      side,
      orderType: 'Limit',
      timeInForce: 'Gtc',
      requestedAmount: `0.${String(steps).padStart(6, '0')}`,
      requestedPrice: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
    },
  });
}

/**
 * Six of ten orders are the makers' and rest; four are the takers', half as large again, and trade
 * with what rests: the book keeps its size, and nobody meets an order of their own. All are Gtc.
 */
export function orderFlow(makers: Trader, takers: Trader): string[] {
  const path = '/frontoffice/api/v3/orders';
  return flow(makers, takers, path, ({ accountIds }) => accountIds, orderBody);
}

/** The same of Cfd orders, in netting accounts: their positions stay few. */
export function marginFlow(makers: Trader, takers: Trader): string[] {
  const path = '/frontoffice/api/cfd/v4/orders';
  return flow(makers, takers, path, ({ nettingAccountIds }) => nettingAccountIds, marginBody);
}

/** As orderBody: ticks of 0.00001 around 1.10, hundredths of a lot, at the most leverage. */
function marginBody(side: 'Buy' | 'Sell', apart: number, steps: number): string {
  const ticks = side === 'Buy' ? MID_POINTS - apart : MID_POINTS + apart;
  return JSON.stringify({
    order: {
      marketId: MARGIN_MARKET,
      side,
      orderType: 'Limit',
      timeInForce: 'Gtc',
      requestedLotAmount: `${Math.floor(steps / 100)}.${String(steps % 100).padStart(2, '0')}`,
      requestedPrice: `${Math.floor(ticks / 100_000)}.${String(ticks % 100_000).padStart(5, '0')}`,
      leverage: 100,
    },
  });
}

function flow(
  makers: Trader,
  takers: Trader,
  path: string,
  accountsOf: (trader: Trader) => readonly string[],
  bodyOf: typeof orderBody,
): string[] {
  const random = new SeededRandom(20_260_101);
  return Array.from({ length: REQUESTS }, () => {
    const isMaker = random.below(10) < MAKERS_OF_TEN;
    const side = random.below(2) === 0 ? 'Buy' : 'Sell';
    const trader = isMaker ? makers : takers;
    const accountIds = accountsOf(trader);
    const accountId = accountIds[random.below(accountIds.length)] ?? '';
    const least = isMaker ? MAKER_STEPS_MIN : TAKER_STEPS_MIN;
    const apart = isMaker ? 1 + random.below(LEVELS) : -LEVELS;
    const body = bodyOf(side, apart, least + random.below(2 * least + 1));
    return rawRequest({ method: 'POST', path, token: trader.token, accountId, body });
  });
}

/** Places orders that rest and answers the requests that read them. */
export async function readFlow(trader: Trader, count: number): Promise<string[]> {
  const requests: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const accountId = trader.accountIds[index % trader.accountIds.length] ?? '';
    const side = index % 2 === 0 ? 'Buy' : 'Sell';
    const { orderId } = await trader.place(accountId, orderBody(side, 1 + (index % LEVELS), 10));
    const path = `/frontoffice/api/v4/orders/${orderId}`;
    requests.push(rawRequest({ method: 'GET', path, token: trader.token, accountId }));
  }
  return requests;
}
