import {
  ORDER_SOURCES,
  ORDER_TYPES,
  type OrderSourceName,
  type OrderTypeName,
  SIDES,
  type SideName,
  TIMES_IN_FORCE,
  type TimeInForceName,
} from '../../core/messages/enums.ts';

/**
 * Several small values in one integer column: a column fewer is a bound parameter fewer, and those
 * are what a row costs.
 */

/** What never changes about an order: four bits each for side, type, time in force and source. */
export function packTraits(
  side: number,
  type: number,
  timeInForce: number,
  source: number,
): number {
  return side | (type << 4) | (timeInForce << 8) | (source << 12);
}

/** The name at `index`, or an error that names the list: the row is not of this program's making. */
export function nameAt<T extends string>(names: readonly T[], index: number, what: string): T {
  const name = names[index];
  if (name === undefined) throw new RangeError(`there is no ${what} ${index}`);
  return name;
}

export const sideOf = (traits: number): SideName => nameAt(SIDES, traits & 15, 'side');
export const typeOf = (traits: number): OrderTypeName =>
  nameAt(ORDER_TYPES, (traits >> 4) & 15, 'order type');
export const timeInForceOf = (traits: number): TimeInForceName =>
  nameAt(TIMES_IN_FORCE, (traits >> 8) & 15, 'time in force');
export const sourceOf = (traits: number): OrderSourceName =>
  nameAt(ORDER_SOURCES, (traits >> 12) & 15, 'order source');

/**
 * The scales that an order's numbers count in, eight bits each. They are kept with the order,
 * because a market may be configured anew later and its history must still read as it was.
 */
export function packScales(priceScale: number, amountScale: number, quoteScale: number): number {
  return priceScale | (amountScale << 8) | (quoteScale << 16);
}

export const priceScaleOf = (scales: number): number => scales & 255;
export const amountScaleOf = (scales: number): number => (scales >> 8) & 255;
export const quoteScaleOf = (scales: number): number => (scales >> 16) & 255;
