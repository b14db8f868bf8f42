import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Directory, openDirectory } from '../../persistence/directory/index.ts';
import type { Config } from '../config.ts';
import { type RunningBots, startLiquidityBots } from '../demo/bots-host.ts';
import { HttpServer } from '../http/server.ts';
import { systemClock } from '../http/server-state.ts';
import {
  createIdentity,
  DIRECTORY_FILE,
  type Identity,
  readBotCredentials,
  seedDemoDirectory,
  systemRandom,
} from '../identity/index.ts';
import { createRoutes } from '../routes/index.ts';
import { OrderReader } from '../venue/order-reader.ts';
import { Venue } from '../venue/venue.ts';
import { TradingAuthoriser } from './authoriser.ts';
import { RoleThreads } from './role-threads.ts';
import { seedDemoVenue } from './seed.ts';

/** How often clearing is told the time: what expires does so within this. */
const TICK_MS = 100;

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
  const onFatal = (details: object, message: string): void => {
    logger.error(details, message);
    process.exit(1);
  };
  const threads = new RoleThreads({
    config,
    log: (level, details, message) => logger[level](details, message),
    onRelease: (release) => venue.released(release),
    onFatal,
  });
  const venue = new Venue(config, (batch) => threads.send(batch));
  await threads.resume(() => clock.now());
  const directory = await openDirectory({ file: join(dataDir, DIRECTORY_FILE) });
  const identity = await createIdentity({
    directory,
    dataDirectory: dataDir,
    issuer: config.issuer ?? `http://${host}:${config.port}`,
    now: clock.now(),
    accessTokenLifetimeMs: config.accessTokenSeconds * 1000,
  });
  await venue.load(clock.now());
  if (config.demo !== 'off') await seedDemo(config, venue, directory, identity);

  const orders = new OrderReader(venue, { find: async () => undefined });
  const server = new HttpServer({
    routes: [...identity.routes, ...createRoutes({ venue, orders, timeZone: config.timeZone })],
    authoriser: new TradingAuthoriser(identity.authoriser, venue.reference),
    onError: (error, { method, path }) => logger.error({ error, method, path }, 'a handler failed'),
  });
  const ticks = setInterval(() => venue.tick(clock.now()), TICK_MS);
  const port = await server.listen(host, config.port);
  const url = `http://${host}:${port}`;
  const bots = startBots(config, url, logger);
  return {
    url,
    async stop() {
      await bots?.stop();
      await server.close();
      clearInterval(ticks);
      await threads.stop();
      await directory.close();
    },
  };
}

async function seedDemo(
  { dataDir }: Config,
  venue: Venue,
  directory: Directory,
  { passwords }: Identity,
): Promise<void> {
  const userIds = await seedDemoDirectory({
    directory,
    passwords,
    random: systemRandom,
    dataDirectory: dataDir,
    now: clock.now(),
  });
  await seedDemoVenue(venue, userIds, () => clock.now());
}

function startBots(config: Config, url: string, logger: Logger): RunningBots | undefined {
  if (config.demo !== 'live') return undefined;
  const credentials = readBotCredentials(config.dataDir);
  if (credentials === null) return undefined;
  const report = (message: string): void => logger.info({}, `liquidity bots: ${message}`);
  return startLiquidityBots({ baseUrl: url, credentials, report });
}
