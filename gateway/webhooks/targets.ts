import { isIP } from 'node:net';
import { Networks } from '../http/networks.ts';

/**
 * What may be called from inside a venue's network on somebody's word: public addresses, by http or
 * https, and what the configuration allows beyond them.
 */

/** IPv4 that is not globally reachable unicast (IANA's registries of special-purpose addresses). */
const REFUSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/**
 * Of IPv6 only global unicast is called, so that loopback, link-local, unique local, multicast, mapped
 * and translated addresses need no mention; in it, what is special or leads to an IPv4 address.
 */
const GLOBAL_V6 = ['2000::/3'];
const REFUSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const WEB_PORTS = ['', '80', '443'];
const UNPRIVILEGED_PORT = 1024;

const refusedV4 = new Networks(REFUSED_V4);
const globalV6 = new Networks(GLOBAL_V6);
const refusedV6 = new Networks(REFUSED_V6);

/** Why a call is not made. */
export class RefusedTarget {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export class Targets {
  readonly #allowed: Networks;

  /** `allowed`: addresses and networks that may be called although they are not public. */
  constructor(allowed: readonly string[]) {
    this.#allowed = new Networks(allowed);
  }

  /** The address as it would be called, as far as that can be judged without looking names up. */
  parse(text: string): URL | RefusedTarget {
    if (!URL.canParse(text)) return new RefusedTarget('it is no address');
    const url = new URL(text);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      return new RefusedTarget('it must begin with http:// or https://');
    }
    if (url.username !== '' || url.password !== '') {
      return new RefusedTarget('credentials do not belong in it');
    }
    const host = hostOf(url);
    if (isIP(host) !== 0) {
      if (!this.isOpen(host)) return new RefusedTarget('its host is not public');
    } else if (/(^|\.)localhost\.?$/.test(host)) {
      return new RefusedTarget('its host is not public');
    }
    const isWeb = WEB_PORTS.includes(url.port) || Number(url.port) >= UNPRIVILEGED_PORT;
    return isWeb || this.#allowed.has(host) ? url : new RefusedTarget('its port is not taken');
  }

  /** Whether an address may be connected to. */
  isOpen(address: string): boolean {
    const version = isIP(address);
    if (version === 0) return false;
    if (this.#allowed.has(address)) return true;
    if (version === 4) return !refusedV4.has(address);
    return globalV6.has(address) && !refusedV6.has(address);
  }
}

/** The host as the resolver and the socket take it. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
