import { setTimeout as sleep } from 'node:timers/promises';
import { MarketQuoter, type OrderDesk } from './market-quoter.ts';
import { PriceWalk } from './price-walk.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { VenueApi } from './venue-api.ts';

/** One market is looked at in each step: a few requests a second in all. */
const STEP_MS = 500;
const STEPS_BETWEEN_MOVES = 2;
const STEPS_BETWEEN_TAKERS = 5;
const STEPS_BETWEEN_REVIEWS = 60;
const STEP_AFTER_FAILURE_MS = 5000;

export interface LiquidityBotsOptions {
  readonly venue: VenueApi;
  /** The same venue for the last request, when the signal has fired. */
  readonly venueAtFarewell: () => VenueApi;
  readonly signal: AbortSignal;
  readonly random: SeededRandom;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** Names of the accounts that quote and that take; both belong to the client's user. */
  readonly accountNames: { readonly quotes: string; readonly flow: string };
  /** Tells this run's orders from those of every other run. */
  readonly runId: string;
  readonly report: (message: string) => void;
}

/**
 * Keeps every market that the venue lists supplied with quotes around a random walk, and trades a little;
 * a market outside its trading hours is left alone. All it knows it learns through the HTTP interface.
 */
export class LiquidityBots {
  readonly #options: LiquidityBotsOptions;
  #orders = 0;

  constructor(options: LiquidityBotsOptions) {
    this.#options = options;
  }

  /** Ends when the signal fires, having taken its quotes off; starts over after any failure. */
  async run(): Promise<void> {
    const { signal, report } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#trade();
      } catch (error) {
        if (signal.aborted) break;
        report(`starting over: ${messageOf(error)}`);
        await sleep(STEP_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    await this.#farewell();
  }

  /** Only ends by throwing. */
  async #trade(): Promise<never> {
    const { venue, random, now, accountNames, signal } = this.#options;
    const quotesAccount = await venue.accountId(accountNames.quotes);
    const flow = this.#desk(await venue.accountId(accountNames.flow));
    await venue.cancelAll(quotesAccount);
    const walk = new PriceWalk(random, await venue.rootAssetId());
    let quoters: readonly MarketQuoter[] = [];
    for (let step = 0; ; step += 1) {
      if (step % STEPS_BETWEEN_REVIEWS === 0) {
        quoters = await this.#review(quotesAccount, quoters, walk);
      }
      if (step % STEPS_BETWEEN_MOVES === 0) walk.advance();
      await quoters[step % Math.max(1, quoters.length)]?.follow(now());
      if (step % STEPS_BETWEEN_TAKERS === STEPS_BETWEEN_TAKERS - 1) {
        const order = quoters[random.below(Math.max(1, quoters.length))]?.takerOrder(random, now());
        if (order !== undefined) await flow.place(order);
      }
      await sleep(STEP_MS, undefined, { signal });
    }
  }

  /** Takes in new markets, which get their quotes at once, and compares what the bots think rests with what does. */
  async #review(
    accountId: string,
    known: readonly MarketQuoter[],
    walk: PriceWalk,
  ): Promise<readonly MarketQuoter[]> {
    const { venue } = this.#options;
    const desk = this.#desk(accountId);
    const quoters: MarketQuoter[] = [];
    for (const marketId of await venue.marketIds()) {
      const same = known.find(({ market }) => market.marketId === marketId);
      quoters.push(same ?? (await this.#open(marketId, walk, desk)));
    }
    const open = await venue.openOrderIds(accountId);
    for (const quoter of quoters) quoter.keepOnly(open);
    const wanted = new Set(quoters.flatMap((quoter) => quoter.orderIds()));
    for (const orderId of open) if (!wanted.has(orderId)) await desk.cancel(orderId);
    return quoters;
  }

  async #open(marketId: string, walk: PriceWalk, desk: OrderDesk): Promise<MarketQuoter> {
    const { venue, now } = this.#options;
    const quoter = new MarketQuoter(await venue.market(marketId), walk, desk);
    await quoter.follow(now());
    return quoter;
  }

  #desk(accountId: string): OrderDesk {
    const { venue, runId, report } = this.#options;
    return {
      place: async (form) => {
        this.#orders += 1;
        const clientOrderId = `${runId}-${this.#orders}`;
        const placed = await venue.place(accountId, { ...form, clientOrderId });
        if ('orderId' in placed) return placed.orderId;
        report(`an order in ${form.marketId} was refused: ${placed.refusal}`);
        return undefined;
      },
      amend: (orderId, requestedPrice) => venue.amend(accountId, orderId, requestedPrice),
      cancel: (orderId) => venue.cancel(accountId, orderId),
    };
  }

  async #farewell(): Promise<void> {
    const { venueAtFarewell, accountNames, report } = this.#options;
    try {
      const venue = venueAtFarewell();
      await venue.cancelAll(await venue.accountId(accountNames.quotes));
    } catch (error) {
      report(`quotes stay behind: ${messageOf(error)}`);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
