import { expect, describe as group, it } from 'vitest';
import type { AuditAnswer, ValuationsAnswer } from '../../core/messages/queries.ts';
import { ALICE, BOB, BTC_USDT, type Rig, tradingRig } from './rig.ts';
import { accountIdOf } from './venue.ts';

const audit = (rig: Rig): AuditAnswer => rig.cold<AuditAnswer>({ type: 'Audit' });

function restingOrders(rig: Rig): void {
  rig.order(ALICE, { market: BTC_USDT, side: 'Sell', price: 11_000, amount: 1_000 });
  rig.order(BOB, { market: BTC_USDT, side: 'Buy', price: 9_000, amount: 1_000 });
}

group('an audit', () => {
  it('finds nothing wrong while orders and withdrawals hold what they need', () => {
    const rig = tradingRig();
    restingOrders(rig);
    rig.cold({
      type: 'Withdraw',
      deduplicationId: 'w',
      accountId: accountIdOf(ALICE),
      assetId: 'btc',
      amount: '1',
    });
    expect(audit(rig)).toMatchObject({ heldMismatches: 0, openOrders: 2, atBooks: 0 });
  });

  it('notices a hold that nothing needs and one that is missing', () => {
    const rig = tradingRig();
    restingOrders(rig);
    const { ledger } = rig.state;
    const btc = rig.state.assetOf('btc')?.index ?? 0;
    const usdt = rig.state.assetOf('usdt')?.index ?? 0;
    ledger.hold(ledger.find(ALICE, btc), 1n);
    expect(audit(rig).heldMismatches).toBe(1);
    ledger.release(ledger.find(BOB, usdt), 1n);
    expect(audit(rig).heldMismatches).toBe(2);
  });

  it('notices money that came from nowhere', () => {
    const rig = tradingRig();
    const { ledger } = rig.state;
    const btc = rig.state.assetOf('btc')?.index ?? 0;
    ledger.credit(ledger.find(ALICE, btc), 3n);
    const found = audit(rig).assets.find(({ assetId }) => assetId === 'btc');
    expect(found && found.ledgers - found.netTransfers).toBe(3n);
  });
});

group('valuations', () => {
  const totalOf = (rig: Rig, account: number): string | undefined =>
    rig.cold<ValuationsAnswer>({ type: 'Valuations', accounts: [BOB, account] }).totals[1];

  it('count what is held, by the middle of the book, and assets without a price as nothing', () => {
    const rig = tradingRig();
    const usdt = rig.balance(ALICE, 'usdt');
    const btc = rig.balance(ALICE, 'btc');
    expect(totalOf(rig, ALICE)).toBe(usdt.split('/')[0]);
    restingOrders(rig);
    // The middle of 90 and 110.
    const expected = BigInt(usdt.split('/')[0] ?? '') + BigInt(btc.split('/')[0] ?? '') * 100n;
    expect(totalOf(rig, ALICE)).toBe(String(expected));
  });

  it('of an account that never had anything are nothing', () => {
    const rig = tradingRig();
    expect(totalOf(rig, 900)).toBe('0');
  });
});
