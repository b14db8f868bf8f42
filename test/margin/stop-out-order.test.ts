import { expect, it } from 'vitest';
import { REASONS } from '../../core/messages/enums.ts';
import { stopOutOrder } from '../model/margin/account.ts';
import { Dice } from '../simulation/dice.ts';
import { exposureOf } from '../simulation/margin-check.ts';
import { seed } from '../support/seed.ts';
import { CFD, CFD_EUR, DEALER, EUR_USDT, HEDGER, MarginRig } from './support.ts';

const VENUES = 20;
const MARKETS = [CFD, CFD_EUR];

/** The positions that an account loses, in their order, and the order in which it should lose them. */
function stoppedOut(venueSeed: number): { closed: number[]; due: number[] } {
  const dice = new Dice(venueSeed);
  const rig = new MarginRig();
  rig.quote(EUR_USDT, 10_849, 10_852);
  rig.deposit(HEDGER, 'usdt', '9000');
  for (let n = 0; n < 6; n++) {
    const side = dice.oneIn(4) ? 'Sell' : 'Buy';
    const market = dice.pick(MARKETS);
    const amount = market === CFD ? dice.between(50, 200) : dice.between(5, 20);
    rig.trade(HEDGER, market, side, amount, 6_000_000 + dice.between(-100, 100) * 1_000);
  }
  // Nobody else quotes: what the dealer bids and asks is what positions are worth, and closed at.
  const fall = dice.between(30, 80) * 50_000;
  for (const market of MARKETS) rig.rig.run({ kind: 'cancelAll', account: DEALER, market });
  // What is revalued pauses after each time.
  rig.rig.now += 1_000;
  for (const market of MARKETS) {
    const quote = { kind: 'placeMargin', account: DEALER, market, amount: 90_000 } as const;
    rig.rig.send({ ...quote, side: 'Sell', price: 6_000_001 - fall });
    rig.rig.send({ ...quote, side: 'Buy', price: 6_000_000 - fall });
  }
  rig.rig.matchAll();
  rig.rig.settleAll();
  rig.check();
  const due = dueIn(rig);
  rig.rig.finish();
  rig.check();
  return { closed: closedIn(rig), due };
}

function closedIn(rig: MarginRig): number[] {
  return rig.rig.events.flatMap((event) =>
    event.record === 'MarginOrderAccepted' && REASONS[event.reason] === 'StopOut'
      ? [event.positionId]
      : [],
  );
}

/** By exact arithmetic over everything that is open, at the prices of now. */
function dueIn({ rig, follower }: MarginRig): number[] {
  const exposures = new Map(
    MARKETS.map((market) => [market, exposureOf(rig.state, follower, HEDGER, market)]),
  );
  const candidates = [...follower.positions.open.values()].flatMap((position) => {
    const exposure = exposures.get(position.market);
    if (position.account !== HEDGER || exposure === undefined) return [];
    return [{ position, exposure, inSession: true }];
  });
  return stopOutOrder(candidates);
}

it(`the largest loss goes first, SEED=${seed}`, () => {
  let most = 0;
  for (let n = 0; n < VENUES; n++) {
    const { closed, due } = stoppedOut((seed + n) | 0);
    expect(closed).toEqual(due.slice(0, closed.length));
    most = Math.max(most, closed.length);
  }
  expect(most).toBeGreaterThan(1);
});
