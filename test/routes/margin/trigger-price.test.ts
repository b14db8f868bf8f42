import { describe, expect, it } from 'vitest';
import { Side } from '../../../core/messages/enums.ts';
import { Refused } from '../../../gateway/http/refused.ts';
import { pricedTrigger, type TriggerBasis } from '../../../gateway/routes/orders/trigger-price.ts';

/** Two lots of 100,000 at 1.10000; a tick of 0.00001 is worth 2 in quote, 3 in the root asset. */
const BASIS: TriggerBasis = {
  entry: 110_000,
  side: Side.Buy,
  quantity: 200,
  rate: 1_500_000_000_000n,
  scales: { price: 5, amount: 2, quote: 6, commission: 2, lotSize: 100_000 },
};
const SHORT = { ...BASIS, side: Side.Sell };

type Size = Parameters<typeof pricedTrigger>[0];

function priced(
  triggerType: Size['triggerType'],
  triggerSize: string,
  name: 'stopLoss' | 'takeProfit' = 'takeProfit',
  basis = BASIS,
): unknown {
  const found = pricedTrigger({ triggerType, triggerSize }, basis, name);
  if (!(found instanceof Refused)) return found;
  return [found.refusal.name, found.details.field, found.details.limit];
}

describe('a trigger', () => {
  const above = { price: '1.111', rate: '0.01', points: 1100, pnl: '3300' };

  it.each([
    ['Price', '1.111'],
    ['Rate', '0.01'],
    ['Points', '1100'],
    ['Pnl', '3300'],
  ] as const)('is the same whether it is said as %s %s', (type, size) => {
    expect(priced(type, size)).toEqual(above);
  });

  it('of a stop-loss loses, and lies on the other side', () => {
    const below = { price: '1.089', rate: '0.01', points: 1100, pnl: '-3300' };
    expect(priced('Points', '1100', 'stopLoss')).toEqual(below);
    expect(priced('Price', '1.089', 'stopLoss')).toEqual(below);
    expect(priced('Pnl', '3300', 'stopLoss')).toEqual(below);
  });

  it('of a short position is mirrored', () => {
    expect(priced('Rate', '0.01', 'takeProfit', SHORT)).toMatchObject({
      price: '1.089',
      pnl: '3300',
    });
    expect(priced('Rate', '0.01', 'stopLoss', SHORT)).toMatchObject({
      price: '1.111',
      pnl: '-3300',
    });
  });

  it('between two ticks goes to the nearer, and its other figures are those of that price', () => {
    // 4 / 3 ticks, and 1.5 of them.
    expect(priced('Pnl', '4')).toMatchObject({ points: 1, pnl: '3' });
    expect(priced('Pnl', '4.5')).toMatchObject({ points: 2, pnl: '6' });
    expect(priced('Rate', '0.000013')).toMatchObject({ price: '1.10001', rate: '0.00000909' });
  });

  it('has its profit and its loss rounded down', () => {
    const rate = 1_333_333_333_333n;
    expect(priced('Points', '1', 'takeProfit', { ...BASIS, rate })).toMatchObject({ pnl: '2.66' });
    expect(priced('Points', '1', 'stopLoss', { ...BASIS, rate })).toMatchObject({ pnl: '-2.67' });
  });

  it.each([
    ['Price', '1.1', 'TriggerWrongSide', '1.1'],
    ['Price', '1.09', 'TriggerWrongSide', '1.1'],
    ['Price', '1.111111', 'PriceOffStep', '0.00001'],
    ['Price', '-1', 'PriceNotPositive', undefined],
    ['Rate', '0', 'AmountNotPositive', undefined],
    ['Rate', '-0.1', 'AmountNotPositive', undefined],
    ['Rate', '0.0000001', 'TriggerWrongSide', '1.1'],
    ['Points', '1.5', 'AmountOffStep', 1],
    ['Pnl', '0.1', 'TriggerWrongSide', '1.1'],
    ['Pnl', '1e60', 'PriceTooLarge', '90071992547.40991'],
  ] as const)('as %s %s is refused: %s', (type, size, name, limit) => {
    expect(priced(type, size)).toEqual([name, 'order.takeProfit.triggerSize', limit]);
  });

  it('may not come to nothing or less', () => {
    const field = 'order.stopLoss.triggerSize';
    expect(priced('Rate', '1', 'stopLoss')).toEqual(['TriggerBelowZero', field, undefined]);
    expect(priced('Points', '110001', 'stopLoss')).toEqual(['TriggerBelowZero', field, undefined]);
    expect(priced('Points', '109999', 'stopLoss')).toMatchObject({ price: '0.00001' });
  });
});
