import { availableParallelism } from 'node:os';

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
  readonly logLevel: string;
}

export class ConfigError extends Error {}

/** Reads the environment; throws `ConfigError` naming the variable that makes no sense. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
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
  return {
    host: env['HOST'] || '127.0.0.1',
    port: integer('PORT', 9000, 0, 65_535),
    dataDir: env['DATA_DIR'] || './data',
    demo: readDemo(env['DEMO']),
    marketWorkers: integer('MARKET_WORKERS', defaultMarketWorkers(), 0, 64),
    timeZone: readTimeZone(env['PLATFORM_TIME_ZONE']),
    issuer: env['ISSUER'] || undefined,
    accessTokenSeconds: integer('ACCESS_TOKEN_SECONDS', 30, 1, 86_400),
    smtpUrl: readSmtpUrl(env['SMTP_URL']),
    mailFrom: env['MAIL_FROM'] || 'Matchbox <no-reply@matchbox.test>',
    snapshotEvents: integer('SNAPSHOT_EVENTS', 1_000_000, 1, 1e12),
    snapshotsKept: integer('SNAPSHOTS_KEPT', 3, 2, 1000),
    journalArchive: integer('JOURNAL_ARCHIVE', 0, 0, 1) === 1,
    clientOrderIdWindow: integer('CLIENT_ORDER_ID_WINDOW', 262_144, 1, 1 << 24),
    openOrdersMax: integer('OPEN_ORDERS_MAX', 200_000, 1, 1e9),
    liveOrders: powerOfTwo('LIVE_ORDERS', 131_072),
    pendingMax: powerOfTwo('PENDING_MAX', 16_384),
    queryThreads: integer('QUERY_THREADS', 1, 1, 64),
    logLevel: env['LOG_LEVEL'] || 'info',
  };
}

/** The gateway, clearing and the journal are busy too: what is left of the cores matches. */
function defaultMarketWorkers(): number {
  return Math.max(1, availableParallelism() - 3);
}

/** The address may hold a password: what is wrong with it is told without it. */
function readSmtpUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^smtps?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new ConfigError('SMTP_URL is no address that begins with smtp:// or smtps://');
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
