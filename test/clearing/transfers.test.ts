import { expect, describe as group, it } from 'vitest';
import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { Transfer } from '../../core/messages/cold-events.ts';
import { ALICE, BOB, BTC_USDT, describe, type Rig, tradingRig } from './rig.ts';
import { accountIdOf } from './venue.ts';

type Creation = Extract<AdminCommand, { type: 'Deposit' | 'Withdraw' }>;
type Decision = Extract<AdminCommand, { type: 'ConfirmWithdrawal' | 'CancelWithdrawal' }>;

const accountId = accountIdOf(ALICE);

function creation(type: Creation['type'], amount: string, more: Partial<Creation> = {}): Creation {
  return { type, deduplicationId: 'a', accountId, assetId: 'btc', amount, ...more };
}

function create(rig: Rig, command: Creation): Transfer {
  return rig.cold<{ transfer: Transfer }>(command).transfer;
}

function decide(rig: Rig, type: Decision['type'], transferId: string, account = accountId): string {
  return describe(rig.run({ kind: 'cold', command: { type, accountId: account, transferId } }));
}

const refusal = (rig: Rig, command: AdminCommand) => describe(rig.run({ kind: 'cold', command }));

group('deposits', () => {
  it('are booked at once, and a repeat answers the first answer and books nothing', () => {
    const rig = tradingRig();
    const first = create(rig, creation('Deposit', '1.5'));
    expect(first).toMatchObject({ status: 'Completed', amount: 150_000_000n });
    expect(rig.balance(ALICE, 'btc')).toBe('11.5/0');
    rig.now += 1_000;
    const again = rig.restarted();
    for (const venue of [rig, again]) {
      const before = venue.hash();
      expect(create(venue, creation('Deposit', '1.50'))).toEqual(first);
      expect(venue.hash()).toBe(before);
    }
    rig.check();
  });

  it.each<[string, Partial<Creation>]>([
    ['another amount', { amount: '1.6' }],
    ['another asset', { assetId: 'eth' }],
    ['another account', { accountId: accountIdOf(BOB) }],
    ['another direction', { type: 'Withdraw' }],
  ])('with a known deduplicationId and %s are refused', (_, more) => {
    const rig = tradingRig();
    create(rig, creation('Deposit', '1.5'));
    expect(refusal(rig, { ...creation('Deposit', '1.5'), ...more })).toBe('TR0503');
    rig.check();
  });

  it.each([
    ['TR0504', creation('Deposit', '0')],
    ['TR0504', creation('Deposit', '-1')],
    ['TR0504', creation('Deposit', '0.000000001')],
    ['TR0504', creation('Deposit', 'NaN')],
    ['TR0505', creation('Deposit', '1e300')],
    ['TR0505', creation('Deposit', '92233720368')],
    ['TR0500', creation('Deposit', '1', { assetId: 'doge' })],
    ['TR0506', creation('Deposit', '1', { accountId: '7' })],
    ['TR0400', creation('Withdraw', '10.00000001')],
  ])('are refused with %s: %j', (code, command) => {
    const rig = tradingRig();
    const before = rig.hash();
    expect(refusal(rig, command)).toBe(code);
    expect(rig.hash()).toBe(before);
  });

  it('fill the ledger to its end and not beyond', () => {
    const rig = tradingRig();
    // 2^63 - 1 units are 92233720368.54775807; 40 btc are there.
    create(rig, creation('Deposit', '92233720328.54775807'));
    expect(refusal(rig, creation('Deposit', '0.00000001', { deduplicationId: 'b' }))).toBe(
      'TR0505',
    );
    rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 100, amount: 1_000 });
    rig.order(BOB, { market: BTC_USDT, side: 'Buy', price: 100, amount: 1_000 });
    expect(rig.balance(BOB, 'btc')).toBe('11/0');
    rig.check();
  });
});

group('withdrawals', () => {
  it('hold their amount until they are confirmed, and leave then', () => {
    const rig = tradingRig();
    const { transferId, status } = create(rig, creation('Withdraw', '4'));
    expect(status).toBe('AwaitingConfirmation');
    expect(rig.balance(ALICE, 'btc')).toBe('10/4');
    rig.check();
    expect(decide(rig, 'ConfirmWithdrawal', String(transferId))).toBe('ColdAnswer');
    expect(rig.balance(ALICE, 'btc')).toBe('6/0');
    rig.check();
  });

  it('are free again when they are cancelled', () => {
    const rig = tradingRig();
    const { transferId } = create(rig, creation('Withdraw', '10'));
    const sell = { market: BTC_USDT, side: 'Sell', price: 100, amount: 1 } as const;
    expect(describe(rig.place(ALICE, sell))).toBe('TR0400');
    expect(decide(rig, 'CancelWithdrawal', String(transferId))).toBe('ColdAnswer');
    rig.order(ALICE, sell);
    rig.check();
  });

  it('are decided once: the same decision again is answered, the other one refused', () => {
    for (const [decision, other] of [
      ['ConfirmWithdrawal', 'CancelWithdrawal'],
      ['CancelWithdrawal', 'ConfirmWithdrawal'],
    ] as const) {
      const rig = tradingRig();
      const transferId = String(create(rig, creation('Withdraw', '4')).transferId);
      decide(rig, decision, transferId);
      const before = rig.hash();
      for (const venue of [rig, rig.restarted()]) {
        expect(decide(venue, decision, transferId)).toBe('ColdAnswer');
        expect(decide(venue, other, transferId)).toBe('TR0502');
      }
      expect(rig.hash()).toBe(before);
    }
  });

  it('repeated after the decision answer as they did first, and hold nothing', () => {
    const rig = tradingRig();
    const first = create(rig, creation('Withdraw', '4'));
    rig.now += 1_000;
    decide(rig, 'ConfirmWithdrawal', String(first.transferId));
    expect(create(rig, creation('Withdraw', '4'))).toEqual(first);
    expect(rig.balance(ALICE, 'btc')).toBe('6/0');
  });

  it('are unknown to other accounts, as deposits are to decisions', () => {
    const rig = tradingRig();
    const withdrawal = create(rig, creation('Withdraw', '4'));
    const deposit = create(rig, creation('Deposit', '4', { deduplicationId: 'b' }));
    const bob = accountIdOf(BOB);
    expect(decide(rig, 'ConfirmWithdrawal', String(withdrawal.transferId), bob)).toBe('TR0501');
    expect(decide(rig, 'ConfirmWithdrawal', String(deposit.transferId))).toBe('TR0501');
    expect(decide(rig, 'CancelWithdrawal', '99')).toBe('TR0501');
    expect(decide(rig, 'CancelWithdrawal', 'x')).toBe('TR0501');
  });

  it('do not take what an amend on its way has reserved', () => {
    const rig = tradingRig();
    const sell = { market: BTC_USDT, side: 'Sell', price: 100, amount: 1_000 } as const;
    const orderId = rig.order(ALICE, sell);
    rig.send({ kind: 'amend', account: ALICE, orderId, amount: 8_000 });
    const ticket = rig.send({ kind: 'cold', command: creation('Withdraw', '3') });
    rig.finish();
    expect(describe(rig.answers.get(ticket))).toBe('TR0400');
    expect(rig.balance(ALICE, 'btc')).toBe('10/8');
  });
});
