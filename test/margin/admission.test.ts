import { describe, expect, it } from 'vitest';
import { Side } from '../../core/messages/enums.ts';
import { Refusals } from '../../core/messages/refusals.ts';
import type { Command } from '../clearing/commands.ts';
import { Rig } from '../clearing/rig.ts';
import type { NaiveMargin } from '../model/margin/account.ts';
import { MarginFollower } from '../model/margin/follower.ts';
import { Dice } from '../simulation/dice.ts';
import { checkMargin, heldCollateral, naiveMarginOf } from '../simulation/margin-check.ts';
import { MARGIN } from '../simulation/margin-scenario.ts';
import type { SimulationView } from '../simulation/scenario.ts';
import { seed } from '../support/seed.ts';

const VENUES = Number(process.env['ADMISSION_VENUES'] ?? 12);
const COMMANDS = 600;
const ACCOUNTS = 6;

type Order = Extract<Command, { kind: 'placeMargin' }>;

/** Refusals that say: there is not enough margin. */
const FOR_MARGIN: readonly number[] = [Refusals.InsufficientMargin.code, Refusals.MarginCall.code];

/** One venue under one seed: whatever is asked for, an order opens no more than margin is there for. */
class Admission {
  readonly met = new Map<string, number>();
  private readonly dice: Dice;
  private readonly rig = new Rig();
  private readonly follower = new MarginFollower();
  private readonly source: { next(view: SimulationView): Command };
  private followed = 0;

  constructor(venueSeed: number) {
    this.dice = new Dice(venueSeed);
    this.source = MARGIN.source(this.dice, ACCOUNTS);
    const { rig } = this;
    for (const configuration of MARGIN.assets) rig.cold({ type: 'ConfigureAsset', configuration });
    for (const configuration of MARGIN.markets) {
      rig.cold({ type: 'ConfigureMarket', configuration });
    }
    // Far below the margin call, so that accounts stay there for a while.
    const settings = { marginCall: 10_000, stopOut: 500, negativeBalanceProtection: true };
    rig.cold({ type: 'SetMarginSettings', settings });
    for (let account = 1; account <= ACCOUNTS; account++) {
      rig.cold(MARGIN.openAccount(account));
      for (const { assetId } of MARGIN.assets) {
        rig.deposit(account, assetId, MARGIN.fundsOf(account, assetId));
      }
    }
    this.follow();
  }

  run(): void {
    for (let n = 0; n < COMMANDS; n++) {
      this.rig.now += this.dice.below(200);
      const command = this.reduceInCall() ?? this.source.next(this.view());
      if (command.kind === 'cold' && command.command.type === 'SetMarginSettings') continue;
      if (command.kind === 'placeMargin' && !command.activationPrice) this.place(command);
      else if (command.kind === 'place') this.placeSpot(command);
      else this.rig.run(command);
      this.follow();
      checkMargin(this.rig.state, this.follower);
    }
  }

  /** Now and then, somebody whose level is below the margin call gives up a part of a position. */
  private reduceInCall(): Order | undefined {
    const { dice, follower, rig } = this;
    if (!dice.oneIn(3)) return undefined;
    const called = [...follower.positions.open.values()].filter(({ account }) => {
      const { level } = naiveMarginOf(rig.state, follower, account);
      return level !== null && level < BigInt(follower.venue.settings.marginCall);
    });
    if (called.length === 0) return undefined;
    const { id, account, market, side, quantity } = dice.pick(called);
    const step = BigInt(follower.venue.market(market).configuration.margin?.lotStep ?? 1);
    const part = dice.oneIn(2) ? quantity : (quantity / (2n * step)) * step;
    const netting = follower.venue.isNetting(account);
    return {
      kind: 'placeMargin',
      account,
      market,
      side: side === Side.Buy ? 'Sell' : 'Buy',
      price: dice.oneIn(2) ? 0 : dice.between(20, 200),
      amount: Number(part > 0n ? part : quantity),
      timeInForce: 'Ioc',
      ...(netting && dice.oneIn(2) ? {} : { positionId: id }),
    };
  }

  /** The order is sent, and looked at before the book has seen it. */
  private place(order: Order): void {
    const { rig, follower } = this;
    const reduces = this.onlyReduces(order);
    const { level, free } = naiveMarginOf(rig.state, follower, order.account);
    const isCalled = level !== null && level < BigInt(follower.venue.settings.marginCall);
    const ticket = rig.send(order);
    const accepted = rig.events
      .slice(this.followed)
      .some((event) => event.record === 'MarginOrderAccepted');
    this.follow();
    const answer = rig.answers.get(ticket);
    if (accepted) {
      this.count(reduces ? 'reduces' : 'opens');
      if (reduces && isCalled && free < 0n) this.count('reduces in a margin call');
      if (!reduces) this.checkCovered(order, naiveMarginOf(rig.state, follower, order.account));
    } else if (answer?.record === 'Refused' && FOR_MARGIN.includes(answer.code)) {
      this.count(reduces ? 'reducing refused' : 'refused');
      const text = JSON.stringify(order);
      if (reduces) throw new Error(`${text} only reduces and is refused with ${answer.code}`);
    }
    rig.finish();
  }

  /** What is held may leave by a trade: whoever uses margin holds no more than is free of it. */
  private placeSpot(order: Extract<Command, { kind: 'place' }>): void {
    const { rig, follower } = this;
    const { account } = order;
    rig.send(order);
    const accepted = rig.events
      .slice(this.followed)
      .find((event) => event.record === 'OrderAccepted');
    this.follow();
    const { used, free } = naiveMarginOf(rig.state, follower, account);
    if (accepted?.record === 'OrderAccepted' && accepted.hold > 0n && used > 0n) {
      const { base, quote } = follower.venue.market(accepted.market);
      const asset = accepted.side === Side.Buy ? quote : base;
      const { rootAsset, collateral } = follower.venue;
      if (asset === rootAsset || collateral.get(account)?.has(asset)) {
        this.count('holds');
        const held = heldCollateral(rig.state, follower, account);
        // Each holding is rounded down by itself.
        if (free + 3n < held) throw new Error(`account ${account} holds ${held} with ${free} free`);
      }
    }
    rig.finish();
  }

  /** Everything on this side, this order included, fits into the position on the other side. */
  private onlyReduces({ account, market, side, amount, positionId = 0 }: Order): boolean {
    if (positionId !== 0) return true;
    const { follower } = this;
    if (market < 2 || !follower.venue.isNetting(account)) return false;
    const pending = follower.pendingOf(account, market, Side[side]).quantity + BigInt(amount);
    const [position] = follower.positions.of(account, market);
    return position !== undefined && position.side !== Side[side] && pending <= position.quantity;
  }

  private checkCovered(order: Order, { free, level }: NaiveMargin): void {
    const { marginCall } = this.follower.venue.settings;
    const covered = free >= 0n && (level === null || level >= BigInt(marginCall));
    if (covered) return;
    throw new Error(`${JSON.stringify(order)} leaves ${free} of margin, at level ${level}`);
  }

  private view(): SimulationView {
    const { follower, rig } = this;
    const { markets } = rig.state;
    const open = markets.flatMap(({ orders }) =>
      [...orders.slotsByPriority()].map((slot) => ({
        id: orders.orderIds[slot] ?? 0,
        account: orders.accounts[slot] ?? 0,
      })),
    );
    return {
      orders: rig.state.nextOrderId - 1,
      transfers: rig.state.nextTransferId - 1,
      open,
      stopOrders: [...follower.stopOrders.values()].map(({ orderId: id, account }) => ({
        id,
        account,
      })),
      positions: [...follower.positions.open.values()].map((position) => ({
        ...position,
        quantity: Number(position.quantity),
      })),
      now: rig.now,
    };
  }

  private follow(): void {
    const { events } = this.rig;
    for (; this.followed < events.length; this.followed++) {
      const event = events[this.followed];
      if (event !== undefined) this.follower.apply(event);
    }
  }

  private count(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }
}

describe('admission to a market on margin', () => {
  it(`never opens more than margin is there for, and never refuses to reduce, SEED=${seed}`, () => {
    const met = new Map<string, number>();
    for (let n = 0; n < VENUES; n++) {
      const venueSeed = (seed + n) | 0;
      const admission = new Admission(venueSeed);
      try {
        admission.run();
      } catch (error) {
        throw new Error(`SEED=${venueSeed} ADMISSION_VENUES=1 repeats this`, { cause: error });
      }
      for (const [what, count] of admission.met) met.set(what, (met.get(what) ?? 0) + count);
    }
    // Of each so much that it was really tried.
    expect(met.get('opens')).toBeGreaterThan(VENUES * 10);
    expect(met.get('reduces')).toBeGreaterThan(VENUES);
    expect(met.get('refused')).toBeGreaterThan(VENUES);
    expect(met.get('reduces in a margin call')).toBeGreaterThan(VENUES / 3);
    expect(met.get('holds')).toBeGreaterThan(VENUES / 5);
  }, 120_000);
});
