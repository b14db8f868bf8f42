import { applyFunding } from '../../core/clearing/margin/events.ts';
import { fundingAmounts } from '../../core/clearing/margin/funding.ts';
import { paymentsOf, positionsIn } from '../../core/clearing/margin/funding-payments.ts';
import { Side } from '../../core/messages/enums.ts';
import { FundingApplied } from '../../core/messages/margin-events.ts';
import { median } from '../core/median.ts';
import { ENTRY, filledState } from './venue.ts';

export interface PaymentCost {
  readonly positions: number;
  /** One settlement of funding: computed and applied in one step, ms. */
  readonly milliseconds: number;
}

const ROUNDS = 7;
const RATE = 10_000;

export function paymentCost(accounts: number, positionsEach: number): PaymentCost {
  const state = filledState({ accounts, positionsEach, untouched: 0 });
  const { positions, exposures } = state;
  const market = state.market(0);
  const rate = state.rates.ofQuote(market);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const slots = positionsIn(exposures, positions, 0);
    const signed = Float64Array.from(slots, (slot) => {
      const quantity = positions.quantities[slot] ?? 0;
      return positions.sides[slot] === Side.Buy ? quantity : -quantity;
    });
    const terms = { fundingRate: RATE, markPrice: ENTRY, scale: market.scale, rate };
    const paid = paymentsOf(positions, slots, fundingAmounts(signed, terms));
    applyFunding(state, {
      ...FundingApplied.blank(),
      time: state.time,
      dueAt: state.time,
      rate: rate.rate,
      positions: paid.positions,
      amounts: paid.amounts,
      fundingRate: RATE,
      markPrice: ENTRY,
    });
    times.push(performance.now() - started);
  }
  return { positions: accounts * positionsEach, milliseconds: median(times) };
}
