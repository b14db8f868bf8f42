/** Up to here two numbers may be added without a look at the result: it is a safe integer. */
const ADDABLE_MAX = 2 ** 52;

/** sum + a × b, exactly: a number while that is a safe integer, a bigint beyond. */
export function addProduct(sum: number | bigint, a: number, b: number): number | bigint {
  const product = a * b;
  if (typeof sum === 'number' && product <= ADDABLE_MAX && sum <= ADDABLE_MAX) return sum + product;
  return BigInt(sum) + BigInt(a) * BigInt(b);
}
