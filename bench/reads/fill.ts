import {
  OrderSource,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../core/messages/enums.ts';
import { readConfig } from '../../gateway/config.ts';
import { Refused } from '../../gateway/http/refused.ts';
import { RoleThreads } from '../../gateway/platform/role-threads.ts';
import { Venue } from '../../gateway/venue/venue.ts';

/**
 * `node fill.js DATA_DIR BUYER SELLER N` adds N orders to a demo venue through its own threads,
 * without HTTP: the first account buys what the second one sells, so that all but a few end traded.
 * Its clock runs ahead, some thousand minutes for a million orders: there are candles to read then.
 */
const [dataDir = '', buyerId = '', sellerId = '', text = ''] = process.argv.slice(2);
const count = Number(text);
const IN_FLIGHT = 2048;
const STEP_MS = 60;
const RESTING = 1000;

const config = readConfig({ DATA_DIR: dataDir, OPEN_ORDERS_MAX: '1000000000' });
const threads = new RoleThreads({
  config,
  log: () => undefined,
  onRelease: (release) => venue.released(release),
  onFatal: (details, message) => {
    throw new Error(`${message}: ${JSON.stringify(details)}`);
  },
});
const venue = new Venue(config, (batch) => threads.send(batch));
const started = Date.now();
await threads.resume(() => started);
await venue.load(started);

const market = venue.reference.marketOf('spot.btc_usdt');
const buyer = venue.reference.accountOf(buyerId);
const seller = venue.reference.accountOf(sellerId);
if (market === undefined || buyer === undefined || seller === undefined) {
  throw new Error('the demo venue is not complete');
}
const { index: marketIndex, scales } = market;
const [buying, selling] = [buyer.index, seller.index];

async function place(step: number, account: number, side: number, price: number): Promise<void> {
  const placed = await venue.place({
    time: started + step * STEP_MS,
    account,
    market: marketIndex,
    side,
    type: OrderType.Limit,
    timeInForce: TimeInForce.Gtc,
    source: OrderSource.Manual,
    byKey: 0,
    postOnly: 0,
    selfTradePrevention: SelfTradePrevention.EXPIRE_TAKER,
    priceScale: scales.price,
    amountScale: scales.amount,
    price,
    quantity: 10,
    expiresAt: 0,
    clientOrderId: '',
    comment: '',
  });
  if (placed instanceof Refused) throw new Error(placed.refusal.name);
}

let step = 0;
async function client(): Promise<void> {
  while (step < count) {
    const mine = step;
    step += 2;
    const price = 5_000 + (mine % 1_000);
    await place(mine, buying, Side.Buy, price);
    if (mine >= RESTING) await place(mine + 1, selling, Side.Sell, price);
  }
}

await Promise.all(Array.from({ length: IN_FLIGHT }, client));
await threads.stop();
process.exit(0);
