import { beforeAll, describe, expect, it } from 'vitest';
import { checkAudit } from '../crash/books-checks.ts';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { balancesOf, cancel, type Execution, executionsOf, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { outcome } from './back-office.ts';

const REVERT = '/back-api/backoffice/trades/revert';
const server = useServer();
let alice: ApiClient;
let bob: ApiClient;
let support: ApiClient;
let aliceId: string;
let bobId: string;

beforeAll(async () => {
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  support = await server().user('support');
  aliceId = await userId('alice');
  bobId = await userId('bob');
});

async function userId(name: string): Promise<string> {
  const path = `/back-api/backoffice/users?Search=${name}@matchbox.test`;
  const { body } = await support.get<{ data: { id: string }[] }>(path);
  return body.data[0]?.id ?? '';
}

const balances = async () => [await balancesOf(alice), await balancesOf(bob)];

function revert(
  user: string,
  executions: readonly Pick<Execution, 'executionId' | 'orderId'>[],
): Promise<Answer<{ updatedExecutionsCount: number }>> {
  return support.post(REVERT, {
    userId: user,
    executions: executions.map(({ executionId, orderId }) => ({
      executionId: Number(executionId),
      orderId: Number(orderId),
    })),
  });
}

/** Bob sells at these prices, alice takes it all; answers her executions, the first trade first. */
async function fills(amounts: readonly string[], prices: readonly string[]) {
  const makers: string[] = [];
  for (const [index, requestedAmount] of amounts.entries()) {
    const requestedPrice = prices[index] ?? '';
    makers.push(await placed(bob, { side: 'Sell', requestedAmount, requestedPrice }));
  }
  const total = amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 1e6), 0);
  const taker = await placed(alice, {
    side: 'Buy',
    requestedAmount: String(total / 1e6),
    requestedPrice: prices.at(-1) ?? '',
  });
  const executions = [...(await executionsOf(alice, [taker]))].reverse();
  expect(executions).toHaveLength(amounts.length);
  return { taker, makers, executions };
}

describe('undoing a trade', () => {
  it('gives back to both sides what they gave, to the last unit, commissions included', async () => {
    const before = await balances();
    const amounts = ['0.000011', '0.000013', '0.123457', '0.000017'];
    const prices = ['30000.01', '30000.03', '30000.07', '30000.09'];
    const { executions } = await fills(amounts, prices);
    const [first, second, third, fourth] = executions;
    if (!first || !second || !third || !fourth) throw new Error('four fills');
    // What one fill cost depends on those before it: undone in another order it must not matter.
    const answer = await revert(aliceId, [third]);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({ updatedExecutionsCount: 1 });
    expect((await revert(aliceId, [first, fourth])).body).toEqual({ updatedExecutionsCount: 2 });
    expect(await balances()).not.toEqual(before);
    expect((await revert(aliceId, [second])).body).toEqual({ updatedExecutionsCount: 1 });
    expect(await balances()).toEqual(before);
    expect(await checkAudit(server())).toEqual([]);
  });

  it('happens once, whoever of the two is named, and whatever happens in between', async () => {
    const before = await balances();
    const { makers, executions } = await fills(['0.01', '0.02'], ['31000', '31000.01']);
    const ofBob = await executionsOf(bob, makers);
    expect((await revert(bobId, ofBob)).body).toEqual({ updatedExecutionsCount: 2 });
    expect(await balances()).toEqual(before);
    expect((await revert(aliceId, executions)).body).toEqual({ updatedExecutionsCount: 0 });
    expect((await revert(bobId, ofBob)).body).toEqual({ updatedExecutionsCount: 0 });
    const twice = await fills(['0.01'], ['31000']);
    const [execution] = twice.executions;
    if (execution === undefined) throw new Error('one fill');
    const both = await Promise.all([1, 2, 3].map(() => revert(aliceId, [execution, execution])));
    expect(both.map(({ body }) => body.updatedExecutionsCount).sort()).toEqual([0, 0, 1]);
    expect(await balances()).toEqual(before);
  });

  it('outlives a crash, in the books, in the views and in the journal', async () => {
    const before = await balances();
    const { executions } = await fills(['0.5'], ['32000.33']);
    await revert(aliceId, executions);
    await server().kill('SIGKILL');
    await server().restart();
    expect(await balances()).toEqual(before);
    expect((await revert(aliceId, executions)).body).toEqual({ updatedExecutionsCount: 0 });
    await server().kill('SIGTERM');
    const { code, output } = await server().verify();
    expect(code, output).toBe(0);
    await server().restart();
    expect((await revert(aliceId, executions)).body).toEqual({ updatedExecutionsCount: 0 });
    expect(await balances()).toEqual(before);
    expect(await checkAudit(server())).toEqual([]);
  });

  it('shows in the trades of the back office; the trade itself stays', async () => {
    const { taker, makers, executions } = await fills(['0.03'], ['33000']);
    await revert(aliceId, executions);
    const window = {
      from: new Date(Date.now() - 300_000).toISOString(),
      to: new Date(Date.now() + 60_000).toISOString(),
    };
    const path = `/back-api/api/v2/account_trades/?${new URLSearchParams(window)}`;
    const { body } = await support.get<{ orderId: number; orderStatus: string }[]>(path);
    const ofTrade = body.filter(({ orderId }) => [taker, ...makers].map(Number).includes(orderId));
    expect(ofTrade.map(({ orderStatus }) => orderStatus)).toEqual(['Reverted', 'Reverted']);
    const now = await executionsOf(alice, [taker]);
    expect(now).toEqual(executions.map((execution) => ({ ...execution, isReverted: true })));
  });
});

describe('a trade is not undone', () => {
  it('where there is none, or it is of another user or another order', async () => {
    const before = await balances();
    const { taker, makers, executions } = await fills(['0.01'], ['34000']);
    const [execution] = executions;
    if (execution === undefined) throw new Error('one fill');
    const { executionId } = execution;
    const unknown = '404 TR0606';
    expect(outcome(await revert(bobId, executions))).toBe(unknown);
    expect(outcome(await revert(aliceId, [{ executionId, orderId: makers[0] ?? '' }]))).toBe(
      unknown,
    );
    expect(outcome(await revert(aliceId, [{ executionId: '999999999', orderId: taker }]))).toBe(
      unknown,
    );
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(outcome(await revert(nobody, executions))).toBe(unknown);
    const mixed = [execution, { executionId: '999999999', orderId: taker }];
    expect(outcome(await revert(aliceId, mixed))).toBe(unknown);
    expect(await balances()).not.toEqual(before);
    expect((await revert(aliceId, executions)).body).toEqual({ updatedExecutionsCount: 1 });
    expect(await balances()).toEqual(before);
  });

  it('where a balance would fall below what is held; then none of the request is', async () => {
    const { executions } = await fills(['0.25', '0.5'], ['35000', '35000']);
    const { btc } = await balancesOf(alice);
    const keep = 0.3;
    const rest = String(Math.round((Number(btc?.available) - keep) * 1e6) / 1e6);
    const held = await placed(alice, {
      side: 'Sell',
      requestedAmount: rest,
      requestedPrice: '900000',
    });
    const before = await balances();
    const answer = await revert(aliceId, executions);
    expect(outcome(answer)).toBe('409 TR0607');
    expect(answer.text).toContain(`has ${keep} btc free, 0.75 would be taken back`);
    expect(await balances()).toEqual(before);
    expect((await revert(aliceId, executions.slice(0, 1))).body).toEqual({
      updatedExecutionsCount: 1,
    });
    await cancel(alice, held);
    expect((await revert(aliceId, executions)).body).toEqual({ updatedExecutionsCount: 1 });
    expect(await checkAudit(server())).toEqual([]);
  });

  it('where it was on margin', async () => {
    const path = '/frontoffice/api/cfd/v4/orders';
    const send = async (client: ApiClient, side: string) => {
      const lots = { requestedLotAmount: '0.1', requestedPrice: '1.1', leverage: 10 };
      const limit = { orderType: 'Limit', timeInForce: 'Gtc', ...lots };
      const order = { marketId: 'cfd.eur_usdt', side, ...limit };
      const answer = await client.post<{ order: { orderId: string } }>(path, { order });
      return answer.body.order.orderId;
    };
    const maker = await send(bob, 'Sell');
    const taker = await send(alice, 'Buy');
    const ofBob = await executionsOf(bob, [maker]);
    const ofAlice = await executionsOf(alice, [taker]);
    expect([ofAlice.length, ofBob.length]).toEqual([1, 1]);
    expect(outcome(await revert(aliceId, ofAlice))).toBe('400 TR0303');
    expect(outcome(await revert(bobId, ofBob))).toBe('400 TR0303');
    expect(await checkAudit(server())).toEqual([]);
  });

  it('by whoever may not', async () => {
    const { executions } = await fills(['0.01'], ['36000']);
    const body = {
      userId: aliceId,
      executions: executions.map(({ executionId, orderId }) => ({
        executionId: Number(executionId),
        orderId: Number(orderId),
      })),
    };
    expect(outcome(await alice.post(REVERT, body))).toBe('403 TR0101');
    expect(outcome(await server().anonymous().post(REVERT, body))).toBe('401 TR0100');
  });

  it.each([
    ['without a user', { executions: [{ executionId: 1, orderId: 1 }] }, '400 TR0008'],
    ['for no user', { userId: 'alice', executions: [] }, '400 TR0012'],
    [
      'without executions',
      { userId: '00000000-0000-4000-8000-000000000000', executions: [] },
      '400 TR0017',
    ],
    [
      'for ids that are none',
      {
        userId: '00000000-0000-4000-8000-000000000000',
        executions: [{ executionId: 0, orderId: -1 }],
      },
      '400 TR0015',
    ],
    [
      'for text',
      {
        userId: '00000000-0000-4000-8000-000000000000',
        executions: [{ executionId: '1', orderId: '1' }],
      },
      '400 TR0009',
    ],
  ])('%s', async (_, body, expected) => {
    expect(outcome(await support.post(REVERT, body))).toBe(expected);
  });
});
