import type { LeverageProfile, MarketConfiguration } from '../../core/messages/configuration.ts';
import type { MarginAnswer, PositionsAnswer, PositionView } from '../../core/messages/queries.ts';
import type { MarginRequest } from '../clearing/commands.ts';
import { Rig, type RigOptions } from '../clearing/rig.ts';
import { asset, spotMarket } from '../clearing/venue.ts';
import { MarginFollower } from '../model/margin/follower.ts';
import { checkMargin } from '../simulation/margin-check.ts';

export const BTC_USDT = 0;
export const EUR_USDT = 1;
/** Ticks of 0.01, steps of 0.001 lots of 1 BTC; commission 0. */
export const CFD = 2;
export const PERP = 3;
/** In EUR, lots of 10 BTC. */
export const CFD_EUR = 4;

/** Has whatever it takes, and is on the other side of everything. */
export const DEALER = 1;
export const HEDGER = 2;
export const NETTER = 3;

const FIXED_10: LeverageProfile = {
  leverageType: 'Fixed',
  useOnlyMaxLeverage: false,
  maxLeverage: 10,
};

function cfd(marketId: string, quote: string, more: Partial<MarketConfiguration> = {}) {
  return spotMarket('btc', quote, {
    marketId,
    type: 'Cfd',
    priceScale: 2,
    amountScale: 3,
    feeRate: 0,
    margin: { lotSize: 1, lotStep: 1, leverage: FIXED_10, swaps: null, funding: null },
    ...more,
  });
}

/** A venue with margin accounts whose every event is computed again, and every sum after each step. */
export class MarginRig {
  readonly rig: Rig;
  readonly follower = new MarginFollower();
  private followed = 0;

  constructor(options: RigOptions = {}) {
    this.rig = new Rig(options);
    const assets = [
      asset('usdt', 6, { isRoot: true, marginRatio: 10_000 }),
      asset('btc', 8, { marginRatio: 8_000 }),
      asset('eur', 2, { marginRatio: 9_500 }),
    ];
    for (const configuration of assets) this.rig.cold({ type: 'ConfigureAsset', configuration });
    const funding = { startTime: '00:00:00', intervalHours: 8, cap: 750_000 };
    const margin = { lotSize: 1, lotStep: 1, leverage: FIXED_10, swaps: null, funding: null };
    const markets = [
      spotMarket('btc', 'usdt', { feeRate: 0 }),
      spotMarket('eur', 'usdt', { feeRate: 0, priceScale: 4, amountScale: 2 }),
      cfd('cfd.btc_usdt', 'usdt'),
      cfd('perp.btc_usdt', 'usdt', { type: 'Perp', margin: { ...margin, funding } }),
      cfd('cfd.btc_eur', 'eur', { margin: { ...margin, lotSize: 10 } }),
    ];
    for (const configuration of markets) this.rig.cold({ type: 'ConfigureMarket', configuration });
    for (const accountType of ['Hedging', 'Hedging', 'Netting'] as const) {
      this.rig.cold({
        type: 'OpenAccount',
        configuration: {
          accountName: accountType,
          accountType,
          accountStatus: 'Active',
          ownerUserId: accountType,
          isCopyTradingAccount: false,
        },
      });
    }
    this.rig.deposit(DEALER, 'usdt', '1000000000');
    this.rig.deposit(DEALER, 'btc', '1000');
    this.rig.deposit(DEALER, 'eur', '1000000');
    this.check();
  }

  configure(market: number, change: Partial<MarketConfiguration>): void {
    this.rig.configureMarket(market, change);
    this.check();
  }

  leverage(market: number, leverage: LeverageProfile): void {
    const { margin } = this.rig.state.market(market).configuration;
    if (margin === undefined) throw new Error(`market ${market} has no leverage`);
    this.configure(market, { margin: { ...margin, leverage } });
  }

  /** The answer’s record, or the code of a refusal. */
  place(account: number, request: MarginRequest) {
    const answer = this.rig.run({ kind: 'placeMargin', account, ...request });
    this.check();
    if (answer === undefined) throw new Error('no answer');
    return answer;
  }

  /** Places an order that must be created; returns its id. */
  order(account: number, request: MarginRequest): number {
    const answer = this.place(account, request);
    if (answer.record === 'OrderPlaced') return answer.orderId;
    throw new Error(`${JSON.stringify(answer)} answers ${JSON.stringify(request)}`);
  }

  /** The account trades so much at a price with the dealer. */
  trade(
    account: number,
    market: number,
    side: 'Buy' | 'Sell',
    amount: number,
    price: number,
  ): void {
    const opposite = side === 'Buy' ? 'Sell' : 'Buy';
    this.order(DEALER, { market, side: opposite, amount, price });
    this.order(account, { market, side, amount, price, timeInForce: 'Ioc' });
  }

  /** The dealer’s quotes alone make the best prices; 0 for none. */
  quote(market: number, bid: number, ask: number): void {
    this.rig.run({ kind: 'cancelAll', account: DEALER, market });
    const isSpot = this.rig.state.market(market).configuration.type === 'Spot';
    const place = (side: 'Buy' | 'Sell', price: number) => {
      if (price === 0) return;
      if (isSpot) this.rig.order(DEALER, { market, side, price, amount: 1 });
      else this.order(DEALER, { market, side, price, amount: 1, leverage: 10 });
    };
    place('Buy', bid);
    place('Sell', ask);
    this.check();
  }

  select(account: number, assetId: string, selected = true): void {
    this.rig.cold({
      type: 'SelectCollateral',
      accountId: String(100_000 + account),
      assetId,
      selected,
    });
    this.check();
  }

  deposit(account: number, assetId: string, amount: string): void {
    this.rig.deposit(account, assetId, amount);
    this.check();
  }

  tick(advanceMs: number): void {
    this.rig.tick(advanceMs);
    this.check();
  }

  margin(account: number): MarginAnswer {
    return this.rig.cold<MarginAnswer>({ type: 'Margin', account });
  }

  positions(account: number): readonly PositionView[] {
    return this.rig.cold<PositionsAnswer>({ type: 'Positions', account }).positions;
  }

  /** Every event so far is followed and every sum of clearing compared. */
  check(): void {
    const { events, state } = this.rig;
    for (; this.followed < events.length; this.followed++) {
      const event = events[this.followed];
      if (event !== undefined) this.follower.apply(event);
    }
    checkMargin(state, this.follower);
  }
}
