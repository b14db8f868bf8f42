import { BlockList, isIP, isIPv4 } from 'node:net';

/** Whether a text is an address, or one with the length of its prefix: `10.0.0.0/8`. */
export function isNetwork(name: string): boolean {
  const [address = '', prefix = '0', ...rest] = name.split('/');
  const bits = isIPv4(address) ? 32 : 128;
  return isIP(address) !== 0 && rest.length === 0 && /^\d+$/.test(prefix) && Number(prefix) <= bits;
}

/** A set of addresses and networks. */
export class Networks {
  readonly #list = new BlockList();

  /** Each of `names` must be a network by `isNetwork`. */
  constructor(names: readonly string[]) {
    for (const name of names) {
      const [address = '', prefix] = name.split('/');
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      if (prefix === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(prefix), family);
    }
  }

  /** An IPv4 address in its IPv6 form is the same address. */
  has(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}
