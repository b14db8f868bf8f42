import type { Parameters } from 'fast-check';
import { seed } from '../support/seed.ts';

/** Options of the property tests here; fast-check prints the seed with a failure. */
export const propertyOptions: Parameters<unknown> = { numRuns: 300, seed };
