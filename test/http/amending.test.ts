import { afterEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { balanceChanges } from '../support/balance-changes.ts';
import { amend, cancel, cancelAll, orderOf, placed, read } from '../support/trading.ts';
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
/** By how much `work` changed the balances of alice, in units. */
async function changes(work: () => Promise<unknown>) {
  const [change] = await balanceChanges([await alice()], work);
  return { alice: change ?? {} };
}

describe('self-trade prevention', () => {
  const own = async (prevention: string | undefined) => {
    const trader = await alice();
    const resting = await placed(trader, sell('20000', '0.1'));
    const behind = await placed(await bob(), sell('20000', '0.1'));
    const taking = await placed(trader, buy('20000', '0.15', { selfTradePrevention: prevention }));
    return {
      resting: await orderOf(trader, resting),
      behind: await orderOf(await bob(), behind),
      taking: await orderOf(trader, taking),
    };
  };

  it.each([undefined, 'EXPIRE_TAKER'])('%s ends the order that comes', async (prevention) => {
    const { resting, behind, taking } = await own(prevention);
    expect(taking).toMatchObject({
      status: 'Cancelled',
      remainingAmount: '0.15',
      source: 'System',
    });
    expect(resting).toMatchObject({ status: 'Pending', remainingAmount: '0.1' });
    expect(behind).toMatchObject({ status: 'Pending', remainingAmount: '0.1' });
  });

  it('EXPIRE_MAKER ends the order that rests and goes on', async () => {
    const { resting, behind, taking } = await own('EXPIRE_MAKER');
    expect(resting).toMatchObject({
      status: 'Cancelled',
      remainingAmount: '0.1',
      source: 'System',
    });
    expect(behind).toMatchObject({ status: 'Completed' });
    expect(taking).toMatchObject({ status: 'Pending', remainingAmount: '0.05' });
  });

  it('EXPIRE_BOTH ends both', async () => {
    const { resting, behind, taking } = await own('EXPIRE_BOTH');
    expect(resting).toMatchObject({ status: 'Cancelled', remainingAmount: '0.1' });
    expect(taking).toMatchObject({ status: 'Cancelled', remainingAmount: '0.15' });
    expect(behind).toMatchObject({ status: 'Pending', remainingAmount: '0.1' });
  });

  it('NONE lets them trade', async () => {
    const { resting, behind, taking } = await own('NONE');
    expect(resting).toMatchObject({ status: 'Completed' });
    expect(taking).toMatchObject({ status: 'Completed', executionPrice: '20000' });
    expect(behind).toMatchObject({ status: 'Pending', remainingAmount: '0.05' });
  });

  it('keeps what was traded with others before it stopped', async () => {
    const trader = await alice();
    await placed(await bob(), sell('19999', '0.1'));
    await placed(trader, sell('20000', '0.1'));
    const taking = await orderOf(trader, await placed(trader, buy('20000', '0.15')));
    expect(taking).toMatchObject({
      status: 'Cancelled',
      remainingAmount: '0.05',
      executionPrice: '19999',
    });
  });
});

describe('an amend', () => {
  it('to a smaller amount keeps its place in the queue', async () => {
    const seller = await bob();
    const first = await placed(seller, sell('20000', '0.2'));
    const second = await placed(seller, sell('20000', '0.1'));
    const { status, body } = await amend(seller, first, { requestedAmount: '0.1' });
    expect(status).toBe(200);
    expect(body.order).toMatchObject({ requestedAmount: '0.1', remainingAmount: '0.1' });
    await placed(await alice(), buy('20000', '0.1'));
    expect((await orderOf(seller, first)).status).toBe('Completed');
    expect((await orderOf(seller, second)).remainingAmount).toBe('0.1');
  });

  it.each([
    ['a larger amount', { requestedAmount: '0.2' }, '20000'],
    ['another price and back', { requestedPrice: '20001' }, '20000'],
  ])('to %s loses its place', async (_, change, backTo) => {
    const seller = await bob();
    const first = await placed(seller, sell('20000', '0.1'));
    const second = await placed(seller, sell('20000', '0.1'));
    expect((await amend(seller, first, change)).status).toBe(200);
    await amend(seller, first, { requestedPrice: backTo });
    await placed(await alice(), buy('20000', '0.1'));
    expect((await orderOf(seller, second)).status).toBe('Completed');
    expect((await orderOf(seller, first)).status).toBe('Pending');
  });

  it('to a price that meets the other side trades at the price that was there', async () => {
    const buying = await placed(await alice(), buy('19000', '0.1'));
    await placed(await bob(), sell('20000', '0.1'));
    const { body } = await amend(await alice(), buying, { requestedPrice: '20500' });
    expect(body.order).toMatchObject({ status: 'Completed', executionPrice: '20000' });
    expect(await orderOf(await alice(), buying)).toMatchObject({
      status: 'Completed',
      requestedPrice: '20500',
      executionPrice: '20000',
    });
  });

  it('changes the hold by the difference', async () => {
    let orderId = '';
    const { alice: placedChange } = await changes(async () => {
      orderId = await placed(await alice(), buy('10000', '0.1'));
    });
    expect(placedChange['usdt']).toEqual({ total: 0n, available: -1_001_000_000n });
    const { alice: raised } = await changes(async () => {
      await amend(await alice(), orderId, { requestedPrice: '20000', requestedAmount: '0.2' });
    });
    expect(raised['usdt']).toEqual({ total: 0n, available: 1_001_000_000n - 4_004_000_000n });
    const { alice: freed } = await changes(async () => cancel(await alice(), orderId));
    expect(freed['usdt']).toEqual({ total: 0n, available: 4_004_000_000n });
  });

  it('counts the filled part in: the amount is the whole order', async () => {
    const orderId = await placed(await alice(), buy('20000', '0.3'));
    await placed(await bob(), sell('20000', '0.1'));
    const { body } = await amend(await alice(), orderId, { requestedAmount: '0.25' });
    expect(body.order).toMatchObject({
      requestedAmount: '0.25',
      remainingAmount: '0.15',
      fillFactor: '0.4',
      executionPrice: '20000',
      commission: '2',
    });
    const tooLittle = await amend(await alice(), orderId, { requestedAmount: '0.1' });
    expect({ status: tooLittle.status, code: tooLittle.code }).toEqual({
      status: 400,
      code: 'TR0219',
    });
  });

  it('of a post-only order that would take is refused and leaves the order as it was', async () => {
    await placed(await bob(), sell('20000', '0.1'));
    const orderId = await placed(await alice(), buy('19000', '0.1', { postOnly: true }));
    const before = await orderOf(await alice(), orderId);
    const { alice: change } = await changes(async () => {
      const { code } = await amend(await alice(), orderId, { requestedPrice: '20000' });
      expect(code).toBe('TR0216');
    });
    expect(change['usdt']).toEqual({ total: 0n, available: 0n });
    expect(await orderOf(await alice(), orderId)).toEqual(before);
  });
});

describe('an order that is read again and again', () => {
  /** The same each time: some of the reads are answered with what was kept from others. */
  async function readOften(client: ApiClient, orderId: string) {
    const first = await orderOf(client, orderId);
    for (let times = 0; times < 3; times++) expect(await orderOf(client, orderId)).toEqual(first);
    return first;
  }

  it('shows what happened to it at the very next read', async () => {
    const [owner, other] = [await alice(), await bob()];
    const orderId = await placed(owner, sell('20000', '0.1'));
    expect(await readOften(owner, orderId)).toMatchObject({ requestedPrice: '20000' });
    await amend(owner, orderId, { requestedPrice: '19999.5', requestedAmount: '0.08' });
    expect(await readOften(owner, orderId)).toMatchObject({
      requestedPrice: '19999.5',
      remainingAmount: '0.08',
    });
    for (const remainingAmount of ['0.05', '0.02']) {
      await placed(other, buy('19999.5', '0.03'));
      expect(await readOften(owner, orderId)).toMatchObject({ status: 'Pending', remainingAmount });
    }
    await cancel(owner, orderId);
    expect(await readOften(owner, orderId)).toMatchObject({ status: 'Cancelled' });
    expect((await read(other, orderId)).status).toBe(404);
  });
});
