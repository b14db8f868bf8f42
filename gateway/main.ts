import { pino } from 'pino';
import { ConfigError, readConfig } from './config.ts';
import { startPlatform } from './platform/platform.ts';

/** Starts the venue by the environment and stops it in order on SIGTERM or SIGINT. */

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel });
  const started = performance.now();
  const starting = startPlatform(config, logger);
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    // A start that has begun is brought to its end: its threads are at their files.
    const stopped = starting.then((platform) => platform.stop());
    stopped.then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const { url } = await starting;
  const milliseconds = Math.round(performance.now() - started);
  logger.info({ url, milliseconds }, 'ready to trade');
}

main().catch((error: unknown) => {
  const message = error instanceof ConfigError ? error.message : error;
  pino().fatal({ err: message }, 'the venue did not start');
  process.exit(1);
});
