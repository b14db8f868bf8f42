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

/** Indexes into the lists of core/messages/enums.ts. */
export const sideIndex = (traits: number): number => traits & 15;
export const typeIndex = (traits: number): number => (traits >> 4) & 15;
export const timeInForceIndex = (traits: number): number => (traits >> 8) & 15;
export const sourceIndex = (cause: number): number => cause & 15;
export const reasonIndex = (cause: number): number => (cause >> 4) & 15;

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
