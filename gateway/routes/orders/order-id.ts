import { type TString, Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { type Refused, refuse } from '../../http/refused.ts';

/**
 * An order id as it stands in a path: a number from 1 that is kept exactly. No other text names
 * an order.
 */
export function readOrderId(text: string): number | Refused {
  const orderId = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(orderId)) return orderId;
  return refuse(Refusals.OrderUnknown, { field: 'orderId', value: text });
}

/** The id of an order or an execution in a body. */
export function NumericId(): TString {
  return Type.String({ pattern: '^[0-9]{1,16}$' });
}
