import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BalancePacker, unpackBalances } from '../../core/messages/balances.ts';
import { seed } from '../support/seed.ts';

const units = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const ledgers = fc.uniqueArray(
  fc.record({ asset: fc.nat({ max: 200 }), total: units, held: units }),
  { maxLength: 60, selector: ({ asset }) => asset },
);

describe(`balances on their way (SEED=${seed})`, () => {
  it('arrive at the index of their asset, in whatever order and however many they are', () => {
    const packer = new BalancePacker();
    fc.assert(
      fc.property(ledgers, fc.nat({ max: 7 }), (balances, offset) => {
        for (const { asset, total, held } of balances) packer.add(asset, total, held);
        const packed = packer.take();
        const within = new Uint8Array(packed.length + offset);
        within.set(packed, offset);
        const unpacked = unpackBalances(within.subarray(offset));
        expect(unpacked.filter((balance) => balance !== undefined)).toEqual(
          [...balances].sort((a, b) => a.asset - b.asset),
        );
        for (const balance of balances) expect(unpacked[balance.asset]).toEqual(balance);
      }),
      { seed },
    );
  });

  it('are none where none were added, also after others', () => {
    const packer = new BalancePacker();
    packer.add(3, 1n, 0n);
    packer.take();
    expect(unpackBalances(packer.take())).toEqual([]);
  });
});
