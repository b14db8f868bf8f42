import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
const guest = (): ApiClient => server().anonymous();
const SYMBOL = 'spot.btc_usdt';

beforeAll(async () => {
  const [seller, buyer] = [await server().trader('alice'), await server().trader('bob')];
  await placed(seller, { side: 'Sell', requestedPrice: '1000' });
  await placed(buyer, { requestedPrice: '1000' });
});

async function change(fields: object): Promise<void> {
  const admin = await server().user('admin');
  const answer = await admin.send('PUT', `/back-api/backoffice/market/${SYMBOL}`, fields);
  expect(answer.status, answer.text).toBe(200);
}

/** What every endpoint that names the market says to guests. */
async function seen(): Promise<Record<string, unknown>> {
  const endDate = new Date().toISOString();
  const startDate = new Date(Date.now() - 3_600_000).toISOString();
  const book = `/marketdata/api/v4/guest/instruments/${SYMBOL}`;
  const order = {
    marketId: SYMBOL,
    side: 'Buy',
    orderType: 'Limit',
    requestedAmount: '0.01',
    requestedPrice: '1000',
  };
  const [markets, detail, price, depth, candles, summary, trades] = await Promise.all([
    guest().get<{ marketId: string }[]>('/frontoffice/api/v5/guest/markets'),
    guest().get(`/frontoffice/api/v5/guest/markets/${SYMBOL}`),
    guest().post('/frontoffice/api/v3/guest/order-data', { order }),
    guest().get(`${book}/depth`),
    guest().get<{ data: object[] }>(
      `${book}/history?type=1d&startDate=${startDate.slice(0, 10)}T00:00:00Z&endDate=${endDate}`,
    ),
    guest().get<Record<string, object>>('/public/summary'),
    guest().get('/public/trades/btc_usdt'),
  ]);
  return {
    isListed: markets.body.some(({ marketId }) => marketId === SYMBOL),
    isInSummary: Object.hasOwn(summary.body, 'BTC_USDT'),
    candles: candles.body.data.length,
    answers: [detail, price, depth, trades].map(({ status, code }) => `${status} ${code}`.trim()),
  };
}

const OPEN = { isListed: true, isInSummary: true, candles: 1, answers: Array(4).fill('200') };
const UNSEEN = {
  isListed: false,
  isInSummary: false,
  candles: 0,
  answers: Array(4).fill('400 TR0300'),
};

describe('a market that is hidden from traders', () => {
  it.each([
    ['hidden', { hidden: true }, { hidden: false }],
    ['disabled', { status: 'Disabled' }, { status: 'Open' }],
  ])('because it is %s does not exist for guests, also after a restart', async (_, hide, show) => {
    expect(await seen()).toEqual(OPEN);
    await change(hide);
    expect(await seen()).toEqual(UNSEEN);
    await server().kill('SIGKILL');
    await server().restart();
    expect(await seen()).toEqual(UNSEEN);
    await change(show);
    expect(await seen()).toEqual(OPEN);
  });

  it('is still seen while it is paused, and public information says so', async () => {
    await change({ status: 'Paused' });
    const { body } = await guest().get<Record<string, object>>('/public/ticker');
    expect(body['BTC_USDT']).toMatchObject({ isFrozen: '1', last_price: '1000' });
    await change({ status: 'Open' });
    const open = await guest().get<Record<string, object>>('/public/ticker');
    expect(open.body['BTC_USDT']).toMatchObject({ isFrozen: '0' });
  });
});
