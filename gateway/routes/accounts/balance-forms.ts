import { type Static, Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import { unpackBalances } from '../../../core/messages/balances.ts';
import { DecimalOutput } from '../../http/schema.ts';
import type { Reference } from '../../venue/reference.ts';

/** What there is of an asset, and what of it is free. */
export const amounts = {
  total: DecimalOutput({ description: 'Locked funds included.' }),
  available: DecimalOutput({ description: 'Total less locked.' }),
};
export const Balances = Type.Array(
  Type.Object({
    assetId: Type.String(),
    ...amounts,
    locked: DecimalOutput({
      description: 'Held by open orders and by withdrawals that await confirmation.',
    }),
  }),
);
export type Balances = Static<typeof Balances>;

/** One entry an asset, in the order of their indexes; zeros for what the account never had. */
export function balancesForm({ assets }: Reference, packed: Uint8Array): Balances {
  const balances = unpackBalances(packed);
  return assets.map(({ assetId, scale }, index) => {
    const { total = 0n, held = 0n } = balances[index] ?? {};
    const whole = formatUnits(total, scale);
    if (held === 0n) return { assetId, total: whole, available: whole, locked: '0' };
    const available = formatUnits(total - held, scale);
    return { assetId, total: whole, available, locked: formatUnits(held, scale) };
  });
}
