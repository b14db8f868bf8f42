import { isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import type { CallerOptions } from './http/caller-options.ts';
import { DEFAULT_LIMITS } from './http/limits.ts';
import { isNetwork } from './http/networks.ts';
import type { Rate } from './http/rate-limiter.ts';

/** How to run, from the environment. Every variable has a default; README.md lists them. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** `undefined`: live in an empty data directory or one that was made for a demo, else off. */
  readonly demo: 'live' | 'quiet' | 'off' | undefined;
  /** Threads for order books; 0 keeps the books in clearing's thread. */
  readonly marketWorkers: number;
  /** The zone of Day orders, daily swaps and day PnL. */
  readonly timeZone: string;
  /** What tokens name as their issuer; undefined: the address that is listened on. */
  readonly issuer: string | undefined;
  readonly accessTokenSeconds: number;
  /** `smtp://user:password@host:port`; without it mails go to DATA_DIR/outbox. */
  readonly smtpUrl: string | undefined;
  /** The From line of mails. */
  readonly mailFrom: string;
  /** Proxies that are believed where a caller is, and who is turned away for it. */
  readonly callers: CallerOptions | undefined;
  /** Events between two snapshots, and how many snapshots are kept. */
  readonly snapshotEvents: number;
  readonly snapshotsKept: number;
  /** Moves journal batches that no snapshot needs into DATA_DIR/archive. */
  readonly journalArchive: boolean;
  readonly clientOrderIdWindow: number;
  readonly openOrdersMax: number;
  /** Powers of two. */
  readonly liveOrders: number;
  readonly pendingMax: number;
  readonly queryThreads: number;
  /** What one caller without a token may ask: a second in the long run, and at once. */
  readonly guestRate: Rate;
  /** How long a link to an export is good, and how long the file of one is kept. */
  readonly exportLinkSeconds: number;
  readonly exportHours: number;
  /** Networks that callbacks may go to although they are not public. */
  readonly webhookAllow: readonly string[];
  /** The pause behind the first call that failed, and how often one is made at most. */
  readonly webhookRetryMs: number;
  readonly webhookAttempts: number;
  /** Who reads the metrics brings it as a bearer token; undefined: everybody may read them. */
  readonly metricsToken: string | undefined;
  readonly logLevel: string;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {}

/** Reads the environment; throws `ConfigError` naming the variable that makes no sense. */
export function readConfig(env: Environment): Config {
  const integer = (name: string, fallback: number, least: number, most: number): number => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw new ConfigError(`${name}=${text} is not an integer from ${least} to ${most}`);
  };
  const powerOfTwo = (name: string, fallback: number): number => {
    const value = integer(name, fallback, 2, 1 << 24);
    if ((value & (value - 1)) === 0) return value;
    throw new ConfigError(`${name}=${value} is not a power of two`);
  };
  const { guest } = DEFAULT_LIMITS.rates;
  return {
    host: readHost(env['HOST']),
    port: integer('PORT', 9000, 0, 65_535),
    dataDir: env['DATA_DIR'] || './data',
    demo: readDemo(env['DEMO']),
    marketWorkers: integer('MARKET_WORKERS', defaultMarketWorkers(), 0, 64),
    timeZone: readTimeZone(env['PLATFORM_TIME_ZONE']),
    issuer: env['ISSUER'] || undefined,
    accessTokenSeconds: integer('ACCESS_TOKEN_SECONDS', 30, 1, 86_400),
    smtpUrl: readSmtpUrl(env['SMTP_URL']),
    callers: readCallers(env),
    mailFrom: env['MAIL_FROM'] || 'Matchbox <no-reply@matchbox.test>',
    snapshotEvents: integer('SNAPSHOT_EVENTS', 1_000_000, 1, 1e12),
    snapshotsKept: integer('SNAPSHOTS_KEPT', 3, 2, 1000),
    journalArchive: integer('JOURNAL_ARCHIVE', 0, 0, 1) === 1,
    clientOrderIdWindow: integer('CLIENT_ORDER_ID_WINDOW', 262_144, 1, 1 << 24),
    openOrdersMax: integer('OPEN_ORDERS_MAX', 200_000, 1, 1e9),
    liveOrders: powerOfTwo('LIVE_ORDERS', 131_072),
    pendingMax: powerOfTwo('PENDING_MAX', 16_384),
    queryThreads: integer('QUERY_THREADS', 1, 1, 64),
    guestRate: {
      perSecond: integer('GUEST_RATE_PER_SECOND', guest.perSecond, 1, 1_000_000),
      burst: integer('GUEST_RATE_BURST', guest.burst, 1, 1_000_000),
    },
    exportLinkSeconds: integer('EXPORT_LINK_SECONDS', 600, 1, 86_400),
    exportHours: integer('EXPORT_HOURS', 24, 1, 8_760),
    webhookAllow: readNetworks(env, 'WEBHOOK_ALLOW'),
    webhookRetryMs: integer('WEBHOOK_RETRY_MS', 1000, 1, 3_600_000),
    webhookAttempts: integer('WEBHOOK_ATTEMPTS', 20, 1, 1000),
    metricsToken: env['METRICS_TOKEN'] || undefined,
    logLevel: readLogLevel(env['LOG_LEVEL']),
  };
}

/** Where the HTTP interface is; the digits of an IPv6 address stand in brackets. */
export function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function readHost(text: string | undefined): string {
  const host = text || '127.0.0.1';
  if (/^[\w.:-]+$/.test(host) && URL.canParse(addressOf({ host, port: 0 }))) return host;
  throw new ConfigError(`HOST=${host} is no address to listen on`);
}

function readLogLevel(text: string | undefined): string {
  const level = text || 'info';
  if (LOG_LEVELS.includes(level)) return level;
  throw new ConfigError(`LOG_LEVEL=${level} is none of ${LOG_LEVELS.join(', ')}`);
}

/**
 * The gateway, clearing and the journal are busy too: what is left of the cores matches. On two cores
 * nothing is left, and a thread of their own would only cost the books two more switches an order.
 */
function defaultMarketWorkers(): number {
  const cores = availableParallelism();
  return cores <= 2 ? 0 : Math.max(1, cores - 3);
}

/** The address may hold a password: what is wrong with it is told without it. */
function readSmtpUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^smtps?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new ConfigError('SMTP_URL is no address that begins with smtp:// or smtps://');
}

/** Undefined without a trusted proxy: then nobody's word is taken for where a caller is. */
function readCallers(env: Environment): CallerOptions | undefined {
  const options = {
    trustedProxies: readNetworks(env, 'TRUSTED_PROXIES'),
    countryHeader: env['TRUSTED_COUNTRY_HEADER']?.toLowerCase() || undefined,
    ipHeader: env['TRUSTED_IP_HEADER']?.toLowerCase() || undefined,
    blockedCountries: readList(env, 'COUNTRY_BLOCK').map((code) => code.toUpperCase()),
  };
  const { trustedProxies, countryHeader, blockedCountries } = options;
  const odd = blockedCountries.find((code) => !/^[A-Z0-9]{2}$/.test(code));
  if (odd !== undefined) throw new ConfigError(`COUNTRY_BLOCK: ${odd} is no country code`);
  const isKnown = trustedProxies.length > 0 && countryHeader !== undefined;
  if (blockedCountries.length > 0 && !isKnown) {
    throw new ConfigError('COUNTRY_BLOCK needs TRUSTED_PROXIES and TRUSTED_COUNTRY_HEADER');
  }
  return trustedProxies.length === 0 ? undefined : options;
}

function readList(env: Environment, name: string): string[] {
  const parts = (env[name] ?? '').split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function readNetworks(env: Environment, name: string): string[] {
  const networks = readList(env, name);
  const odd = networks.find((network) => !isNetwork(network));
  if (odd !== undefined) throw new ConfigError(`${name}: ${odd} is no address`);
  return networks;
}

function readDemo(text: string | undefined): Config['demo'] {
  if (text === undefined || text === '') return undefined;
  if (text === 'live' || text === 'quiet' || text === 'off') return text;
  throw new ConfigError(`DEMO=${text} is none of live, quiet and off`);
}

function readTimeZone(text: string | undefined): string {
  const zone = text || 'UTC';
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    throw new ConfigError(`PLATFORM_TIME_ZONE=${zone} is no IANA time zone`);
  }
}
