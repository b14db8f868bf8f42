import type { AdminCommand } from '../messages/cold-commands.ts';
import type {
  AccountConfiguration,
  AssetConfiguration,
  MarketConfiguration,
} from '../messages/configuration.ts';
import type { AccountStatusName, MarketStatusName } from '../messages/enums.ts';
import { Refusals } from '../messages/refusals.ts';
import { checkScales } from './admission.ts';
import type { Books } from './books.ts';
import type { Cancellation } from './cancellation.ts';
import { Cause } from './causes.ts';
import { CommissionAdministration } from './commission-administration.ts';
import { checkAssetConfiguration, checkMarketConfiguration } from './configuration-checks.ts';
import { type Denial, deny } from './denial.ts';
import { MarginAdministration } from './margin/margin-administration.ts';
import { endsOrders, type Market } from './market.ts';
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
    this.reversal = new TradeReversal(state, recorder, reservations, marginReservations);
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

  /** Sweeps that a crash interrupted go on, also where market or account are open again. */
  resumeSweeps(): void {
    const { accounts, markets } = this.state;
    for (const market of markets) this.sweepEnded(market);
    for (const [account, endedBelow] of accounts.halted()) {
      this.cancellation.sweepAccount(account, markets, Cause.AccountHalted, { below: endedBelow });
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
      case 'RemoveCommissionProfile':
      case 'RemoveCommissionGroup':
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
    const denial = checkAssetConfiguration(this.state, configuration);
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
    const denial = checkMarketConfiguration(this.state, configuration, known);
    if (denial !== undefined) return denial;
    const market = known?.index ?? this.state.markets.length;
    const before = known?.configuration.status;
    this.recorder.cold(now, { type: 'MarketConfigured', market, configuration });
    if (known === undefined) this.books.open(this.state.market(market));
    else if (before !== undefined && endsOrders(before, configuration.status)) {
      this.sweepEnded(known);
    }
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

  /** Halted and Disabled take everything off the book that was placed before. */
  private sweepEnded(market: Market): void {
    const cause = market.endedBy === 'Halted' ? Cause.MarketHalted : Cause.MarketDisabled;
    this.cancellation.sweepMarket(market, cause, market.endedBelow);
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
