import { Type } from '@sinclair/typebox';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { AssetConfiguration } from '../../../core/messages/configuration.ts';
import { ASSET_SOURCES, ASSET_TYPES } from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { DecimalOutput, OneOf } from '../../http/schema.ts';
import type { Reference } from '../../venue/reference.ts';
import { unitsOf } from './units.ts';

const NAME_LENGTH_MAX = 50;
const ID_LENGTH_MAX = 15;

export const AssetName = Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX });
export const AssetId = Type.String({
  minLength: 1,
  maxLength: ID_LENGTH_MAX,
  pattern: '^[a-z0-9]+$',
});

export const AssetForm = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scale: Type.Integer(),
  source: OneOf(ASSET_SOURCES),
  type: OneOf(ASSET_TYPES),
});

export const AssetInfo = Type.Object({
  id: Type.String(),
  can_deposit: Type.Boolean(),
  can_withdraw: Type.Boolean(),
  asset_name: Type.String(),
  withdrawal_fee: DecimalOutput({ description: 'For display: no withdrawal is charged it.' }),
  scale: Type.Integer(),
});

export function assetForm({ assetId, name, scale, source, type }: AssetConfiguration) {
  return { id: assetId, name, scale, source, type };
}

export function assetInfo(asset: AssetConfiguration) {
  return {
    id: asset.assetId,
    can_deposit: asset.canDeposit ?? true,
    can_withdraw: asset.canWithdraw ?? true,
    asset_name: asset.name,
    withdrawal_fee: asset.withdrawalFee ?? '0',
    scale: asset.scale,
  };
}

/** A withdrawal fee in canonical form; it must be an amount of the asset. */
export function withdrawalFee(text: string, scale: number): string | Refused {
  const units = unitsOf(text, scale, 'withdrawal_fee');
  return units instanceof Refused ? units : formatUnits(units, scale);
}

export function knownAsset(
  { assets }: Reference,
  assetId: string,
  field: string,
): AssetConfiguration | Refused {
  const asset = assets.find((each) => each.assetId === assetId);
  return asset ?? refuse(Refusals.AssetUnknown, { field, value: assetId });
}
