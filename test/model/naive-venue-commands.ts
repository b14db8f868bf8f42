import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { MarketConfiguration } from '../../core/messages/configuration.ts';
import type { SelfTradePreventionName, TimeInForceName } from '../../core/messages/enums.ts';
import type { Command, OrderRequest } from '../clearing/commands.ts';
import { accountIdOf } from '../clearing/venue.ts';
import type { Dice } from '../simulation/dice.ts';

/** What a stream of commands refers to. */
export interface VenueShape {
  readonly accounts: number;
  readonly assetIds: readonly string[];
  readonly markets: readonly MarketConfiguration[];
}

/** What a sender knows of a venue. */
export interface VenueView {
  /** How many orders and transfers there have been. */
  readonly orders: number;
  readonly transfers: number;
  readonly open: readonly { readonly id: number; readonly account: number }[];
  /** Where dates are measured from. */
  readonly now: number;
}

export interface Weights {
  readonly place: number;
  readonly cancel: number;
  readonly amend: number;
  readonly cancelAll: number;
  readonly transfer: number;
  readonly decide: number;
  readonly marketStatus: number;
  readonly accountStatus: number;
  readonly configure: number;
  readonly tick: number;
}

const TIMES: readonly TimeInForceName[] = ['Gtc', 'Ioc', 'Fok', 'Gtd', 'Day', 'Retry'];
const PREVENTIONS: readonly SelfTradePreventionName[] = [
  'NONE',
  'EXPIRE_TAKER',
  'EXPIRE_MAKER',
  'EXPIRE_BOTH',
];
const MIDDLE = 100;

/** How this stream differs from others: each seed stresses something else. */
export function swarmWeights(dice: Dice): Weights {
  const sometimes = (weight: number) => (dice.oneIn(3) ? 0 : weight * dice.between(1, 3));
  return {
    place: 60,
    cancel: sometimes(10),
    amend: sometimes(10),
    cancelAll: sometimes(1),
    transfer: sometimes(2),
    decide: sometimes(2),
    marketStatus: sometimes(1),
    accountStatus: sometimes(1),
    configure: sometimes(1),
    tick: sometimes(4),
  };
}

/** Draws commands that a venue gets; most make sense, some do not. */
export class CommandSource {
  readonly dice: Dice;
  private readonly shape: VenueShape;
  private readonly weights: Weights;
  private readonly amounts: number;
  private readonly spread: number;
  private clientOrders = 0;

  constructor(dice: Dice, shape: VenueShape, weights: Weights) {
    this.dice = dice;
    this.shape = shape;
    this.weights = weights;
    this.amounts = dice.pick([3, 20, 5_000]);
    this.spread = dice.pick([2, 6, 20]);
  }

  next(view: VenueView): Command {
    const account = this.account();
    const { transfers, now } = view;
    switch (this.dice.weighted({ ...this.weights })) {
      case 'place':
        return { kind: 'place', account, ...this.order(now) };
      case 'cancel': {
        if (this.dice.oneIn(8)) {
          return { kind: 'cancel', account, clientOrderId: this.clientOrderId(0) };
        }
        return { kind: 'cancel', ...this.target(view) };
      }
      case 'amend': {
        const price = this.dice.oneIn(2) ? this.price() : 0;
        const amount = this.dice.oneIn(2) || price === 0 ? this.amount() : 0;
        return { kind: 'amend', ...this.target(view), price, amount };
      }
      case 'cancelAll':
        return this.dice.oneIn(2)
          ? { kind: 'cancelAll', account }
          : { kind: 'cancelAll', account, market: this.market() };
      case 'tick':
        return { kind: 'tick' };
      case 'transfer':
        return { kind: 'cold', command: this.transfer(transfers) };
      case 'decide':
        return { kind: 'cold', command: this.decision(transfers) };
      case 'marketStatus':
        return { kind: 'cold', command: this.change({ status: this.marketStatus() }) };
      case 'accountStatus':
        return { kind: 'cold', command: this.accountStatus() };
      case 'configure':
        return { kind: 'cold', command: this.change(this.configuration()) };
    }
  }

  order(now: number): OrderRequest {
    const { dice } = this;
    const isMarket = dice.oneIn(6);
    const usual = isMarket ? 'Ioc' : 'Gtc';
    const timeInForce = dice.oneIn(2) ? dice.pick(TIMES) : usual;
    const dated = timeInForce === 'Gtd' || timeInForce === 'Day';
    return {
      market: this.market(),
      side: dice.oneIn(2) ? 'Buy' : 'Sell',
      price: isMarket ? 0 : this.price(),
      amount: this.amount(),
      timeInForce: timeInForce === 'Retry' && !isMarket && !dice.oneIn(9) ? 'Gtc' : timeInForce,
      postOnly: dice.oneIn(8),
      selfTradePrevention: dice.pick(PREVENTIONS),
      expiresAt: dated && !dice.oneIn(9) ? now + dice.between(0, 20) * 100 : 0,
      clientOrderId: dice.oneIn(4) ? this.clientOrderId(1) : '',
    };
  }

  account(): number {
    return this.dice.between(1, this.shape.accounts - 1);
  }

  private market(): number {
    return this.dice.below(this.shape.markets.length);
  }

  /** Mostly an open order of the right account. */
  private target({ orders, open }: VenueView): { account: number; orderId: number } {
    if (open.length > 0 && !this.dice.oneIn(8)) {
      const { id, account } = this.dice.pick(open);
      return { account: this.dice.oneIn(30) ? this.account() : account, orderId: id };
    }
    return { account: this.account(), orderId: Math.max(0, orders - this.dice.below(50)) };
  }

  private price(): number {
    if (this.dice.oneIn(200)) return this.dice.pick([1, 999_999_999, 92_233_720]);
    return MIDDLE + this.dice.between(-this.spread, this.spread);
  }

  private amount(): number {
    if (this.dice.oneIn(200)) return this.dice.pick([0, 99_999_999_999, 100_000_000_001]);
    return this.dice.between(1, this.amounts);
  }

  /** A few are used again, so that requests repeat. */
  private clientOrderId(fresh: number): string {
    this.clientOrders += fresh;
    return `c${Math.max(1, this.clientOrders - (this.dice.oneIn(3) ? this.dice.below(6) : 0))}`;
  }

  private transfer(transfers: number): AdminCommand {
    const { dice } = this;
    const repeats = dice.oneIn(4) ? dice.below(4) : 0;
    return {
      type: dice.oneIn(2) ? 'Deposit' : 'Withdraw',
      deduplicationId: `d${Math.max(0, transfers - repeats)}`,
      accountId: accountIdOf(this.account()),
      assetId: dice.pick(this.shape.assetIds),
      amount: dice.pick(['1', '0.25', '12.5', '3', '0', '0.0000001']),
    };
  }

  private decision(transfers: number): AdminCommand {
    const { dice } = this;
    return {
      type: dice.oneIn(2) ? 'ConfirmWithdrawal' : 'CancelWithdrawal',
      accountId: accountIdOf(this.account()),
      transferId: String(Math.max(0, transfers - dice.below(6))),
    };
  }

  private marketStatus(): MarketConfiguration['status'] {
    return this.dice.below(3) > 0
      ? 'Open'
      : this.dice.pick(['Paused', 'Halted', 'Disabled', 'Open']);
  }

  private accountStatus(): AdminCommand {
    const status =
      this.dice.below(4) > 0 ? 'Active' : this.dice.pick(['Halted', 'Frozen'] as const);
    return { type: 'SetAccountStatus', accountId: accountIdOf(this.account()), status };
  }

  private configuration(): Partial<MarketConfiguration> {
    const { dice } = this;
    return {
      status: 'Open',
      feeRate: dice.pick([0, 100_000, 123_457, 3_000_000]),
      feeMinimum: dice.pick([0n, 1n, 12_345n, 900_000n]),
      priceDeviation: dice.pick([0, 0, 500, 10_000]),
      slippageRate: dice.pick([10_000, 10_501, 11_000, 25_000]),
      minAmount: dice.pick([0, 1, 2]),
      maxAmount: dice.pick([null, 1_000, 2_000_000]),
      internalTtl: dice.pick([0, 100, 1_000]),
    };
  }

  private change(change: Partial<MarketConfiguration>): AdminCommand {
    const configuration = this.shape.markets[this.market()] as MarketConfiguration;
    return { type: 'ConfigureMarket', configuration: { ...configuration, ...change } };
  }
}
