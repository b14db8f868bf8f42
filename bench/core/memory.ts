/**
 * Bytes in use: heap and array buffers, after collecting. Needs a process with `--expose-gc`.
 * Buffers found dead by one collection are given back by the next.
 */
export function memoryInUse(): number {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('memory is measured in a process with --expose-gc');
  for (let round = 0; round < 4; round++) gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
