import { formatUnits, parseUnits, TOO_LARGE } from '../../fixed-point/index.ts';
import type { AdminCommand } from '../../messages/cold-commands.ts';
import type { PositionTriggers } from '../../messages/cold-events.ts';
import type { MarginSettings } from '../../messages/configuration.ts';
import { Side } from '../../messages/enums.ts';
import { Refusals } from '../../messages/refusals.ts';
import { checkAccount, checkScales } from '../admission.ts';
import { type Denial, deny } from '../denial.ts';
import type { Market } from '../market.ts';
import type { Recorder } from '../recorder.ts';
import type { Reservations } from '../reservations.ts';
import type { ClearingState } from '../state.ts';
import { checkTriggers } from './margin-admission.ts';
import { checkLeaving } from './margin-limits.ts';
import { NO_POSITION } from './positions.ts';

type Command<K extends AdminCommand['type']> = Extract<AdminCommand, { type: K }>;
export type MarginCommand = Command<
  'SetPositionTriggers' | 'SelectCollateral' | 'SetMarginSettings' | 'SetIndexPrice'
>;

/** The highest level of margin that can be asked for, in 10^-4: 10000 %. */
const LEVEL_MAX = 1_000_000;

/** What traders and administrators set about margin, in order with the trading. */
export class MarginAdministration {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  /** Root units promised to amends on their way to a book, by account. */
  private readonly reservations: Reservations;

  constructor(state: ClearingState, recorder: Recorder, reservations: Reservations) {
    this.state = state;
    this.recorder = recorder;
    this.reservations = reservations;
  }

  apply(ticket: number, command: MarginCommand, now: number): Denial | undefined {
    switch (command.type) {
      case 'SetPositionTriggers':
        return this.setTriggers(ticket, command, now);
      case 'SelectCollateral':
        return this.selectCollateral(ticket, command, now);
      case 'SetMarginSettings':
        return this.changeSettings(ticket, command.settings, now);
      case 'SetIndexPrice':
        return this.setIndexPrice(ticket, command, now);
    }
  }

  /**
   * Triggers of an open position. They stand on either side of the price at which it could be closed
   * now; a trailing stop-loss keeps the distance that it has from that price.
   */
  private setTriggers(
    ticket: number,
    command: Command<'SetPositionTriggers'>,
    now: number,
  ): Denial | undefined {
    const { accountId, positionId, stopLoss, takeProfit, isTrailing } = command;
    const account = this.state.accounts.indexOf(accountId);
    if (account === undefined) return deny(Refusals.AccountUnknown, 'accountId', accountId);
    const { positions } = this.state;
    const slot = positions.find(positionId);
    if (slot === NO_POSITION || positions.accounts[slot] !== account) {
      return deny(Refusals.PositionUnknown, 'positionId', String(positionId));
    }
    const market = this.state.market(positions.markets[slot] as number);
    const side = positions.sides[slot] as number;
    const price = closingPrice(market, side);
    const denial =
      checkAccount(this.state, account) ??
      checkScales(market, command.priceScale, market.configuration.amountScale) ??
      checkHighest(market, 'stopLoss', stopLoss) ??
      checkHighest(market, 'takeProfit', takeProfit) ??
      checkTriggers(market, side, price, { stopLoss, takeProfit, isTrailing });
    if (denial !== undefined) return denial;
    const trailingOffset = isTrailing ? Math.abs(price - stopLoss) : 0;
    const triggers: PositionTriggers = { stopLoss, takeProfit, trailingOffset };
    this.recorder.cold(now, { type: 'PositionTriggersSet', positionId, triggers });
    this.recorder.coldAnswer(ticket, { triggers });
    return undefined;
  }

  /** An asset that counts as collateral is selected, or not any more: the root asset always is. */
  private selectCollateral(
    ticket: number,
    { accountId, assetId, selected }: Command<'SelectCollateral'>,
    now: number,
  ): Denial | undefined {
    const { state } = this;
    const account = state.accounts.indexOf(accountId);
    if (account === undefined) return deny(Refusals.AccountUnknown, 'accountId', accountId);
    const asset = state.assetOf(assetId);
    if (asset === undefined) return deny(Refusals.AssetUnknown, 'assetId', assetId);
    const denial = checkAccount(state, account);
    if (denial !== undefined) return denial;
    if (asset.index === state.rootAsset) {
      if (!selected) return deny(Refusals.RootIsCollateral, 'assetId', assetId);
    } else if (selected !== state.collateral.has(account, asset.index)) {
      if (selected && asset.configuration.marginRatio === 0) {
        return deny(Refusals.NotCollateral, 'assetId', assetId);
      }
      const { ledger } = state;
      const free = ledger.available(ledger.find(account, asset.index));
      const needed = selected
        ? undefined
        : checkLeaving(state, this.reservations, account, asset, free);
      if (needed !== undefined) return needed;
      const event = { type: 'CollateralSelected', account, asset: asset.index, selected } as const;
      this.recorder.cold(now, event);
    }
    this.recorder.coldAnswer(ticket, { asset: asset.index, selected });
    return undefined;
  }

  private changeSettings(
    ticket: number,
    settings: MarginSettings,
    now: number,
  ): Denial | undefined {
    const { marginCall, stopOut } = settings;
    const isLevel = (level: number): boolean =>
      Number.isSafeInteger(level) && level >= 0 && level <= LEVEL_MAX;
    if (!isLevel(marginCall)) {
      return deny(Refusals.ConfigurationInvalid, 'marginCall', `${marginCall}`, '0 to 10000 %');
    }
    if (!isLevel(stopOut) || stopOut > marginCall) {
      const limit = 'a level not above marginCall';
      return deny(Refusals.ConfigurationInvalid, 'stopOut', `${stopOut}`, limit);
    }
    this.recorder.cold(now, { type: 'MarginSettingsChanged', settings });
    this.recorder.coldAnswer(ticket, { settings });
    return undefined;
  }

  /** A price of a feed, in whole ticks; 0 gives the index back to the venue's own markets. */
  private setIndexPrice(
    ticket: number,
    { marketId, price }: Command<'SetIndexPrice'>,
    now: number,
  ): Denial | undefined {
    const market = this.state.marketOf(marketId);
    if (market === undefined) return deny(Refusals.MarketUnknown, 'marketId', marketId);
    if (market.margin === undefined) {
      return deny(Refusals.MarketTypeMismatch, 'marketId', marketId, 'Cfd or Perp');
    }
    const { priceScale } = market.configuration;
    const ticks = parseUnits(price, priceScale);
    if (ticks === TOO_LARGE || ticks > market.derived.maxPrice) {
      const most = formatUnits(market.derived.maxPrice, priceScale);
      return deny(Refusals.PriceTooLarge, 'price', price, most);
    }
    if (ticks < 0) return deny(Refusals.PriceOffStep, 'price', price, formatUnits(1, priceScale));
    this.recorder.cold(now, { type: 'IndexPriceSet', market: market.index, price: ticks });
    this.recorder.coldAnswer(ticket, { market: market.index });
    return undefined;
  }
}

/** At which a position could be closed now, else the last trade; ticks, 0 for none. */
function closingPrice(market: Market, side: number): number {
  const met = side === Side.Buy ? market.bestBid : market.bestAsk;
  return met > 0 ? met : market.lastPrice;
}

function checkHighest(market: Market, field: string, price: number): Denial | undefined {
  const { maxPrice } = market.derived;
  if (price <= maxPrice) return undefined;
  const { priceScale } = market.configuration;
  const value = formatUnits(price, priceScale);
  return deny(Refusals.PriceTooLarge, field, value, formatUnits(maxPrice, priceScale));
}
