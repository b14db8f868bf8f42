/** An order id as it stands in a path: a number from 1, or 0 for a text that cannot be one. */
export function parseOrderId(text: string): number {
  return /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
}
