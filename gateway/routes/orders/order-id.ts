import { type TString, Type } from '@sinclair/typebox';

/** An order id as it stands in a path: a number from 1, or 0 for a text that cannot be one. */
export function parseOrderId(text: string): number {
  return /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
}

/** The id of an order or an execution in a body. */
export function NumericId(): TString {
  return Type.String({ pattern: '^[0-9]{1,16}$' });
}
