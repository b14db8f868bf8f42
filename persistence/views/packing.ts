import {
  ORDER_SOURCES,
  ORDER_TYPES,
  type OrderSourceName,
  type OrderTypeName,
  REASONS,
  type ReasonName,
  SIDES,
  type SideName,
  TIMES_IN_FORCE,
  type TimeInForceName,
} from '../../core/messages/enums.ts';

/**
 * Several small values in one integer column: a column fewer is a bound parameter fewer, and those
 * are what a row costs.
 */

/** What never changes about an order: four bits each for side, type and time in force. */
export function packTraits(side: number, type: number, timeInForce: number): number {
  return side | (type << 4) | (timeInForce << 8);
}

/** Who placed an order, or once it is closed who ended it, and why: four bits each. */
export function packCause(source: number, reason: number): number {
  return source | (reason << 4);
}

/** The name at `index`, or an error that names the list: the row is not of this program's making. */
export function nameAt<T extends string>(names: readonly T[], index: number, what: string): T {
  const name = names[index];
  if (name === undefined) throw new RangeError(`there is no ${what} ${index}`);
  return name;
}

/** Indexes into the lists of enums.ts. */
export const sideIndex = (traits: number): number => traits & 15;
export const typeIndex = (traits: number): number => (traits >> 4) & 15;
export const timeInForceIndex = (traits: number): number => (traits >> 8) & 15;
export const sourceIndex = (cause: number): number => cause & 15;
export const reasonIndex = (cause: number): number => (cause >> 4) & 15;

export const sideOf = (traits: number): SideName => nameAt(SIDES, sideIndex(traits), 'side');
export const typeOf = (traits: number): OrderTypeName =>
  nameAt(ORDER_TYPES, typeIndex(traits), 'order type');
export const timeInForceOf = (traits: number): TimeInForceName =>
  nameAt(TIMES_IN_FORCE, timeInForceIndex(traits), 'time in force');
export const sourceOf = (cause: number): OrderSourceName =>
  nameAt(ORDER_SOURCES, sourceIndex(cause), 'order source');
export const reasonOf = (cause: number): ReasonName =>
  nameAt(REASONS, reasonIndex(cause), 'reason');

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
