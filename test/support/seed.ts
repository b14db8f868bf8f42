/** The seed of every random test: `SEED=… npx vitest run test/http` repeats a failure. */
export const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** A small generator for loops (mulberry32): from 0 up to 1, without 1. */
export function randomSource(start: number): () => number {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
