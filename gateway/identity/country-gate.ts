import { isIP } from 'node:net';
import { Refusals } from '../../core/messages/refusals.ts';
import type { CallerGate, CallerOrigin } from '../http/caller-gate.ts';
import type { CallerOptions } from '../http/caller-options.ts';
import { Networks } from '../http/networks.ts';
import { type Refused, refuse } from '../http/refused.ts';
import type { Route } from '../http/route.ts';

/** What traders and guests use, and where they sign in; the back office is not restricted. */
const RESTRICTED_PATHS = ['/frontoffice/', '/marketdata/', '/identity/', '/api/v2/', '/public/'];

/**
 * Turns callers from blocked countries away. Country and address come from headers, which anybody can
 * send: they count only where the peer is a trusted proxy. A caller of unknown country passes.
 */
export class CountryGate implements CallerGate {
  readonly #options: CallerOptions;
  readonly #proxies: Networks;
  readonly #blocked: ReadonlySet<string>;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#proxies = new Networks(options.trustedProxies);
    this.#blocked = new Set(options.blockedCountries);
  }

  originOf(peerAddress: string, header: (name: string) => string): CallerOrigin {
    const { countryHeader, ipHeader } = this.#options;
    if (!this.#proxies.has(peerAddress)) return { address: peerAddress, country: undefined };
    const address = ipHeader === undefined ? '' : lastOf(header(ipHeader));
    const country = countryHeader === undefined ? '' : header(countryHeader).trim().toUpperCase();
    return {
      address: isIP(address) === 0 ? peerAddress : address,
      country: /^[A-Z0-9]{2}$/.test(country) ? country : undefined,
    };
  }

  judge({ path }: Route, { address, country }: CallerOrigin): Refused | undefined {
    if (country === undefined || !this.#blocked.has(country)) return undefined;
    if (!RESTRICTED_PATHS.some((prefix) => path.startsWith(prefix))) return undefined;
    const message = Refusals.CountryRestricted.message;
    const body = { error: { message, details: { ip: address, country } } };
    return refuse(Refusals.CountryRestricted, { body });
  }
}

/** Of a list the last: what stands before it came with the request to the proxy. */
function lastOf(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1).trim();
}
