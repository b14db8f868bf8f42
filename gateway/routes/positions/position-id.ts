import { type TString, Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';

/**
 * A position id as it stands in a path: a number from 1 that is kept exactly. No other text names a
 * position.
 */
export function readPositionId(text: string): number | Refused {
  const positionId = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(positionId) ? positionId : positionUnknown(text);
}

export function positionUnknown(positionId: string | number): Refused {
  return refuse(Refusals.PositionUnknown, { field: 'positionId', value: positionId });
}

/** The id of a position in a body. */
export function PositionIdInput(): TString {
  return Type.String({ pattern: '^[0-9]{1,16}$' });
}
