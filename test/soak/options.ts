import { parseArgs } from 'node:util';

export interface SoakOptions {
  readonly minutes: number;
  readonly connections: number;
  /** Milliseconds that each connection pauses between two requests. */
  readonly pause: number;
  readonly seed: number;
}

/** `--minutes 3 --connections 32 --pause 2 --seed 1`; throws on what makes no sense. */
export function readOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
      pause: { type: 'string', default: '2' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    },
  });
  const number = (name: keyof typeof values, least: number): number => {
    const value = Number(values[name]);
    if (value >= least) return value;
    throw new Error(`--${name} ${values[name]} is not a number of at least ${least}`);
  };
  return {
    minutes: number('minutes', 0.2),
    connections: number('connections', 1),
    pause: number('pause', 0),
    seed: number('seed', 0),
  };
}
