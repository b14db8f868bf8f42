import { formatUnits, MAX_UNITS, parseDecimal, toUnits } from '../fixed-point/index.ts';
import type { AdminCommand } from '../messages/cold-commands.ts';
import type { Transfer } from '../messages/cold-events.ts';
import { Refusals } from '../messages/refusals.ts';
import { greater } from './charges.ts';
import { type Denial, deny } from './denial.ts';
import { checkHeldLeaving, checkLeaving } from './margin/margin-limits.ts';
import type { Asset } from './market.ts';
import { checkAvailable } from './placement.ts';
import type { Recorder } from './recorder.ts';
import type { Reservations } from './reservations.ts';
import type { ClearingState } from './state.ts';

type Creation = Extract<AdminCommand, { type: 'Deposit' | 'Withdraw' }>;
type Decision = Extract<AdminCommand, { type: 'ConfirmWithdrawal' | 'CancelWithdrawal' }>;

/**
 * Deposits and withdrawals. A deposit is booked at once; a withdrawal holds its amount until it is
 * confirmed (and leaves) or cancelled (and is free again). A deduplicationId names one transfer for
 * ever: sending the same one again gives the first answer.
 */
export class Transfers {
  private readonly state: ClearingState;
  private readonly recorder: Recorder;
  private readonly reservations: Reservations;
  /** Root units promised to amends on margin, by account. */
  private readonly marginReservations: Reservations;

  constructor(
    state: ClearingState,
    recorder: Recorder,
    reservations: Reservations,
    marginReservations: Reservations,
  ) {
    this.state = state;
    this.recorder = recorder;
    this.reservations = reservations;
    this.marginReservations = marginReservations;
  }

  create(ticket: number, command: Creation, now: number): Denial | undefined {
    const { accountId, assetId, deduplicationId } = command;
    const account = this.state.accounts.indexOf(accountId);
    if (account === undefined) return deny(Refusals.TransferAccount, 'accountId', accountId);
    const asset = this.state.assetOf(assetId);
    if (asset === undefined) return deny(Refusals.AssetUnknown, 'assetId', assetId);
    const amount = amountOf(asset, command.amount);
    if (typeof amount !== 'bigint') return amount;
    const transfer = this.transferOf(command, account, asset, amount, now);
    const earlier = this.state.transfersByDeduplicationId.get(deduplicationId);
    if (earlier !== undefined) return this.repeat(ticket, earlier, transfer);
    const denial = this.check(command, transfer, asset);
    if (denial !== undefined) return denial;
    this.recorder.cold(now, { type: 'TransferCreated', transfer });
    this.recorder.coldAnswer(ticket, { transfer });
    return undefined;
  }

  settle(
    ticket: number,
    command: Decision,
    status: 'Completed' | 'Canceled',
    now: number,
  ): Denial | undefined {
    const { accountId, transferId } = command;
    const transfer = this.state.transfer(Number(transferId));
    const account = this.state.accounts.indexOf(accountId);
    const isWithdrawal = transfer?.type === 'Withdrawal' && transfer.account === account;
    if (transfer === undefined || !isWithdrawal) {
      return deny(Refusals.TransferUnknown, 'transferId', transferId);
    }
    // Confirming twice is one confirmation: the sender may not have seen the first answer.
    if (transfer.status !== 'AwaitingConfirmation' && transfer.status !== status) {
      return deny(Refusals.TransferFinal, 'transferId', transferId, transfer.status);
    }
    if (transfer.status === 'AwaitingConfirmation') {
      const denial = status === 'Completed' ? this.checkGoing(transfer) : undefined;
      if (denial !== undefined) return denial;
      this.recorder.cold(now, {
        type: 'TransferChanged',
        transferId: transfer.transferId,
        status,
        callbackUrl: command.callbackUrl ?? transfer.callbackUrl,
        updatedAt: now,
      });
    }
    this.recorder.coldAnswer(ticket, {});
    return undefined;
  }

  /** Positions may have lost since the withdrawal was asked for, and the root asset with them. */
  private checkGoing({ account, asset: index, amount }: Transfer): Denial | undefined {
    const { ledger, assets } = this.state;
    const asset = assets[index];
    if (asset === undefined) throw new RangeError(`no asset ${index}`);
    const total = ledger.total(ledger.find(account, index));
    return (
      checkAvailable(asset, amount, total) ??
      checkHeldLeaving(this.state, this.marginReservations, account, asset, amount)
    );
  }

  private transferOf(
    command: Creation,
    account: number,
    asset: Asset,
    amount: bigint,
    now: number,
  ): Transfer {
    const deposit = command.type === 'Deposit';
    return {
      transferId: this.state.nextTransferId,
      deduplicationId: command.deduplicationId,
      account,
      asset: asset.index,
      type: deposit ? 'Deposit' : 'Withdrawal',
      status: deposit ? 'Completed' : 'AwaitingConfirmation',
      amount,
      callbackUrl: command.callbackUrl ?? null,
      createdAt: now,
      updatedAt: now,
    };
  }

  /** The first answer again, where it is the same transfer that is asked for. */
  private repeat(ticket: number, earlier: number, asked: Transfer): Denial | undefined {
    const first = this.state.transfer(earlier) as Transfer;
    const same =
      first.account === asked.account &&
      first.asset === asked.asset &&
      first.type === asked.type &&
      first.amount === asked.amount;
    if (!same) {
      return deny(Refusals.DeduplicationConflict, 'deduplicationId', asked.deduplicationId);
    }
    const { status } = asked;
    const transfer = { ...first, status, updatedAt: first.createdAt };
    this.recorder.coldAnswer(ticket, { transfer });
    return undefined;
  }

  private check(command: Creation, transfer: Transfer, asset: Asset): Denial | undefined {
    const { ledger } = this.state;
    const { assetId, canDeposit = true, canWithdraw = true } = asset.configuration;
    const isWithdrawal = transfer.type === 'Withdrawal';
    if (isWithdrawal && !canWithdraw) return deny(Refusals.WithdrawalsClosed, 'assetId', assetId);
    if (!isWithdrawal && !canDeposit) return deny(Refusals.DepositsClosed, 'assetId', assetId);
    if (isWithdrawal) {
      const entry = ledger.find(transfer.account, asset.index);
      const available = ledger.available(entry) - this.reservations.on(entry);
      return (
        checkAvailable(asset, transfer.amount, available) ??
        checkLeaving(this.state, this.marginReservations, transfer.account, asset, transfer.amount)
      );
    }
    // What all accounts own together bounds what any of them can, but for profits of positions.
    const total = ledger.total(ledger.find(transfer.account, asset.index));
    const most = greater(total, ledger.netTransfersOf(asset.index));
    if (most + transfer.amount <= MAX_UNITS) return undefined;
    const limit = formatUnits(MAX_UNITS, asset.configuration.scale);
    return deny(Refusals.BalanceOverflow, 'amount', command.amount, limit);
  }
}

function amountOf(asset: Asset, text: string): bigint | Denial {
  const decimal = parseDecimal(text);
  const units = decimal === undefined ? 'off-step' : toUnits(decimal, asset.configuration.scale);
  if (typeof units === 'bigint' && units > 0n) return units;
  const { scale } = asset.configuration;
  if (units === 'too-large') {
    return deny(Refusals.BalanceOverflow, 'amount', text, formatUnits(MAX_UNITS, scale));
  }
  return deny(Refusals.TransferAmount, 'amount', text, formatUnits(1, scale));
}
