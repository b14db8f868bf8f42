import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { Simulation } from './simulation.ts';

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 200);

it(`a venue lives through ${SEEDS} simulations, SEED=${seed}`, () => {
  for (let n = 0; n < SEEDS; n++) {
    const each = (seed + n) | 0;
    try {
      new Simulation(each).run();
    } catch (error) {
      const cause = { cause: error };
      throw new Error(`npm run simulate -- --seed ${each} --seeds 1 repeats this`, cause);
    }
  }
}, 600_000);

it('a seed says everything: the same one leads to the same end', () => {
  for (let n = 0; n < 5; n++) {
    expect(new Simulation(seed + n).run()).toEqual(new Simulation(seed + n).run());
  }
});
