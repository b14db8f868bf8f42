import { isIPv6 } from 'node:net';

const GROUPS = 8;
const MAPPED_IPV4_PREFIX = '0:0:0:0:0:ffff';

/**
 * What stands for one caller when callers are counted: an IPv4 address, or the /64 of an IPv6 one, of
 * which a single host owns all addresses. A socket that takes both families reports an IPv4 caller as
 * a mapped IPv6 address, in any spelling; that counts as the IPv4 address.
 */
export function addressPrefix(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = expandGroups(address.split('%')[0] ?? '');
  if (groups.slice(0, 6).map(hexadecimal).join(':') === MAPPED_IPV4_PREFIX) {
    return groups.slice(6).flatMap(bytesOf).join('.');
  }
  return `${groups.slice(0, 4).map(hexadecimal).join(':')}::/64`;
}

/** The eight 16-bit groups of an IPv6 address in any of its spellings. */
function expandGroups(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const left = parseGroups(head);
  if (tail === undefined) return left;
  const right = parseGroups(tail);
  const gap = Math.max(0, GROUPS - left.length - right.length);
  return [...left, ...new Array<number>(gap).fill(0), ...right];
}

function parseGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function hexadecimal(group: number): string {
  return group.toString(16);
}

function bytesOf(group: number): [number, number] {
  return [group >> 8, group & 0xff];
}
