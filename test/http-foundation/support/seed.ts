/** The seed of every random test of this folder: `SEED=… npx vitest run` repeats a failure. */
export const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

process.stdout.write(`SEED=${seed}\n`);

/** A small generator for loops that fast-check does not drive (mulberry32). */
export function randomSource(start: number): () => number {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
