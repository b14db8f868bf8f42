import { isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^(?:::ffff:|(?:0{1,4}:){5}ffff:)(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * What stands for one caller when callers are counted: an IPv4 address, or the /64 of an IPv6 one, of
 * which a single host owns all addresses.
 */
export function addressPrefix(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  return `${expandGroups(address).slice(0, 4).join(':')}::/64`;
}

/** The eight groups without leading zeros. */
function expandGroups(address: string): string[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = splitGroups(head);
  const right = splitGroups(tail ?? '');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...new Array<string>(gap).fill('0'), ...right].map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
}

function splitGroups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
