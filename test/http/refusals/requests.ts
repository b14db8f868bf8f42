import type { Answer } from '../../support/api-client.ts';
import { ORDERS, type OrderFields, place, RESTING } from '../../support/trading.ts';
import type { Scene } from './scene.ts';

export type Send = (scene: Scene) => Promise<Answer>;

export const MARKET_ORDER = { orderType: 'Market', timeInForce: 'Ioc', requestedPrice: null };

/** Places the resting order with these fields in place of its own. */
export const order =
  (fields: OrderFields): Send =>
  ({ alice }) =>
    place(alice, fields);

/** Sends this body as an order. */
export const raw =
  (body: string | Uint8Array): Send =>
  ({ alice }) =>
    alice.post(ORDERS, body);

/** The resting order with these fields, as JSON text. */
export const text = (fields: OrderFields): string =>
  JSON.stringify({ order: { ...RESTING, ...fields } });
