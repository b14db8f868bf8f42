import type fc from 'fast-check';

/** The seed of a property test: from SEED, or a new one; fast-check prints it with a failure. */
export function propertyOptions(): fc.Parameters<unknown> {
  const seed = process.env['SEED'];
  return { numRuns: 300, ...(seed === undefined ? {} : { seed: Number(seed) }) };
}
