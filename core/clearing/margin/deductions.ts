import { divide } from '../../fixed-point/index.ts';
import { CommissionDeducted } from '../../messages/margin-events.ts';
import { lesser } from '../charges.ts';
import { NO_ENTRY } from '../ledger.ts';
import { inRootFloor } from '../rates.ts';
import type { Recorder } from '../recorder.ts';
import type { ClearingState } from '../state.ts';

interface Deduction {
  readonly executionId: number;
  readonly account: number;
  readonly asset: number;
  readonly amount: bigint;
  readonly amountInRoot: bigint;
}

/** An asset that may pay, with what it is worth in root units in all. */
interface Purse {
  readonly asset: number;
  readonly ratio: number;
  readonly worth: bigint;
}

/**
 * Who pays a commission that is due in root units: what is available of the root asset, then of the
 * selected collateral (higher margin ratio first, then what is worth more), at the venue's rate with
 * the amount rounded up; what is still missing the root asset again, which then is below zero.
 */
export class Deductions {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  /** What was planned since the last flush: not in the ledger yet. */
  private readonly planned: Deduction[] = [];
  private readonly event = CommissionDeducted.blank();

  constructor(state: ClearingState, recorder: Recorder) {
    this.state = state;
    this.recorder = recorder;
  }

  /** The part of `commission` that the root ledger pays, once `proceeds` are in it. */
  plan(executionId: number, account: number, commission: bigint, proceeds: bigint): bigint {
    const { ledger, rootAsset } = this.state;
    const available = ledger.available(ledger.find(account, rootAsset)) + proceeds;
    if (available >= commission) return commission;
    const fromRoot = available > 0n ? available : 0n;
    return fromRoot + this.fromCollateral(executionId, account, commission - fromRoot);
  }

  /** Records what was planned, behind the executions that it is of. */
  flush(now: number): void {
    if (this.planned.length === 0) return;
    for (const deduction of this.planned.splice(0)) {
      const { event } = this;
      event.time = now;
      event.executionId = deduction.executionId;
      event.account = deduction.account;
      event.asset = deduction.asset;
      event.amount = deduction.amount;
      event.amountInRoot = deduction.amountInRoot;
      this.recorder.commissionDeducted(event);
    }
  }

  /** Returns what the collateral does not cover. */
  private fromCollateral(executionId: number, account: number, due: bigint): bigint {
    let missing = due;
    for (const { asset } of this.pursesOf(account)) {
      const rate = this.state.rates.fixed(asset);
      const available = this.availableOf(account, asset);
      if (rate === undefined || available <= 0n) continue;
      const whole = divide(missing * rate.denominator, rate.numerator, 'ceiling');
      const amount = lesser(whole, available);
      const amountInRoot = whole <= available ? missing : inRootFloor(rate, amount);
      if (amountInRoot === 0n) continue;
      this.planned.push({ executionId, account, asset, amount, amountInRoot });
      missing -= amountInRoot;
      if (missing === 0n) break;
    }
    return missing;
  }

  private availableOf(account: number, asset: number): bigint {
    const { ledger } = this.state;
    const entry = ledger.find(account, asset);
    if (entry === NO_ENTRY) return 0n;
    return this.planned.reduce(
      (left, each) =>
        each.account === account && each.asset === asset ? left - each.amount : left,
      ledger.available(entry),
    );
  }

  private pursesOf(account: number): Purse[] {
    const { ledger, rates, assets, collateral } = this.state;
    const purses: Purse[] = [];
    for (const asset of collateral.of(account)) {
      const rate = rates.fixed(asset);
      const ratio = assets[asset]?.configuration.marginRatio ?? 0;
      if (rate === undefined || ratio === 0) continue;
      const total = ledger.total(ledger.find(account, asset));
      purses.push({ asset, ratio, worth: inRootFloor(rate, total) });
    }
    return purses.sort(
      (a, b) => b.ratio - a.ratio || (a.worth === b.worth ? 0 : a.worth > b.worth ? -1 : 1),
    );
  }
}
