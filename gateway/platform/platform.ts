import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Directory, openDirectory } from '../../persistence/directory/index.ts';
import { openViews, type Views, type ViewsClient } from '../../persistence/views/index.ts';
import { addressOf, type Config } from '../config.ts';
import { type RunningBots, startLiquidityBots } from '../demo/bots-host.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import { withOpenApi } from '../http/openapi-route.ts';
import { HttpServer } from '../http/server.ts';
import { systemClock } from '../http/server-state.ts';
import {
  CountryGate,
  createIdentity,
  DIRECTORY_FILE,
  type Identity,
  loadSecretBox,
  readBotCredentials,
  seedDemoDirectory,
  systemRandom,
} from '../identity/index.ts';
import type { RouteContext } from '../routes/context.ts';
import { createRoutes } from '../routes/index.ts';
import { operationsRoutes } from '../routes/operations/operations.ts';
import { createPartners, type Partners, seedDemoApps } from '../routes/partners/index.ts';
import { cachedFavorites } from '../routes/reference/favorites-cache.ts';
import { signedRoutes } from '../routes/signed/index.ts';
import { seedDemoSignedKeys } from '../signed/demo-keys.ts';
import { openSigned } from '../signed/signed.ts';
import { OrderReader } from '../venue/order-reader.ts';
import { Venue } from '../venue/venue.ts';
import { type RunningCallbacks, startCallbacks } from '../webhooks/index.ts';
import { applyUserStatus } from './apply-user-status.ts';
import { TradingAuthoriser } from './authoriser.ts';
import { demoMode } from './demo-mode.ts';
import { EXAMPLE_VALUES } from './example-values.ts';
import { METRICS_MEDIA_TYPE, Metrics } from './metrics/metrics.ts';
import { RoleThreads } from './role-threads.ts';
import { seedDemoVenue } from './seed.ts';
import { readVersion } from './version.ts';

/** How often clearing is told the time: what expires does so within this. */
const TICK_MS = 100;

const API_DESCRIPTION =
  'The version of a resource is part of its path. The header x-api-version and the parameter x-api-version of Content-Type are taken everywhere, whatever they say, and change nothing.';

export interface Logger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A running venue. */
export interface Platform {
  readonly url: string;
  /** Takes no more work, answers what was taken, snapshots, and ends every thread. */
  stop(): Promise<void>;
}

const clock = systemClock;

/** Brings the venue up from its data directory; resolves when it is ready to trade. */
export async function startPlatform(config: Config, logger: Logger): Promise<Platform> {
  const { dataDir, host } = config;
  await mkdir(dataDir, { recursive: true });
  const mode = demoMode(config);
  const onFatal = (details: object, message: string): void => {
    logger.error(details, message);
    process.exit(1);
  };
  const threads = new RoleThreads({
    config,
    log: (level, details, message) => logger[level](details, message),
    onRelease: (release) => {
      venue.released(release);
      views?.client.durable(release.durableSequence);
      if (release.metrics !== undefined) metrics?.journal.update(release.metrics);
    },
    onFatal,
  });
  let views: Views | undefined;
  let metrics: Metrics | undefined;
  const venue = new Venue(config, (batch) => threads.send(batch));
  await threads.resume(() => clock.now());
  views = openViews({ dataDir, maxThreads: config.queryThreads, logger });
  metrics = new Metrics({ venue, views: views.client, clock });
  const directory = await openDirectory({
    file: join(dataDir, DIRECTORY_FILE),
    onFatal: (error) => onFatal({ err: error }, 'the directory failed'),
  });
  const identity = await createIdentity({
    directory,
    dataDirectory: dataDir,
    issuer: issuerOf(config),
    now: clock.now(),
    accessTokenLifetimeMs: config.accessTokenSeconds * 1000,
    mail: { smtpUrl: config.smtpUrl, from: config.mailFrom },
    applyUserStatus: applyUserStatus(venue),
    onMailError: (error) => logger.error({ err: error }, 'a mail could not be sent'),
  });
  await venue.load(clock.now());
  if (mode !== 'off') await seedDemo(config, venue, directory, identity);

  const partners = openPartners(config, logger, directory, identity);
  const callbacks = startCallbacks({
    directory,
    views: views.client,
    dataDirectory: dataDir,
    allowed: config.webhookAllow,
    retries: { firstPauseMs: config.webhookRetryMs, attemptsMax: config.webhookAttempts },
    durableSequence: () => venue.durableSequence,
    now: () => clock.now(),
    onError: (error) => logger.error({ err: error }, 'telling of transfers failed'),
  });
  const { server, port } = await serve(config, logger, {
    callbacks,
    partners,
    venue,
    views: views.client,
    directory,
    identity,
    metrics,
  });
  const ticks = setInterval(() => venue.tick(clock.now()), TICK_MS);
  const url = addressOf({ host, port });
  const bots = mode === 'live' ? startBots(config, url, logger) : undefined;
  return {
    url,
    async stop() {
      await bots?.stop();
      await server.close();
      await partners.stop();
      await callbacks.stop();
      clearInterval(ticks);
      await views.close();
      await threads.stop();
      await directory.close();
    },
  };
}

interface Parts {
  readonly callbacks: RunningCallbacks;
  readonly partners: Partners;
  readonly venue: Venue;
  readonly views: ViewsClient;
  readonly directory: Directory;
  readonly identity: Identity;
  readonly metrics: Metrics;
}

/** Opens the HTTP interface: from here on the venue trades. */
async function serve(
  config: Config,
  logger: Logger,
  { callbacks, partners, venue, views, directory, identity, metrics }: Parts,
): Promise<{ readonly server: HttpServer; readonly port: number }> {
  const version = readVersion();
  const started = clock.monotonic();
  const { dataDir: dataDirectory } = config;
  const signed = await openSigned({ directory, dataDirectory, identity, now: clock.now() });
  const authoriser = new TradingAuthoriser(identity.authoriser, signed.sessions, venue.reference);
  const context: RouteContext = {
    venue,
    orders: new OrderReader(venue, views),
    views,
    favorites: cachedFavorites(directory.favorites),
    directory,
    passwords: identity.passwords,
    rights: identity.rights,
    callbacks,
    resolveAccount: (session, accountId) => authoriser.resolveAccount(session, accountId),
    timeZone: config.timeZone,
  };
  const routes = withOpenApi(
    [
      ...identity.routes,
      ...partners.routes,
      ...callbacks.routes,
      ...createRoutes(context),
      ...signedRoutes(context, signed),
      ...operationsRoutes({
        version,
        uptime: () => Math.floor((clock.monotonic() - started) / 1000),
        durableSequence: () => venue.durableSequence,
        metricsMediaType: METRICS_MEDIA_TYPE,
        metrics: () => metrics.text(),
        metricsToken: config.metricsToken,
      }),
    ],
    { title: 'Matchbox', version, description: API_DESCRIPTION },
    EXAMPLE_VALUES,
  );
  const server = new HttpServer({
    routes,
    authoriser,
    limits: { rates: { ...DEFAULT_LIMITS.rates, guest: config.guestRate } },
    observer: metrics.observe(routes),
    gate: config.callers === undefined ? undefined : new CountryGate(config.callers),
    onError: (error, { method, path }) =>
      logger.error({ err: error, method, path }, 'a handler failed'),
  });
  metrics.watch(server);
  return { server, port: await server.listen(config.host, config.port) };
}

function openPartners(
  config: Config,
  logger: Logger,
  directory: Directory,
  identity: Identity,
): Partners {
  const partners = createPartners({
    directory,
    dataDirectory: config.dataDir,
    identity,
    publicUrl: issuerOf(config),
    exportLinkSeconds: config.exportLinkSeconds,
    exportHours: config.exportHours,
    now: () => clock.now(),
    onError: (error) => logger.error({ err: error }, 'work of the partner area failed'),
  });
  partners.start();
  return partners;
}

function issuerOf(config: Config): string {
  return config.issuer ?? addressOf(config);
}

async function seedDemo(
  config: Config,
  venue: Venue,
  directory: Directory,
  { passwords }: Identity,
): Promise<void> {
  const userIds = await seedDemoDirectory({
    directory,
    passwords,
    random: systemRandom,
    dataDirectory: config.dataDir,
    issuer: issuerOf(config),
    now: clock.now(),
  });
  await seedDemoApps(directory, clock.now());
  await seedDemoVenue(venue, userIds, () => clock.now());
  await seedDemoSignedKeys({
    directory,
    reference: venue.reference,
    secrets: loadSecretBox(config.dataDir),
    userIds,
    now: clock.now(),
  });
}

function startBots(config: Config, url: string, logger: Logger): RunningBots | undefined {
  const credentials = readBotCredentials(config.dataDir);
  if (credentials === null) return undefined;
  const report = (message: string): void => logger.info({}, `liquidity bots: ${message}`);
  return startLiquidityBots({ baseUrl: url, credentials, report });
}
