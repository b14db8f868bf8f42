/**
 * Every buffer behind the typed arrays in `value`: to be moved to another thread instead of copied.
 * Shared memory is not among them: both threads have it anyway.
 */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const collect = (member: unknown): void => {
    if (ArrayBuffer.isView(member)) {
      if (member.buffer instanceof ArrayBuffer) buffers.add(member.buffer);
    } else if (Array.isArray(member)) {
      // Long lists hold plain values: only lists of objects can have arrays in them.
      if (typeof member[0] === 'object') member.forEach(collect);
    } else if (typeof member === 'object' && member !== null)
      Object.values(member).forEach(collect);
  };
  collect(value);
  return [...buffers];
}
