import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { MARGIN } from './margin-scenario.ts';
import { Simulation } from './simulation.ts';

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 60);

it(`a venue with margin accounts lives through ${SEEDS} simulations, SEED=${seed}`, () => {
  for (let n = 0; n < SEEDS; n++) {
    const each = (seed + n) | 0;
    try {
      new Simulation(each, MARGIN).run();
    } catch (error) {
      const cause = { cause: error };
      throw new Error(`npm run simulate -- --margin --seed ${each} --seeds 1 repeats this`, cause);
    }
  }
}, 600_000);

it('a seed says everything: the same one leads to the same end', () => {
  for (let n = 0; n < 3; n++) {
    const run = () => new Simulation(seed + n, MARGIN).run();
    expect(run()).toEqual(run());
  }
});
