import type { LeverageProfile } from '../../messages/configuration.ts';
import { Side } from '../../messages/enums.ts';
import type { ClearingState } from '../state.ts';
import { marginBalanceOf, marginFiguresOf, valuationPrice } from './account-margin.ts';
import { NO_ROW } from './exposures.ts';
import { leverageCap } from './leverage.ts';

/** What one step may cost, in exposures that pass the sieve: about a millisecond. */
const STEP_COST = 4_000;
/** What the exact figures of an account cost, in exposures that pass the sieve. */
const EXACT_COST = 32;
/**
 * A market's exposures are not revalued more often than this, ms of venue time, and the less often the
 * more accounts were found the last time: what they need goes first.
 */
const PAUSE_MS = 50;
const PAUSE_FOR_FOUND_MS = 0.02;
/** Accounts whose exact figures one step computes: less than a millisecond. */
const ACCOUNTS_PER_STEP = 64;
/** Collateral is not revalued more often than this, ms of venue time. */
const COLLATERAL_PAUSE_MS = 1_000;
/** Far more than what the roundings of all sums below can come to, relative to what is summed. */
const TOLERANCE = 1e-9;
/** Root units that the roundings of one exposure can come to. */
const UNITS_PER_ROW = 8;
const LEVEL_UNIT = 10_000;

/** What one market's exposures are valued with, as floats. */
interface Prices {
  /** Ticks; 0 for none. */
  long: number;
  short: number;
  /** Root units for a tick × step. */
  worth: number;
  /** Root units for a quote unit. */
  rate: number;
  profile: LeverageProfile | undefined;
}

/** One market to go through, from its last active row to its first. */
interface Sweep {
  readonly market: number;
  /** The rows before this place have not been looked at. */
  before: number;
  readonly startedAt: number;
  found: number;
}

/**
 * Finds the accounts that are below the stop-out level. A price has its market's exposures looked at, in
 * steps: a sieve of floats, which no account below the level passes, and exact figures for what it
 * keeps. No money is computed of the floats.
 */
export class Valuation {
  private readonly state: ClearingState;
  private readonly found: (account: number) => void;
  private readonly prices: Prices[] = [];
  private readonly sweeps: Sweep[] = [];
  private readonly dirty = new Set<number>();
  /** Accounts with more collateral than the root asset, to be looked at because rates have changed. */
  private readonly collateralised: number[] = [];
  /** Accounts that traded, or that something else has happened to, since they were looked at. */
  private readonly suspects = new Set<number>();
  private ratesChanged = false;
  private ratesStartedAt = Number.NEGATIVE_INFINITY;
  /** When each market may be gone through again. */
  private readonly pausedUntil: number[] = [];

  constructor(state: ClearingState, found: (account: number) => void) {
    this.state = state;
    this.found = found;
  }

  /** What positions of this market are worth has changed. */
  changed(market: number): void {
    if (this.state.exposures.activeCount(market) > 0) this.dirty.add(market);
  }

  /** What the account has, or what it uses, has changed: its trades cost it spread and commission. */
  touched(account: number): void {
    this.suspects.add(account);
  }

  get hasSuspects(): boolean {
    return this.suspects.size > 0;
  }

  /** What assets are worth may have changed. */
  ratesMoved(): void {
    this.ratesChanged = true;
  }

  /** Starts what may start at `now`. */
  start(now: number): void {
    this.startCollateral(now);
    for (const market of this.dirty) {
      const running = this.sweeps.some((sweep) => sweep.market === market);
      if (running || now < (this.pausedUntil[market] ?? 0)) continue;
      this.dirty.delete(market);
      const before = this.state.exposures.activeCount(market);
      this.sweeps.push({ market, before, startedAt: now, found: 0 });
    }
  }

  /** One step; false where there is nothing more to look at. */
  work(): boolean {
    this.lookAtCollateral();
    this.lookAtSuspects();
    const more = this.sweep();
    return more || this.collateralised.length > 0 || this.hasSuspects;
  }

  private startCollateral(now: number): void {
    const { ratesChanged, collateralised } = this;
    const early = now - this.ratesStartedAt < COLLATERAL_PAUSE_MS;
    if (!ratesChanged || collateralised.length > 0 || early) return;
    this.ratesChanged = false;
    this.ratesStartedAt = now;
    for (const account of this.state.collateral.accounts()) collateralised.push(account);
  }

  private lookAtCollateral(): void {
    if (this.collateralised.length === 0) return;
    for (const account of this.collateralised.splice(0, ACCOUNTS_PER_STEP)) {
      const { exposures } = this.state;
      const exposed = exposures.firstOf(account) !== NO_ROW;
      if (exposed && isBelowStopOut(this.state, account)) this.found(account);
    }
  }

  private lookAtSuspects(): void {
    if (this.suspects.size === 0) return;
    this.refresh();
    let cost = 0;
    for (const account of this.suspects) {
      if (cost >= STEP_COST) return;
      this.suspects.delete(account);
      cost++;
      if (!this.mayBeBelow(account)) continue;
      cost += EXACT_COST;
      if (isBelowStopOut(this.state, account)) this.found(account);
    }
  }

  private sweep(): boolean {
    const sweep = this.sweeps[0];
    if (sweep === undefined) return false;
    this.refresh();
    const { exposures } = this.state;
    // From the end: a row that leaves gives its place to the last, which has been looked at.
    let at = Math.min(sweep.before, exposures.activeCount(sweep.market));
    let cost = 0;
    while (at > 0 && cost < STEP_COST) {
      const row = exposures.activeRows(sweep.market)[--at] as number;
      const account = exposures.accounts[row] as number;
      cost++;
      if (!this.mayBeBelow(account)) continue;
      cost += EXACT_COST;
      if (!isBelowStopOut(this.state, account)) continue;
      this.found(account);
      sweep.found++;
    }
    sweep.before = at;
    if (at === 0) this.end(sweep);
    return this.sweeps.length > 0;
  }

  private end({ market, startedAt, found }: Sweep): void {
    this.sweeps.shift();
    this.pausedUntil[market] = startedAt + PAUSE_MS + found * PAUSE_FOR_FOUND_MS;
  }

  /** Takes over the prices and rates of this moment. */
  private refresh(): void {
    const { state } = this;
    for (const market of state.markets) {
      if (market.margin === undefined) continue;
      const { numerator, denominator } = state.rates.ofQuote(market);
      const rate = Number(numerator) / Number(denominator);
      const scale = Number(market.scale.numerator) / Number(market.scale.denominator);
      this.prices[market.index] = {
        long: valuationPrice(market, Side.Buy),
        short: valuationPrice(market, Side.Sell),
        worth: scale * rate,
        rate,
        profile: market.configuration.margin?.leverage,
      };
    }
  }

  /** False only where the account is above the stop-out level for certain. */
  private mayBeBelow(account: number): boolean {
    const { state } = this;
    const { exposures } = state;
    const balance = this.balanceOf(account);
    let equity = balance;
    let used = 0;
    let gross = Math.abs(balance);
    let rows = 1;
    for (let row = exposures.firstOf(account); row !== NO_ROW; row = exposures.nextOf(row)) {
      const prices = this.prices[exposures.markets[row] as number] as Prices;
      const longNotional = Number(exposures.longNotionals[row]);
      const shortNotional = Number(exposures.shortNotionals[row]);
      const long = (exposures.longQuantities[row] as number) * prices.long;
      const short = (exposures.shortQuantities[row] as number) * prices.short;
      let gain = 0;
      if (prices.long > 0) gain += long - longNotional;
      if (prices.short > 0) gain += shortNotional - short;
      equity += gain * prices.worth;
      gross += (long + longNotional + short + shortNotional) * prices.worth;
      used += this.usedBy(row, prices, longNotional, shortNotional);
      rows++;
    }
    const slack = (gross + used) * TOLERANCE + rows * UNITS_PER_ROW;
    const { stopOut } = state.marginSettings;
    return (equity - slack) * LEVEL_UNIT <= stopOut * (used + slack);
  }

  /** At least what the exposure uses, but for rounding. */
  private usedBy(row: number, prices: Prices, long: number, short: number): number {
    const { exposures } = this.state;
    let used = Number(exposures.margins[row]) * prices.rate;
    const net = Math.abs(long - short) * prices.worth * (1 + TOLERANCE);
    const { profile } = prices;
    if (profile !== undefined && long + short > 0) {
      const cap =
        profile.leverageType === 'Fixed'
          ? profile.maxLeverage
          : leverageCap(profile, BigInt(Math.ceil(net)));
      used = Math.max(used, ((long + short) * prices.worth) / cap);
    }
    const pending = exposures.pendingBuys[row] as number;
    if (pending === 0 && exposures.pendingSells[row] === 0) return used;
    const margins =
      Number(exposures.pendingBuyMargins[row]) + Number(exposures.pendingSellMargins[row]);
    return used + margins * prices.rate;
  }

  private balanceOf(account: number): number {
    const { state } = this;
    if (state.collateral.of(account).length > 0) return Number(marginBalanceOf(state, account));
    return Number(state.ledger.total(state.ledger.find(account, state.rootAsset)));
  }
}

/** Whether the account's margin level is below the level at which positions are closed. */
function isBelowStopOut(state: ClearingState, account: number): boolean {
  const { level } = marginFiguresOf(state, account);
  return level !== undefined && level < BigInt(state.marginSettings.stopOut);
}
