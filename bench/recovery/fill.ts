import { mkdirSync } from 'node:fs';
import {
  OrderSource,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../core/messages/enums.ts';
import { readConfig } from '../../gateway/config.ts';
import { Refused } from '../../gateway/http/refused.ts';
import type { DemoEmail } from '../../gateway/identity/index.ts';
import { RoleThreads } from '../../gateway/platform/role-threads.ts';
import { seedDemoVenue } from '../../gateway/platform/seed.ts';
import { Venue } from '../../gateway/venue/venue.ts';

/**
 * Fills a data directory through the venue's own threads, without HTTP:
 * `node fill.js DATA_DIR events N` leaves N events behind the first snapshot (and dies without one),
 * `node fill.js DATA_DIR resting N` leaves N resting orders in the last snapshot.
 */
const [dataDir = '', kind = '', text = ''] = process.argv.slice(2);
const count = Number(text);
const IN_FLIGHT = 4096;
const PAUSE_MESSAGE = 'copied the state for a snapshot';
const pauses: number[] = [];
const EMAILS: readonly DemoEmail[] = [
  'alice@matchbox.test',
  'bob@matchbox.test',
  'market-maker@matchbox.test',
];

const config = readConfig({
  DATA_DIR: dataDir,
  OPEN_ORDERS_MAX: '1000000000',
  SNAPSHOT_EVENTS: '1000000000',
});
mkdirSync(dataDir, { recursive: true });
const threads = new RoleThreads({
  config,
  log: (_level, details, message) => {
    if (message === PAUSE_MESSAGE) pauses.push((details as { milliseconds: number }).milliseconds);
  },
  onRelease: (release) => venue.released(release),
  onFatal: (details, message) => {
    throw new Error(`${message}: ${JSON.stringify(details)}`);
  },
});
const venue = new Venue(config, (batch) => threads.send(batch));
const now = (): number => Date.now();
await threads.resume(now);
await venue.load(now());
await seedDemoVenue(venue, new Map<DemoEmail, string>(EMAILS.map((email) => [email, email])), now);

const [buyer, seller] = EMAILS.map(
  (email) => venue.reference.accountsOwnedBy(email)[0]?.index ?? 0,
);
const market = venue.reference.marketOf('spot.btc_usdt');
if (market === undefined || buyer === undefined || seller === undefined) {
  throw new Error('the demo venue is not complete');
}

function place(account: number, side: number, price: number): ReturnType<Venue['place']> {
  return venue.place({
    time: now(),
    account,
    market: market?.index ?? 0,
    side,
    type: OrderType.Limit,
    timeInForce: TimeInForce.Gtc,
    source: OrderSource.Manual,
    byKey: 0,
    postOnly: 0,
    selfTradePrevention: SelfTradePrevention.EXPIRE_TAKER,
    priceScale: 2,
    amountScale: 6,
    price,
    quantity: 10,
    expiresAt: 0,
    clientOrderId: '',
    comment: '',
  });
}

/** A third of the orders trade at once with the order before them, the others rest. */
async function mixed(step: number): Promise<void> {
  const price = 5_000 + (step % 1_000);
  const crosses = step % 3 === 2;
  const answer = crosses
    ? await place(seller ?? 0, Side['Sell'] ?? 1, price)
    : await place(buyer ?? 0, Side['Buy'] ?? 0, price);
  if (answer instanceof Refused) throw new Error(answer.refusal.name);
}

async function resting(step: number): Promise<void> {
  const answer = await place(buyer ?? 0, Side['Buy'] ?? 0, 100 + (step % 20_000));
  if (answer instanceof Refused) throw new Error(answer.refusal.name);
}

let step = 0;
const isDone = (): boolean => (kind === 'events' ? venue.durableSequence >= count : step >= count);

async function client(): Promise<void> {
  while (!isDone()) {
    const mine = step++;
    await (kind === 'events' ? mixed(mine) : resting(mine));
  }
}

await Promise.all(Array.from({ length: IN_FLIGHT }, client));
// The tail of events is what a crash leaves: no snapshot is taken.
if (kind === 'resting') await threads.stop();
process.stdout.write(`${JSON.stringify({ pauseMs: pauses.at(-1) ?? 0 })}\n`);
process.exit(0);
