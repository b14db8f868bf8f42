import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { MarketConfiguration } from '../../core/messages/configuration.ts';
import { Side, type TimeInForceName } from '../../core/messages/enums.ts';
import type { Command, MarginRequest } from '../clearing/commands.ts';
import { accountIdOf } from '../clearing/venue.ts';
import { CommandSource, swarmWeights } from '../model/naive-venue-commands.ts';
import type { Dice } from './dice.ts';
import type { OpenPosition, SimulationView } from './scenario.ts';

export interface MarginShape {
  readonly accounts: number;
  readonly assetIds: readonly string[];
  readonly spotMarkets: readonly MarketConfiguration[];
  /** Their indexes follow those of the Spot markets. */
  readonly marginMarkets: readonly MarketConfiguration[];
}

const TIMES: readonly TimeInForceName[] = ['Gtc', 'Gtc', 'Ioc', 'Fok', 'Gtd', 'Day'];
const LEVERAGES = [0, 0, 1, 2, 5, 10, 20, 30, 50, 51, 10_000];

/** Draws what people with margin accounts ask for; most makes sense, some does not. */
export class MarginCommandSource {
  private readonly dice: Dice;
  private readonly shape: MarginShape;
  private readonly spot: CommandSource;
  private readonly weights: Readonly<Record<MarginKind, number>>;
  private readonly amounts: number;
  private readonly volatility: number;
  /** Around which everybody quotes, ticks. */
  private middle = 100;

  constructor(dice: Dice, shape: MarginShape) {
    this.dice = dice;
    this.shape = shape;
    const { accounts, assetIds, spotMarkets: markets } = shape;
    this.spot = new CommandSource(dice, { accounts, assetIds, markets }, swarmWeights(dice));
    this.amounts = dice.pick([300, 4_000, 30_000]);
    this.volatility = dice.pick([1, 3, 6]);
    this.weights = weightsOf(dice);
  }

  next(view: SimulationView): Command {
    this.move();
    const { dice } = this;
    const account = this.spot.account();
    switch (dice.weighted(this.weights)) {
      case 'spot':
        return this.spot.next(view);
      case 'quote':
        return { kind: 'placeMargin', account: 1, ...this.quote() };
      case 'sweep':
        return { kind: 'placeMargin', account: 1, ...this.sweep() };
      case 'order':
        return { kind: 'placeMargin', account, ...this.order(view.now) };
      case 'preview':
        return { kind: 'previewMargin', account, ...this.order(view.now) };
      case 'stop':
        return { kind: 'placeMargin', account, ...this.stop(view.now) };
      case 'close':
        return this.close(view);
      case 'reduce':
        return this.reduce(view);
      case 'cancelStop':
        return this.cancelStop(view);
      case 'cancelAll':
        return { kind: 'cancelAll', account, market: this.market() };
      case 'tick':
        return { kind: 'tick' };
      default:
        return { kind: 'cold', command: this.cold(view) };
    }
  }

  private cold(view: SimulationView): AdminCommand {
    const { dice } = this;
    const accountId = accountIdOf(this.spot.account());
    switch (dice.below(12)) {
      case 0:
      case 4:
      case 5: {
        const assetId = dice.pick(this.shape.assetIds);
        return { type: 'SelectCollateral', accountId, assetId, selected: dice.below(3) > 0 };
      }
      case 1: {
        const marketId = this.configuration(this.market()).marketId;
        const ticks = this.middle + dice.between(-5, 5);
        return { type: 'SetIndexPrice', marketId, price: `${ticks / 100}` };
      }
      case 2: {
        const [marginCall, stopOut] = dice.pick([
          [10_000, 5_000],
          [8_000, 3_000],
          [10_000, 9_000],
        ] as const);
        const negativeBalanceProtection = !dice.oneIn(4);
        const settings = { marginCall, stopOut, negativeBalanceProtection };
        return { type: 'SetMarginSettings', settings };
      }
      case 3: {
        const configuration = this.configuration(this.market());
        const status =
          dice.below(4) > 0 ? 'Open' : dice.pick(['Paused', 'Halted', 'Open'] as const);
        return { type: 'SetMarketStatus', marketId: configuration.marketId, status };
      }
      case 6: {
        const assetId = dice.pick(this.shape.assetIds.slice(1));
        const marginRatio = dice.pick([0, 2_000, 8_000, 9_500, 10_000]);
        return { type: 'ChangeAsset', assetId, changes: { marginRatio } };
      }
      case 7:
        return this.reconfiguration();
      default:
        return this.triggers(view);
    }
  }

  /** Other leverage, swaps or commission, while positions are open. */
  private reconfiguration(): AdminCommand {
    const { dice } = this;
    const { marketId, priceScale, amountScale, margin } = this.configuration(this.market());
    if (margin === undefined) throw new RangeError(`${marketId} is not on margin`);
    const maxLeverage = dice.pick([2, 10, 20, 50]);
    const useOnlyMaxLeverage = dice.oneIn(4);
    const fixed = { leverageType: 'Fixed', useOnlyMaxLeverage, maxLeverage } as const;
    const leverage = dice.oneIn(2) ? margin.leverage : fixed;
    const feeRate = dice.pick([0, 60_000, 3_000_000]);
    const feeMinimum = dice.pick([0n, 1n, 70_000n]);
    const changes = { margin: { ...margin, leverage }, feeRate, feeMinimum };
    return { type: 'ChangeMarket', marketId, priceScale, amountScale, changes };
  }

  /** Prices wander; now and then they fall or rise by a lot. */
  private move(): void {
    const { dice, volatility } = this;
    if (dice.oneIn(3)) this.middle += dice.between(-volatility, volatility);
    if (dice.oneIn(120))
      this.middle = Math.round(this.middle * dice.pick([0.5, 0.7, 0.85, 1.2, 1.5]));
    this.middle = Math.min(1_000, Math.max(20, this.middle));
  }

  private market(): number {
    const { spotMarkets, marginMarkets } = this.shape;
    return spotMarkets.length + this.dice.below(marginMarkets.length);
  }

  private configuration(market: number): MarketConfiguration {
    const { spotMarkets, marginMarkets } = this.shape;
    return marginMarkets[market - spotMarkets.length] as MarketConfiguration;
  }

  private amount(market: number, most = this.amounts): number {
    const { dice } = this;
    if (dice.oneIn(200)) return dice.pick([0, 1, 99_999_999_999]);
    const step = this.configuration(market).margin?.lotStep ?? 1;
    return Math.max(1, Math.round(dice.between(1, most) / step)) * step;
  }

  private price(): number {
    if (this.dice.oneIn(100)) return this.dice.pick([1, 999_999, 92_233_720]);
    return Math.max(1, this.middle + this.dice.between(-6, 6));
  }

  /** Somebody who can afford it rests on both sides. */
  private quote(): MarginRequest {
    const { dice } = this;
    const market = this.market();
    const buys = dice.oneIn(2);
    const away = dice.between(1, 4);
    return {
      market,
      side: buys ? 'Buy' : 'Sell',
      price: Math.max(1, this.middle + (buys ? -away : away)),
      amount: this.amount(market, 2 * this.amounts),
      selfTradePrevention: 'EXPIRE_MAKER',
    };
  }

  /** The same one takes everything up to the new price: that is what a crash is made of. */
  private sweep(): MarginRequest {
    const market = this.market();
    return {
      market,
      side: this.dice.oneIn(2) ? 'Buy' : 'Sell',
      price: this.middle,
      amount: this.amount(market, 20 * this.amounts),
      timeInForce: 'Ioc',
      selfTradePrevention: 'EXPIRE_MAKER',
    };
  }

  private order(now: number): MarginRequest {
    const { dice } = this;
    const market = this.market();
    const isMarket = dice.oneIn(3);
    const timeInForce = isMarket ? dice.pick(['Ioc', 'Ioc', 'Fok'] as const) : dice.pick(TIMES);
    const dated = timeInForce === 'Gtd' || timeInForce === 'Day';
    const side = dice.oneIn(2) ? 'Buy' : 'Sell';
    return {
      market,
      side,
      price: isMarket ? 0 : this.price(),
      amount: this.amount(market),
      timeInForce,
      postOnly: dice.oneIn(10),
      expiresAt: dated ? now + dice.between(0, 20) * 100 : 0,
      leverage: dice.pick(LEVERAGES),
      selfTradePrevention: dice.pick(['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH']),
      ...(dice.oneIn(3) ? this.orderTriggers(side) : {}),
    };
  }

  private orderTriggers(side: 'Buy' | 'Sell'): Partial<MarginRequest> {
    const { dice } = this;
    const sign = side === 'Buy' ? 1 : -1;
    const away = () => sign * dice.between(4, 20);
    const hasStop = dice.below(3) > 0;
    return {
      stopLoss: hasStop ? Math.max(1, this.middle - away()) : 0,
      takeProfit: dice.oneIn(2) ? Math.max(1, this.middle + away()) : 0,
      isTrailing: hasStop && dice.oneIn(2),
    };
  }

  private stop(now: number): MarginRequest {
    const order = this.order(now);
    const activationPrice = Math.max(1, this.middle + this.dice.between(-8, 8));
    const market = this.dice.oneIn(6) ? 0 : order.market;
    if (market !== 0) return { ...order, activationPrice };
    // Spot stop orders have neither leverage nor triggers.
    const plain = { leverage: 0, stopLoss: 0, takeProfit: 0, isTrailing: false };
    return { ...order, ...plain, market, activationPrice };
  }

  /** A position is closed by its id, in part or whole; sometimes too much, or another's. */
  private close(view: SimulationView): Command {
    const { dice } = this;
    if (view.positions.length === 0) return { kind: 'tick' };
    const position = dice.pick(view.positions);
    const account = dice.oneIn(20) ? this.spot.account() : position.account;
    return {
      kind: 'placeMargin',
      account,
      ...this.opposite(position),
      positionId: position.id,
      amount: dice.oneIn(2) ? 0 : this.part(position),
    };
  }

  /** An order against a position: in netting accounts it reduces, and never needs margin. */
  private reduce(view: SimulationView): Command {
    if (view.positions.length === 0) return { kind: 'tick' };
    const position = this.dice.pick(view.positions);
    const amount = this.part(position);
    return { kind: 'placeMargin', account: position.account, ...this.opposite(position), amount };
  }

  private part({ quantity, market }: OpenPosition): number {
    const step = this.configuration(market).margin?.lotStep ?? 1;
    const most = this.dice.oneIn(6) ? 2 * quantity : quantity;
    return this.dice.oneIn(2) ? quantity : Math.max(1, Math.floor(most / step)) * step;
  }

  private opposite({ market, side }: OpenPosition): MarginRequest {
    const price = this.dice.oneIn(4) ? this.price() : 0;
    return { market, side: side === Side.Buy ? 'Sell' : 'Buy', price, amount: 0, leverage: 0 };
  }

  private cancelStop(view: SimulationView): Command {
    if (view.stopOrders.length === 0) return { kind: 'tick' };
    const { id, account } = this.dice.pick(view.stopOrders);
    return { kind: 'cancel', account, orderId: id };
  }

  private triggers(view: SimulationView): AdminCommand {
    const { dice } = this;
    const position = view.positions.length === 0 ? undefined : dice.pick(view.positions);
    const side = position?.side === Side.Buy ? 'Buy' : 'Sell';
    const { stopLoss = 0, takeProfit = 0, isTrailing = false } = this.orderTriggers(side);
    return {
      type: 'SetPositionTriggers',
      accountId: accountIdOf(position?.account ?? this.spot.account()),
      positionId: position?.id ?? 1,
      priceScale: this.configuration(position?.market ?? this.shape.spotMarkets.length).priceScale,
      stopLoss,
      takeProfit,
      isTrailing,
    };
  }
}

type MarginKind =
  | 'spot'
  | 'quote'
  | 'sweep'
  | 'order'
  | 'preview'
  | 'stop'
  | 'close'
  | 'reduce'
  | 'cancelStop'
  | 'cancelAll'
  | 'tick'
  | 'cold';

function weightsOf(dice: Dice): Readonly<Record<MarginKind, number>> {
  const sometimes = (weight: number) => (dice.oneIn(4) ? 0 : weight * dice.between(1, 3));
  return {
    spot: 12,
    quote: 25,
    sweep: sometimes(4),
    order: 30,
    tick: sometimes(3),
    preview: sometimes(1),
    stop: sometimes(3),
    close: sometimes(4),
    reduce: sometimes(3),
    cancelStop: sometimes(1),
    cancelAll: sometimes(1),
    cold: sometimes(4),
  };
}
