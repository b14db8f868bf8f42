/**
 * Whether a double keeps a JSON number exactly: whether printing the double gives the same decimal
 * value again. `9e-05` and `0.10` do, 2^53 + 1, `1e400` and forty digits do not.
 */
export function isExactNumber(token: string): boolean {
  const value = Number(token);
  return Number.isFinite(value) && canonical(token) === canonical(String(value));
}

/** `-12e-5`: sign, significant digits without zeros at either end, exponent of the last of them. */
function canonical(token: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(token);
  if (parts === null) return token;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = stripLeadingZeros(whole + fraction);
  const significant = stripTrailingZeros(digits);
  if (significant === '') return '0';
  const scale = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${scale}`;
}

function stripLeadingZeros(digits: string): string {
  let start = 0;
  while (digits.charCodeAt(start) === 0x30) start++;
  return digits.slice(start);
}

function stripTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}
