import { expect } from 'vitest';
import { type RefusalName, Refusals, refusalCode } from '../../../core/messages/refusals.ts';
import type { Answer, ApiClient } from '../../support/api-client.ts';
import type { TestServer } from '../../support/server.ts';
import { cancel, placed, type RefusalBody, stateOf } from '../../support/trading.ts';

/** Who and what the refused requests are about. */
export class Scene {
  readonly alice: ApiClient;
  readonly bob: ApiClient;
  readonly admin: ApiClient;
  /** Orders of alice. */
  openId = '';
  endedId = '';
  /** Half of it is filled: 0.01 of 0.02. */
  partialId = '';
  postOnlyId = '';
  /** Orders of bob: a limit order to sell at 30000, and a market order that waits. */
  foreignId = '';
  waitingId = '';
  /** Of alice, confirmed. */
  withdrawalId = '';
  /** Every code that any request has been refused with. */
  readonly seen = new Set<string>();

  private constructor(alice: ApiClient, bob: ApiClient, admin: ApiClient) {
    this.alice = alice;
    this.bob = bob;
    this.admin = admin;
  }

  static async set(server: TestServer): Promise<Scene> {
    const [alice, bob] = [await server.trader('alice'), await server.trader('bob')];
    const scene = new Scene(alice, bob, await server.user('admin'));
    await scene.placeOrders();
    await scene.transfer();
    return scene;
  }

  /** Sends what must be refused, and sees to it that it is, in full, and that nothing changed. */
  async refused(
    name: RefusalName,
    send: () => Promise<Answer>,
    { field = '', value = '' }: Expected = {},
  ): Promise<Answer> {
    const clients = [this.alice, this.bob];
    const before = await stateOf(clients);
    const answer = await send();
    const refusal = Refusals[name];
    const { code, description } = answer.body as RefusalBody;
    expect({ status: answer.status, code, description }).toEqual({
      status: refusal.status,
      code: refusalCode(refusal),
      description: expect.stringContaining(field),
    });
    expect(description).toContain(value);
    expect(description).not.toMatch(/\{(field|value|limit)\}|undefined|\[object/);
    expect(answer.code).toBe(code);
    expect(answer.headers['content-type']).toBe('application/json');
    if (refusal.status === 429 || refusal.status === 503) {
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    this.seen.add(code);
    expect(await stateOf(clients)).toEqual(before);
    return answer;
  }

  private async placeOrders(): Promise<void> {
    const { alice, bob } = this;
    this.openId = await placed(alice);
    this.endedId = await placed(alice);
    await cancel(alice, this.endedId);
    this.partialId = await placed(alice, { requestedPrice: '1001', requestedAmount: '0.02' });
    await placed(bob, { side: 'Sell', requestedPrice: '1001', requestedAmount: '0.01' });
    this.foreignId = await placed(bob, { side: 'Sell', requestedPrice: '30000' });
    this.postOnlyId = await placed(alice, { requestedPrice: '1000', postOnly: true });
    this.waitingId = await placed(bob, {
      side: 'Sell',
      marketId: 'spot.eth_btc',
      orderType: 'Market',
      timeInForce: 'Retry',
      requestedPrice: null,
      requestedAmount: '1',
    });
    // Gives spot.eth_usdt a last price of 2000 and an empty book.
    const trade = { marketId: 'spot.eth_usdt', requestedPrice: '2000', requestedAmount: '0.01' };
    await placed(bob, { ...trade, side: 'Sell' });
    await placed(alice, { ...trade, side: 'Buy' });
  }

  /** A deposit named `first` and a withdrawal that has left. */
  private async transfer(): Promise<void> {
    const { admin } = this;
    const { accountId } = this.alice;
    const eur = { accountId, assetId: 'eur', amount: '1' };
    await admin.post(`${TRANSFERS}/deposit`, { ...eur, deduplicationId: 'first' });
    const asked = { ...eur, deduplicationId: 'asked' };
    const path = `${TRANSFERS}/withdrawal`;
    this.withdrawalId = (await admin.post<{ transferId: string }>(path, asked)).body.transferId;
    const decision = { accountId, transferId: this.withdrawalId };
    await admin.post(`${TRANSFERS}/withdrawal-confirm`, decision);
  }
}

export const TRANSFERS = '/back-api/backoffice/transfers';

export interface Expected {
  readonly field?: string;
  readonly value?: string;
}

/** What is refused, how it is described, and how to ask for it. */
export type Case = readonly [
  name: RefusalName,
  description: string,
  send: (scene: Scene) => Promise<Answer>,
  expected?: Expected,
];
