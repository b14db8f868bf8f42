import { describe, expect, it } from 'vitest';
import { BalancePacker } from '../../core/messages/balances.ts';
import type { AssetConfiguration } from '../../core/messages/configuration.ts';
import { RenderedJson } from '../../gateway/http/reply.ts';
import { KeptBalances } from '../../gateway/routes/accounts/kept-balances.ts';
import { Reference } from '../../gateway/venue/reference.ts';

const ASSET: AssetConfiguration = {
  assetId: 'btc',
  name: 'Bitcoin',
  scale: 2,
  isRoot: false,
  marginRatio: 0,
  type: 'Crypto',
  source: 'Internal',
};

function referenceOf(...assetIds: string[]): Reference {
  const reference = new Reference();
  assetIds.forEach((assetId, asset) => {
    configure(reference, asset, { assetId });
  });
  return reference;
}

function configure(reference: Reference, asset: number, change: Partial<AssetConfiguration>): void {
  reference.apply({
    type: 'AssetConfigured',
    asset,
    configuration: { ...ASSET, ...change },
  });
}

type Units = readonly [asset: number, total: bigint, held: bigint];

function packed(...balances: Units[]): Uint8Array {
  const packer = new BalancePacker();
  for (const [asset, total, held] of balances) packer.add(asset, total, held);
  return packer.take().slice();
}

/** The answer as it goes out, and whether it was rendered. */
function told(kept: KeptBalances, account: number, units: Uint8Array) {
  const answer = kept.answer(account, units);
  if (!(answer instanceof RenderedJson)) return { answer, isRendered: false };
  const text = Buffer.from(answer.bytes).toString('utf8');
  return { answer: JSON.parse(text) as unknown, isRendered: true };
}

const entry = (assetId: string, total: string, available: string, locked: string) => ({
  assetId,
  total,
  available,
  locked,
});

describe('answers to reads of balances', () => {
  it('are kept when they were told twice, and say the same each time', () => {
    const kept = new KeptBalances(referenceOf('btc', 'eth', 'eur'));
    const units = packed([2, -150n, 0n], [0, 1000n, 250n]);
    const answer = [
      entry('btc', '10', '7.5', '2.5'),
      entry('eth', '0', '0', '0'),
      entry('eur', '-1.5', '-1.5', '0'),
    ];
    expect(told(kept, 7, units)).toEqual({ answer, isRendered: false });
    expect(told(kept, 7, units.slice())).toEqual({ answer, isRendered: true });
    expect(kept.answer(7, units)).toBe(kept.answer(7, units.slice()));
  });

  it('hold no more when a single unit moves', () => {
    const kept = new KeptBalances(referenceOf('btc'));
    for (let times = 0; times < 3; times++) kept.answer(7, packed([0, 1000n, 0n]));
    expect(told(kept, 7, packed([0, 1001n, 0n])).answer).toEqual([
      entry('btc', '10.01', '10.01', '0'),
    ]);
    expect(told(kept, 7, packed([0, 1001n, 1n])).answer).toEqual([
      entry('btc', '10.01', '10', '0.01'),
    ]);
    expect(told(kept, 7, packed()).answer).toEqual([entry('btc', '0', '0', '0')]);
  });

  it('hold no more when there is another asset', () => {
    const reference = referenceOf('btc');
    const kept = new KeptBalances(reference);
    for (let times = 0; times < 3; times++) kept.answer(7, packed([0, 100n, 0n]));
    configure(reference, 1, { assetId: 'eth' });
    expect(told(kept, 7, packed([0, 100n, 0n])).answer).toEqual([
      entry('btc', '1', '1', '0'),
      entry('eth', '0', '0', '0'),
    ]);
  });

  it('are those of one account each', () => {
    const kept = new KeptBalances(referenceOf('btc'));
    for (let times = 0; times < 3; times++) {
      for (const account of [1, 2, 4097, 8193]) {
        expect(told(kept, account, packed([0, BigInt(account), 0n])).answer).toEqual([
          expect.objectContaining({ total: String(account / 100) }),
        ]);
      }
    }
  });
});
