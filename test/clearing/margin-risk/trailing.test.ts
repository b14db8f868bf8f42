import { beforeEach, expect, it } from 'vitest';
import { CFD, HEDGER, MarginRig } from '../../margin/support.ts';
import { Rig } from '../rig.ts';
import { open, openPositions, quoteDeep, recorded } from './support.ts';

let margin: MarginRig;

beforeEach(() => {
  margin = new MarginRig();
  margin.deposit(HEDGER, 'usdt', '100000');
  quoteDeep(margin, CFD, 10_000, 10_010);
});

it('the stop of a long follows the bid at the distance that it had from its entry, and never back', () => {
  open(margin, HEDGER, { stopLoss: 9_910, isTrailing: true });
  quoteDeep(margin, CFD, 10_005, 10_020);
  // Bought at 10010: the distance is 100, and 10005 - 100 is not yet above 9910 by more than -5.
  expect(openPositions(margin.rig, HEDGER)).toEqual(['long 1000 9910 0']);
  quoteDeep(margin, CFD, 10_200, 10_210);
  expect(openPositions(margin.rig, HEDGER)).toEqual(['long 1000 10100 0']);
  quoteDeep(margin, CFD, 10_150, 10_160);
  expect(openPositions(margin.rig, HEDGER)).toEqual(['long 1000 10100 0']);
  quoteDeep(margin, CFD, 10_100, 10_160);
  expect(openPositions(margin.rig, HEDGER)).toEqual([]);
});

it('the stop of a short follows the ask downwards', () => {
  open(margin, HEDGER, { side: 'Sell', stopLoss: 10_100, isTrailing: true });
  quoteDeep(margin, CFD, 9_790, 9_800);
  expect(openPositions(margin.rig, HEDGER)).toEqual(['short 1000 9900 0']);
  quoteDeep(margin, CFD, 9_850, 9_899);
  expect(openPositions(margin.rig, HEDGER)).toEqual(['short 1000 9900 0']);
  quoteDeep(margin, CFD, 9_850, 9_900);
  expect(openPositions(margin.rig, HEDGER)).toEqual([]);
});

it('an event is written only where a stop moves', () => {
  open(margin, HEDGER, { stopLoss: 9_910, isTrailing: true });
  open(margin, HEDGER, { stopLoss: 9_810, isTrailing: true });
  open(margin, HEDGER, { stopLoss: 9_710 });
  quoteDeep(margin, CFD, 10_200, 10_210);
  quoteDeep(margin, CFD, 10_190, 10_195);
  quoteDeep(margin, CFD, 10_300, 10_310);
  expect(recorded(margin.rig, 'TrailingStopsMoved').map(({ bid }) => bid)).toEqual([
    10_200, 10_300,
  ]);
  expect(openPositions(margin.rig, HEDGER)).toEqual([
    'long 1000 10200 0',
    'long 1000 10100 0',
    'long 1000 9710 0',
  ]);
});

it('a restart loosens nothing, whatever the prices are when the books are back', () => {
  open(margin, HEDGER, { stopLoss: 9_910, isTrailing: true });
  quoteDeep(margin, CFD, 10_200, 10_210);
  quoteDeep(margin, CFD, 10_120, 10_130);
  const { rig } = margin;
  const replayed = new Rig({ state: rig.replay(), now: rig.now });
  expect(openPositions(replayed, HEDGER)).toEqual(['long 1000 10100 0']);
  const restarted = rig.restarted();
  expect(openPositions(restarted, HEDGER)).toEqual(['long 1000 10100 0']);
  expect(restarted.hash()).toBe(replayed.hash());
});

it('while the books are filled again after a restart, no half-filled book fires anything', () => {
  const { rig } = margin;
  rig.run({ kind: 'cancelAll', account: 1, market: CFD });
  // The worse bid is older: alone, it would reach the stop-loss.
  margin.order(1, { market: CFD, side: 'Buy', price: 9_000, amount: 10 });
  margin.order(1, { market: CFD, side: 'Buy', price: 10_000, amount: 10 });
  margin.order(1, { market: CFD, side: 'Sell', price: 10_010, amount: 5_000 });
  open(margin, HEDGER, { stopLoss: 9_950 });
  const restarted = rig.restarted();
  expect(openPositions(restarted, HEDGER)).toEqual(['long 1000 9950 0']);
  expect(restarted.state.market(CFD).bestBid).toBe(10_000);
});
