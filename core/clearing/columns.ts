/** Typed arrays that grow by doubling: the columns of clearing's tables. */
export type Column =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float64Array
  | BigInt64Array;

interface ColumnConstructor<C extends Column> {
  new (length: number): C;
}

/** `column` itself, or a copy of at least twice its size, such that `index` exists. */
export function grown<C extends Column>(column: C, index: number): C {
  if (index < column.length) return column;
  let length = Math.max(16, column.length * 2);
  while (length <= index) length *= 2;
  return resized(column, length);
}

/** A copy with exactly `length` elements; what is new is zero. */
function resized<C extends Column>(column: C, length: number): C {
  const Constructor = column.constructor as ColumnConstructor<C>;
  const copy = new Constructor(length);
  copy.set(column.subarray(0, Math.min(length, column.length)) as never);
  return copy;
}
