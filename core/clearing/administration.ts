import { MAX_UNITS } from '../fixed-point/index.ts';
import { TradingSessions } from '../market/sessions.ts';
import type {
  AccountConfiguration,
  AdminCommand,
  AssetConfiguration,
  MarketConfiguration,
} from '../messages/cold.ts';
import type { AccountStatusName, MarketStatusName } from '../messages/enums.ts';
import { Refusals } from '../messages/refusals.ts';
import { checkScales } from './admission.ts';
import type { Books } from './books.ts';
import type { Cancellation } from './cancellation.ts';
import { Cause } from './causes.ts';
import { CommissionAdministration } from './commission-administration.ts';
import { type Denial, deny } from './denial.ts';
import { MarginAdministration } from './margin/margin-administration.ts';
import { greatestCofactor, type Market } from './market.ts';
import type { Recorder } from './recorder.ts';
import type { Reservations } from './reservations.ts';
import type { ClearingState } from './state.ts';
import { TradeReversal } from './trade-reversal.ts';
import { Transfers } from './transfers.ts';

/** Public account ids count from here, so that none looks like a dense index. */
const FIRST_PUBLIC_ACCOUNT_ID = 100_000;

/** Configuration, accounts and their states: what administrators change, in order with the trading. */
export class Administration {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly books: Books;
  private readonly cancellation: Cancellation;
  private readonly transfers: Transfers;
  private readonly reversal: TradeReversal;
  private readonly commissions: CommissionAdministration;
  private readonly margin: MarginAdministration;

  constructor(
    state: ClearingState,
    recorder: Recorder,
    books: Books,
    cancellation: Cancellation,
    reservations: Reservations,
    marginReservations: Reservations,
  ) {
    this.state = state;
    this.recorder = recorder;
    this.books = books;
    this.cancellation = cancellation;
    this.transfers = new Transfers(state, recorder, reservations, marginReservations);
    this.reversal = new TradeReversal(state, recorder, reservations);
    this.commissions = new CommissionAdministration(state, recorder);
    this.margin = new MarginAdministration(state, recorder, marginReservations);
  }

  apply(ticket: number, command: AdminCommand, now: number): void {
    const denial = this.dispatch(ticket, command, now);
    if (denial !== undefined) this.recorder.refuse(ticket, denial);
  }

  /** The first event of every venue: the account that commissions go to. */
  openHouse(now: number): void {
    const house = {
      accountName: 'House',
      accountType: 'Netting',
      accountStatus: 'Active',
      ownerUserId: '',
      isCopyTradingAccount: false,
    } as const;
    this.openAccount(0, house, now);
  }

  /** Sweeps that a crash interrupted go on: a halted market or account has no open orders. */
  resumeSweeps(): void {
    const { accounts, markets } = this.state;
    for (const market of markets) if (market.orders.openCount > 0) this.statusChanged(market);
    for (let account = 0; account < accounts.count; account++) {
      if (accounts.openOrderCount(account) > 0 && accounts.status(account) === 'Halted') {
        this.cancellation.sweepAccount(account, markets, Cause.AccountHalted);
      }
    }
  }

  private dispatch(ticket: number, command: AdminCommand, now: number): Denial | undefined {
    switch (command.type) {
      case 'ConfigureAsset':
        return this.configureAsset(ticket, command.configuration, now, command.isNew);
      case 'ConfigureMarket':
        return this.configureMarket(ticket, command.configuration, now, command.isNew);
      case 'ChangeAsset':
        return this.changeAsset(ticket, command, now);
      case 'ChangeMarket':
        return this.changeMarket(ticket, command, now);
      case 'SetMarketStatus':
        return this.setMarketStatus(ticket, command.marketId, command.status, now);
      case 'OpenAccount':
        return this.openAccount(ticket, command.configuration, now);
      case 'SetAccountStatus':
        return this.setAccountStatus(ticket, command.accountId, command.status, now);
      case 'Deposit':
      case 'Withdraw':
        return this.transfers.create(ticket, command, now);
      case 'ConfirmWithdrawal':
        return this.transfers.settle(ticket, command, 'Completed', now);
      case 'CancelWithdrawal':
        return this.transfers.settle(ticket, command, 'Canceled', now);
      case 'RevertTrades':
        return this.reversal.revert(ticket, command, now);
      case 'CreateCommissionProfile':
      case 'CreateCommissionRule':
      case 'ChangeCommissionRule':
      case 'DeleteCommissionRule':
      case 'SetCommissionPriorities':
      case 'AssignCommissionProfile':
      case 'CreateCommissionGroup':
      case 'ChangeCommissionGroup':
      case 'AssignCommissionGroup':
        return this.commissions.apply(ticket, command, now);
      default:
        return this.margin.apply(ticket, command, now);
    }
  }

  private configureAsset(
    ticket: number,
    configuration: AssetConfiguration,
    now: number,
    isNew = false,
  ): Denial | undefined {
    const { assetId } = configuration;
    const known = this.state.assetOf(assetId);
    if (isNew && known !== undefined) return deny(Refusals.AlreadyExists, 'assetId', assetId);
    const denial = checkAsset(this.state, configuration);
    if (denial !== undefined) return denial;
    const asset = known?.index ?? this.state.assets.length;
    this.recorder.cold(now, { type: 'AssetConfigured', asset, configuration });
    this.recorder.coldAnswer(ticket, { asset });
    return undefined;
  }

  private configureMarket(
    ticket: number,
    configuration: MarketConfiguration,
    now: number,
    isNew = false,
  ): Denial | undefined {
    const { marketId } = configuration;
    const known = this.state.marketOf(marketId);
    if (isNew && known !== undefined) return deny(Refusals.AlreadyExists, 'marketId', marketId);
    const denial = checkMarket(this.state, configuration, known);
    if (denial !== undefined) return denial;
    const market = known?.index ?? this.state.markets.length;
    const before = known?.configuration.status;
    this.recorder.cold(now, { type: 'MarketConfigured', market, configuration });
    if (known === undefined) this.books.open(this.state.market(market));
    else if (before !== configuration.status) this.statusChanged(known);
    this.recorder.coldAnswer(ticket, { market });
    return undefined;
  }

  private changeAsset(
    ticket: number,
    { assetId, changes }: Extract<AdminCommand, { type: 'ChangeAsset' }>,
    now: number,
  ): Denial | undefined {
    const asset = this.state.assetOf(assetId);
    if (asset === undefined) return deny(Refusals.AssetUnknown, 'assetId', assetId);
    const configuration = { ...asset.configuration, ...changes, assetId };
    return this.configureAsset(ticket, configuration, now);
  }

  private changeMarket(
    ticket: number,
    command: Extract<AdminCommand, { type: 'ChangeMarket' }>,
    now: number,
  ): Denial | undefined {
    const { marketId, priceScale, amountScale, changes } = command;
    const market = this.state.marketOf(marketId);
    if (market === undefined) return deny(Refusals.MarketUnknown, 'marketId', marketId);
    const denial = checkScales(market, priceScale, amountScale);
    if (denial !== undefined) return denial;
    const configuration = { ...market.configuration, ...changes, marketId };
    return this.configureMarket(ticket, configuration, now);
  }

  private setMarketStatus(
    ticket: number,
    marketId: string,
    status: MarketStatusName,
    now: number,
  ): Denial | undefined {
    const market = this.state.marketOf(marketId);
    if (market === undefined) return deny(Refusals.MarketUnknown, 'marketId', marketId);
    const configuration = { ...market.configuration, status };
    return this.configureMarket(ticket, configuration, now);
  }

  /** Halted and Disabled take everything off the book. */
  private statusChanged(market: Market): void {
    const { status } = market.configuration;
    if (status === 'Halted') this.cancellation.sweepMarket(market, Cause.MarketHalted);
    if (status === 'Disabled') this.cancellation.sweepMarket(market, Cause.MarketDisabled);
  }

  private openAccount(
    ticket: number,
    requested: Omit<AccountConfiguration, 'accountId' | 'publicAccountId'>,
    now: number,
  ): Denial | undefined {
    const account = this.state.accounts.count;
    const publicAccountId = FIRST_PUBLIC_ACCOUNT_ID + account;
    const accountId = String(publicAccountId);
    const configuration = { ...requested, accountId, publicAccountId };
    this.recorder.cold(now, { type: 'AccountOpened', account, configuration });
    this.recorder.coldAnswer(ticket, { account, accountId });
    return undefined;
  }

  /** A halted account loses its open orders. */
  private setAccountStatus(
    ticket: number,
    accountId: string,
    status: AccountStatusName,
    now: number,
  ): Denial | undefined {
    const account = this.state.accounts.indexOf(accountId);
    if (account === undefined) return deny(Refusals.AccountUnknown, 'accountId', accountId);
    this.recorder.cold(now, { type: 'AccountStatusChanged', account, status });
    if (status === 'Halted') {
      this.cancellation.sweepAccount(account, this.state.markets, Cause.AccountHalted);
    }
    this.recorder.coldAnswer(ticket, { account });
    return undefined;
  }
}

function invalid(field: string, value: unknown, limit: string): Denial {
  return deny(Refusals.ConfigurationInvalid, field, String(value), limit);
}

function isIntegerWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}

function checkAsset(state: ClearingState, asset: AssetConfiguration): Denial | undefined {
  const { assetId, scale, isRoot, marginRatio } = asset;
  if (!/^[a-z0-9]{1,15}$/.test(assetId)) {
    return invalid('assetId', assetId, '1 to 15 characters of a-z and 0-9');
  }
  if (!isIntegerWithin(scale, 0, 18)) return invalid('scale', scale, '0 to 18');
  if (!isIntegerWithin(marginRatio, 0, 10_000))
    return invalid('marginRatio', marginRatio, '0 to 1');
  const known = state.assetOf(assetId);
  if (known !== undefined && known.configuration.scale !== scale) {
    return deny(Refusals.ConfigurationInUse, 'scale', assetId);
  }
  const root = state.assets[state.rootAsset]?.configuration.assetId;
  if (isRoot && root !== undefined && root !== assetId) {
    return invalid('isRoot', assetId, `the root asset is ${root}`);
  }
  if (isRoot && marginRatio !== 10_000)
    return invalid('marginRatio', marginRatio, '1 for the root');
  return undefined;
}

function checkMarket(
  state: ClearingState,
  market: MarketConfiguration,
  known: Market | undefined,
): Denial | undefined {
  const { marketId, priceScale, amountScale, baseAssetId, quoteAssetId } = market;
  const base = state.assetOf(baseAssetId);
  const quote = state.assetOf(quoteAssetId);
  if (base === undefined) return deny(Refusals.AssetUnknown, 'baseAssetId', baseAssetId);
  if (quote === undefined) return deny(Refusals.AssetUnknown, 'quoteAssetId', quoteAssetId);
  const expected = `${market.type.toLowerCase()}.${baseAssetId}_${quoteAssetId}`;
  if (marketId !== expected) return invalid('marketId', marketId, expected);
  if (!isIntegerWithin(priceScale, 2, 8)) return invalid('priceScale', priceScale, '2 to 8');
  const finest = Math.min(8, base.configuration.scale);
  if (!isIntegerWithin(amountScale, 0, finest)) {
    return invalid('amountScale', amountScale, `0 to ${finest}`);
  }
  if (known !== undefined && known.orders.openCount > 0) {
    const { configuration } = known;
    if (configuration.priceScale !== priceScale || configuration.amountScale !== amountScale) {
      return deny(Refusals.ConfigurationInUse, 'scale', marketId);
    }
  }
  return checkMarketLimits(market);
}

function checkMarketLimits(market: MarketConfiguration): Denial | undefined {
  const { minAmount, maxAmount, maxPrice, priceDeviation, slippageRate, feeRate } = market;
  if (!isIntegerWithin(minAmount, 0, Number.MAX_SAFE_INTEGER)) {
    return invalid('minAmount', minAmount, 'an amount');
  }
  if (
    maxAmount !== null &&
    !isIntegerWithin(maxAmount, Math.max(1, minAmount), Number.MAX_SAFE_INTEGER)
  ) {
    return invalid('maxAmount', maxAmount, 'an amount not below minAmount');
  }
  const highest = greatestCofactor(maxAmount ?? 1);
  if (maxPrice !== null && !isIntegerWithin(maxPrice, 1, highest)) {
    return invalid('maxPrice', maxPrice, `1 to ${highest} ticks, by maxAmount`);
  }
  const { minPrice = 0 } = market;
  if (!isIntegerWithin(minPrice, 0, maxPrice ?? highest)) {
    return invalid('minPrice', minPrice, 'a price not above maxPrice');
  }
  if (!isIntegerWithin(priceDeviation, 0, 10_000)) {
    return invalid('priceDeviation', priceDeviation, '0 to 1');
  }
  if (!isIntegerWithin(slippageRate, 10_000, 100_000)) {
    return invalid('slippageRate', slippageRate, '1 to 10');
  }
  if (feeRate !== null && !isIntegerWithin(feeRate, 0, 100_000_000)) {
    return invalid('feeRate', feeRate, '0 to 1');
  }
  if (market.feeMinimum < 0n || market.feeMinimum > MAX_UNITS) {
    return invalid('feeMinimum', market.feeMinimum, `0 to ${MAX_UNITS} units`);
  }
  if (!isIntegerWithin(market.internalTtl, 0, 86_400_000)) {
    return invalid('internalTtl', market.internalTtl, '0 to 86400000 ms');
  }
  return checkCalendar(market);
}

function checkCalendar(market: MarketConfiguration): Denial | undefined {
  try {
    new TradingSessions(market.calendar);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return invalid('calendar', error.message, 'a valid calendar');
    throw error;
  }
}
