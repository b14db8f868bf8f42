import { afterEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { balanceChanges } from '../support/balance-changes.ts';
import { cancel, cancelAll, orderOf, place, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();
const alice = (): Promise<ApiClient> => server().trader('alice');
const bob = (): Promise<ApiClient> => server().trader('bob');

afterEach(async () => {
  await cancelAll(await alice());
  await cancelAll(await bob());
});

const sell = (price: string, amount: string, more = {}) => ({
  side: 'Sell',
  requestedPrice: price,
  requestedAmount: amount,
  ...more,
});
const buy = (price: string, amount: string, more = {}) => ({
  side: 'Buy',
  requestedPrice: price,
  requestedAmount: amount,
  ...more,
});
const market = (side: string, amount: string, timeInForce = 'Ioc') => ({
  side,
  orderType: 'Market',
  timeInForce,
  requestedPrice: null,
  requestedAmount: amount,
});

/** By how much `work` changed the balances of the two traders, in units. */
async function changes(work: () => Promise<unknown>) {
  const [first, second] = await balanceChanges([await alice(), await bob()], work);
  return { alice: first ?? {}, bob: second ?? {} };
}

describe('a trade', () => {
  it('happens at the price of the order that was there first, and both sides pay for it', async () => {
    let taking = '';
    let resting = '';
    const { alice: buyer, bob: seller } = await changes(async () => {
      resting = await placed(await bob(), sell('20000', '0.5'));
      taking = await placed(await alice(), buy('20100', '0.5'));
    });
    expect(await orderOf(await alice(), taking)).toMatchObject({
      status: 'Completed',
      remainingAmount: '0',
      fillFactor: '1',
      executionPrice: '20000',
      requestedPrice: '20100',
      commissionAssetId: 'usdt',
      commissionAmount: '10',
      cancellationDate: null,
    });
    expect(await orderOf(await bob(), resting)).toMatchObject({
      status: 'Completed',
      executionPrice: '20000',
      commissionAmount: '10',
    });
    expect(buyer['btc']).toEqual({ total: 50_000_000n, available: 50_000_000n });
    expect(buyer['usdt']).toEqual({ total: -10_010_000_000n, available: -10_010_000_000n });
    expect(seller['btc']).toEqual({ total: -50_000_000n, available: -50_000_000n });
    expect(seller['usdt']).toEqual({ total: 9_990_000_000n, available: 9_990_000_000n });
  });

  it('leaves the rest of the larger order in the book, and its hold', async () => {
    let resting = '';
    const { alice: buyer } = await changes(async () => {
      resting = await placed(await alice(), buy('20000', '0.5'));
      await placed(await bob(), sell('20000', '0.2'));
    });
    expect(await orderOf(await alice(), resting)).toMatchObject({
      status: 'Pending',
      requestedAmount: '0.5',
      remainingAmount: '0.3',
      fillFactor: '0.4',
      executionPrice: '20000',
      commissionAmount: '4',
    });
    // Paid: 0.2 × 20000 and 0.1 % of it. Held: 0.3 × 20000 and 0.1 % of it.
    expect(buyer['usdt']?.total).toBe(-4_004_000_000n);
    expect(buyer['usdt']?.available).toBe(-4_004_000_000n - 6_006_000_000n);
    expect(buyer['btc']?.available).toBe(20_000_000n);
  });

  it('takes the best price first, then the order that came first', async () => {
    const seller = await bob();
    const later = await placed(seller, sell('20001', '0.1'));
    const first = await placed(seller, sell('20000', '0.1'));
    const second = await placed(seller, sell('20000', '0.1'));
    await placed(await alice(), buy('20001', '0.15', { timeInForce: 'Ioc' }));
    expect((await orderOf(seller, first)).remainingAmount).toBe('0');
    expect((await orderOf(seller, second)).remainingAmount).toBe('0.05');
    expect((await orderOf(seller, later)).remainingAmount).toBe('0.1');
  });

  it('over several prices has their average, weighted by amount', async () => {
    const seller = await bob();
    await placed(seller, sell('20000', '0.1'));
    await placed(seller, sell('20000.01', '0.2'));
    await placed(seller, sell('20000.05', '0.4'));
    const orderId = await placed(await alice(), buy('20001', '0.7'));
    // (0.1 × 20000 + 0.2 × 20000.01 + 0.4 × 20000.05) / 0.7 = 14000.022 / 0.7
    expect(await orderOf(await alice(), orderId)).toMatchObject({
      executionPrice: '20000.03142857',
      commissionAmount: '14.000022',
    });
  });

  it('gives back what the better price saved', async () => {
    const { alice: buyer } = await changes(async () => {
      await placed(await bob(), sell('10000', '0.1'));
      await placed(await alice(), buy('30000', '0.1'));
    });
    expect(buyer['usdt']).toEqual({ total: -1_001_000_000n, available: -1_001_000_000n });
  });

  it('of less than a unit of the quote asset neither makes nor loses one', async () => {
    // 0.00001 btc at 0.01 usdt is a tenth of a unit: the buyer pays one and one in commission.
    const { alice: buyer, bob: seller } = await changes(async () => {
      await placed(await bob(), sell('0.01', '0.00001'));
      await placed(await alice(), buy('0.01', '0.00001'));
    });
    expect(buyer['btc']?.total).toBe(1000n);
    expect(seller['btc']?.total).toBe(-1000n);
    expect(buyer['usdt']).toEqual({ total: -2n, available: -2n });
    expect(seller['usdt']).toEqual({ total: 0n, available: 0n });
  });

  it('is charged once for the whole order, not for each of its fills', async () => {
    // 30 fills of 0.00001 at 1.11: 0.000333 usdt in all, 0.0000003 of it commission: one unit.
    const orderId = await placed(await alice(), buy('1.11', '0.0003'));
    for (let fill = 0; fill < 30; fill++) await placed(await bob(), sell('1.11', '0.00001'));
    expect(await orderOf(await alice(), orderId)).toMatchObject({
      status: 'Completed',
      commissionAmount: '0.000001',
      executionPrice: '1.11',
    });
  });
});

describe('a market order', () => {
  it('to buy takes what is there and holds nothing afterwards', async () => {
    let orderId = '';
    const { alice: buyer } = await changes(async () => {
      await placed(await bob(), sell('20000', '0.1'));
      await placed(await bob(), sell('20100', '0.1'));
      orderId = await placed(await alice(), market('Buy', '0.15'));
    });
    expect(await orderOf(await alice(), orderId)).toMatchObject({
      orderType: 'Market',
      status: 'Completed',
      requestedPrice: null,
      fillFactor: '1',
      executionPrice: '20033.33333333',
      commissionAmount: '3.005',
    });
    expect(buyer['usdt']).toEqual({ total: -3_008_005_000n, available: -3_008_005_000n });
  });

  it('executes less than asked for where there is too little, and ends cancelled', async () => {
    await placed(await bob(), sell('20000', '0.1'));
    const orderId = await placed(await alice(), market('Buy', '0.25'));
    expect(await orderOf(await alice(), orderId)).toMatchObject({
      status: 'Cancelled',
      requestedAmount: '0.25',
      remainingAmount: '0.15',
      fillFactor: '0.4',
      executionPrice: '20000',
    });
  });

  it('without anything to take trades nothing', async () => {
    for (const side of ['Buy', 'Sell']) {
      const { alice: change } = await changes(async () => {
        const orderId = await placed(await alice(), market(side, '0.1'));
        expect(await orderOf(await alice(), orderId)).toMatchObject({
          status: 'Cancelled',
          executionPrice: '0',
          remainingAmount: '0.1',
        });
      });
      expect(change['usdt']).toEqual({ total: 0n, available: 0n });
      expect(change['btc']).toEqual({ total: 0n, available: 0n });
    }
  });

  it('to buy goes no further than slippageRate from the best price', async () => {
    await placed(await bob(), sell('20000', '0.1'));
    await placed(await bob(), sell('22000', '0.1'));
    await placed(await bob(), sell('22000.01', '0.1'));
    const orderId = await placed(await alice(), market('Buy', '0.3'));
    expect(await orderOf(await alice(), orderId)).toMatchObject({
      status: 'Cancelled',
      remainingAmount: '0.1',
      executionPrice: '21000',
    });
  });

  it('to sell takes the highest bids first', async () => {
    await placed(await alice(), buy('19000', '0.1'));
    await placed(await alice(), buy('19500', '0.1'));
    const { bob: seller } = await changes(async () => {
      const orderId = await placed(await bob(), market('Sell', '0.15'));
      expect(await orderOf(await bob(), orderId)).toMatchObject({
        status: 'Completed',
        executionPrice: '19333.33333333',
        commissionAmount: '2.9',
      });
    });
    expect(seller['usdt']?.total).toBe(2_900_000_000n - 2_900_000n);
    expect(seller['btc']?.available).toBe(-15_000_000n);
  });

  it('with Fok executes wholly or not at all', async () => {
    const seller = await bob();
    const resting = await placed(seller, sell('20000', '0.1'));
    const tooMuch = await placed(await alice(), market('Buy', '0.2', 'Fok'));
    expect(await orderOf(await alice(), tooMuch)).toMatchObject({
      status: 'Cancelled',
      remainingAmount: '0.2',
    });
    expect((await orderOf(seller, resting)).remainingAmount).toBe('0.1');
    const fitting = await placed(await alice(), market('Buy', '0.1', 'Fok'));
    expect((await orderOf(await alice(), fitting)).status).toBe('Completed');
  });

  it('with Retry waits for what comes, until it is filled', async () => {
    await placed(await bob(), sell('20000', '0.1'));
    const waiting = await placed(await alice(), market('Buy', '0.25', 'Retry'));
    expect(await orderOf(await alice(), waiting)).toMatchObject({
      status: 'Working',
      remainingAmount: '0.15',
    });
    await placed(await bob(), sell('20100', '0.1'));
    expect(await orderOf(await alice(), waiting)).toMatchObject({
      status: 'Working',
      remainingAmount: '0.05',
    });
    const last = await placed(await bob(), sell('20200', '0.1'));
    expect(await orderOf(await alice(), waiting)).toMatchObject({
      status: 'Completed',
      executionPrice: '20080',
    });
    expect((await orderOf(await bob(), last)).remainingAmount).toBe('0.05');
  });

  it('with Retry can be cancelled while it waits', async () => {
    const { alice: change } = await changes(async () => {
      const waiting = await placed(await alice(), market('Sell', '0.2', 'Retry'));
      const { status, body } = await cancel(await alice(), waiting);
      expect(status).toBe(200);
      expect(body.order).toMatchObject({ status: 'Cancelled', remainingAmount: '0.2' });
    });
    expect(change['btc']).toEqual({ total: 0n, available: 0n });
  });
});

describe('an immediate limit order', () => {
  it('with Ioc takes what fits its price and cancels the rest', async () => {
    await placed(await bob(), sell('20000', '0.1'));
    await placed(await bob(), sell('20100', '0.1'));
    const orderId = await placed(await alice(), buy('20050', '0.2', { timeInForce: 'Ioc' }));
    expect(await orderOf(await alice(), orderId)).toMatchObject({
      status: 'Cancelled',
      remainingAmount: '0.1',
      executionPrice: '20000',
      fillFactor: '0.5',
    });
  });

  it('with Fok counts only what fits its price', async () => {
    await placed(await bob(), sell('20000', '0.1'));
    await placed(await bob(), sell('20100', '0.1'));
    const killed = await placed(await alice(), buy('20050', '0.2', { timeInForce: 'Fok' }));
    expect((await orderOf(await alice(), killed)).remainingAmount).toBe('0.2');
    const filled = await placed(await alice(), buy('20100', '0.2', { timeInForce: 'Fok' }));
    expect((await orderOf(await alice(), filled)).status).toBe('Completed');
  });
});

describe('a post-only order', () => {
  it('rests where it would not take', async () => {
    await placed(await bob(), sell('20000', '0.1'));
    const orderId = await placed(await alice(), buy('19999.99', '0.1', { postOnly: true }));
    expect((await orderOf(await alice(), orderId)).status).toBe('Pending');
  });

  it('is refused where it would take, and nothing changes', async () => {
    const resting = await placed(await bob(), sell('20000', '0.1'));
    const { alice: change } = await changes(async () => {
      const { status, code } = await place(await alice(), buy('20000', '0.1', { postOnly: true }));
      expect({ status, code }).toEqual({ status: 400, code: 'TR0216' });
    });
    expect(change['usdt']).toEqual({ total: 0n, available: 0n });
    expect((await orderOf(await bob(), resting)).remainingAmount).toBe('0.1');
  });
});
