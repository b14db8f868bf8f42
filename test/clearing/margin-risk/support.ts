import { Side } from '../../../core/messages/enums.ts';
import { CFD, DEALER, type MarginRig } from '../../margin/support.ts';
import type { MarginRequest } from '../commands.ts';
import type { EventOf, VenueEvent } from '../records.ts';
import type { Rig } from '../rig.ts';

/** What an account has open, as `id side quantity sl tp`, oldest first; 0 for no trigger. */
export function openPositions(rig: Rig, account: number): string[] {
  const { positions } = rig.state;
  const found: { id: number; text: string }[] = [];
  for (let slot = 0; slot < positions.slotCount; slot++) {
    const id = positions.ids[slot]!;
    if (id === 0 || positions.accounts[slot] !== account) continue;
    const side = positions.sides[slot] === Side.Buy ? 'long' : 'short';
    const triggers = `${positions.stopLosses[slot]} ${positions.takeProfits[slot]}`;
    found.push({ id, text: `${side} ${positions.quantities[slot]} ${triggers}` });
  }
  return found.sort((a, b) => a.id - b.id).map(({ text }) => text);
}

export function positionIds(rig: Rig, account: number): number[] {
  const { positions } = rig.state;
  const ids = [...positions.ids.subarray(0, positions.slotCount)];
  return ids
    .filter((id) => id !== 0 && positions.accounts[positions.find(id)] === account)
    .sort((a, b) => a - b);
}

/** The rare events of a type, in order. */
export function told<T extends EventOf<'Cold'>['event']['type']>(rig: Rig, type: T) {
  return rig.events
    .filter((event): event is EventOf<'Cold'> => event.record === 'Cold')
    .map(({ event }) => event)
    .filter((event): event is Extract<typeof event, { type: T }> => event.type === type);
}

export function recorded<K extends VenueEvent['record']>(rig: Rig, record: K) {
  return rig.events.filter((event): event is EventOf<K> => event.record === record);
}

/** The dealer quotes so deep that nothing runs out of it, and long enough that all is revalued. */
export function quoteDeep(margin: MarginRig, market: number, bid: number, ask: number): void {
  const { rig } = margin;
  rig.run({ kind: 'cancelAll', account: DEALER, market });
  const order = (side: 'Buy' | 'Sell', price: number): void => {
    if (price > 0) margin.order(DEALER, { market, side, price, amount: 1_000_000, leverage: 10 });
  };
  order('Buy', bid);
  order('Sell', ask);
  margin.tick(100);
}

/** An account opens at the dealer's price; returns the position's id. */
export function open(margin: MarginRig, account: number, request: Partial<MarginRequest>): number {
  const before = new Set(positionIds(margin.rig, account));
  margin.order(account, { market: CFD, side: 'Buy', amount: 1_000, ...request });
  const opened = positionIds(margin.rig, account).find((id) => !before.has(id));
  if (opened === undefined) throw new Error('no position was opened');
  return opened;
}
