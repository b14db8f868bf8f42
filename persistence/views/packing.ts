import type { Scales } from '../../core/messages/order-view.ts';

/**
 * Several small values in one integer column: a column fewer is a bound parameter fewer, and those
 * are what a row costs.
 */

/**
 * What never changes about an order: four bits each for side, type and time in force, and one for
 * whether a program sent it with a key.
 */
export function packTraits(side: number, type: number, timeInForce: number, byKey: number): number {
  return side | (type << 4) | (timeInForce << 8) | (byKey << 12);
}

/** Who placed an order, or once it is closed who ended it, and why: four bits each. */
export function packCause(source: number, reason: number): number {
  return source | (reason << 4);
}

/** Indexes into the lists of core/messages/enums.ts. */
export const sideIndex = (traits: number): number => traits & 15;
export const typeIndex = (traits: number): number => (traits >> 4) & 15;
export const timeInForceIndex = (traits: number): number => (traits >> 8) & 15;
export const isByKey = (traits: number): boolean => ((traits >> 12) & 1) !== 0;
export const sourceIndex = (cause: number): number => cause & 15;
export const reasonIndex = (cause: number): number => (cause >> 4) & 15;

/**
 * The scales that an order's numbers count in, eight bits each: prices, amounts, money in the quote
 * asset, commissions. They are kept with the order, because a market may be configured anew later
 * and its history must still read as it was.
 */
export function packScales(
  price: number,
  amount: number,
  quote: number,
  commission: number,
): number {
  return price | (amount << 8) | (quote << 16) | (commission << 24);
}

export const priceScaleOf = (scales: number): number => scales & 255;
export const amountScaleOf = (scales: number): number => (scales >> 8) & 255;
export const quoteScaleOf = (scales: number): number => (scales >> 16) & 255;
const commissionScaleOf = (scales: number): number => (scales >> 24) & 255;

const LEVERAGES = 2 ** 16;

/** How many base assets a lot has, and an order's leverage; null for Spot, where both are 1. */
export function packLots(lotSize: number, leverage: number): number {
  return lotSize * LEVERAGES + leverage;
}

export const lotSizeOf = (lots: number | null): number =>
  lots === null ? 1 : Math.floor(lots / LEVERAGES);
export const leverageOf = (lots: number | null): number => (lots === null ? 1 : lots % LEVERAGES);

/** What an execution on margin was: its order's side, who took, and why it came about. */
export function packFacts(side: number, isMaker: number, reason: number): number {
  return side | (isMaker << 1) | (reason << 2);
}

export const factSide = (facts: number): number => facts & 1;
export const factReason = (facts: number): number => facts >> 2;

/** All scales of an order, and the size of its lots. */
export function unpackScales(scales: number, lots: number | null): Scales {
  return {
    price: priceScaleOf(scales),
    amount: amountScaleOf(scales),
    quote: quoteScaleOf(scales),
    commission: commissionScaleOf(scales),
    lotSize: lotSizeOf(lots),
  };
}
