import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../http/server-state.ts';
import type { BotsWorkerData } from './bots-host.ts';
import { LiquidityBots } from './liquidity-bots.ts';
import { SeededRandom } from './seeded-random.ts';
import { BOT_ACCOUNT_NAMES } from './venue.ts';
import { VenueApi } from './venue-api.ts';
import { VenueClient } from './venue-client.ts';

/** Entry of the bots' thread. Any message from the host means: stop. */
const FAREWELL_MS = 2000;

if (parentPort === null) throw new Error('the liquidity bots run in a worker thread');
const port = parentPort;
const { baseUrl, credentials, seed, runId } = workerData as BotsWorkerData;

const stopping = new AbortController();
port.once('message', () => stopping.abort());

const client = new VenueClient(baseUrl, credentials, stopping.signal);
const bots = new LiquidityBots({
  venue: new VenueApi(client),
  venueAtFarewell: () => new VenueApi(client.under(AbortSignal.timeout(FAREWELL_MS))),
  signal: stopping.signal,
  random: new SeededRandom(seed),
  now: systemClock.now,
  accountNames: BOT_ACCOUNT_NAMES,
  runId,
  report: (message) => port.postMessage(message),
});
await bots.run();
port.close();
