import { parseDecimal, toUnits } from '../../core/fixed-point/index.ts';

/** A decimal of an answer in units of 10^-scale, exactly; throws where it is none or off step. */
export function unitsOf(text: string, scale: number): bigint {
  const decimal = parseDecimal(text);
  const units = decimal === undefined ? 'no decimal' : toUnits(decimal, scale);
  if (typeof units !== 'bigint') throw new Error(`${text} at scale ${scale}: ${units}`);
  return units;
}
