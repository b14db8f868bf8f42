import { describe, expect, it } from 'vitest';
import { seed } from '../../support/seed.ts';
import { BookPair, type Command, print } from './commands.ts';
import { FLOWS, type Flow, RandomCommands } from './random-commands.ts';
import { shrink } from './shrink.ts';

/** For each flow; `COMMANDS=` asks for more. A run starts with empty books. */
const COMMANDS = Number(process.env['COMMANDS'] ?? 20_000);
const COMMANDS_PER_RUN = 4_000;

describe(`a book against the naive one, SEED=${seed} COMMANDS=${COMMANDS}`, () => {
  it.each(FLOWS)(
    'does the same over random commands: $name',
    (flow) => {
      for (let done = 0, run = 0; done < COMMANDS; done += COMMANDS_PER_RUN, run++) {
        compare(flow, seed + run);
      }
    },
    30_000 + COMMANDS,
  );

  it('does the same over every sequence of up to four commands', () => {
    const alphabet = smallCommands();
    const lengths = [1, 2, 3, 4];
    const expected = lengths.reduce((sum, length) => sum + alphabet.length ** length, 0);
    let sequences = 0;
    for (const length of lengths) {
      forEachSequence(alphabet, length, (sequence) => {
        sequences++;
        if (sequence.length === length) replay(sequence, length);
      });
    }
    expect(sequences).toBe(expected);
  }, 60_000);
});

function compare(flow: Flow, flowSeed: number): void {
  const pair = new BookPair();
  const source = new RandomCommands(flowSeed, flow);
  const commands: Command[] = [];
  try {
    for (let i = 0; i < COMMANDS_PER_RUN; i++) {
      const command = source.next(pair.naive);
      commands.push(command);
      pair.apply(command);
    }
    pair.compareAll();
  } catch (cause) {
    const shortest = shrink(commands, (list) => problemOf(list) !== undefined);
    const lines = shortest.map(print).join('\n');
    throw new Error(`SEED=${flowSeed}, ${problemOf(shortest)}, after\n${lines}`, { cause });
  }
}

function problemOf(commands: readonly Command[]): string | undefined {
  try {
    replay(commands, 1);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function replay(commands: readonly Command[], compareAllEvery: number): void {
  const pair = new BookPair(compareAllEvery);
  for (const command of commands) pair.apply(command);
}

/** Two prices, two sides, two sizes, two owners that never trade with themselves, and what ends them. */
function smallCommands(): Command[] {
  const commands: Command[] = [];
  for (const price of [511, 512]) {
    for (const side of [0, 1]) {
      for (const quantity of [1, 2]) {
        const slot = commands.length;
        const owner = quantity;
        commands.push({ kind: 'place', slot, side, price, quantity, owner, selfTrade: slot % 4 });
      }
    }
  }
  for (const slot of [0, 3, 4, 7]) commands.push({ kind: 'cancel', slot });
  for (const slot of [0, 5]) {
    commands.push({ kind: 'replace', slot, price: 511, quantity: 2, selfTrade: 2 });
  }
  commands.push({ kind: 'reduce', slot: 1, quantity: 0 });
  return commands;
}

function forEachSequence<T>(
  alphabet: readonly T[],
  length: number,
  visit: (sequence: readonly T[]) => void,
): void {
  const sequence: T[] = [];
  const extend = (): void => {
    if (sequence.length === length) return visit(sequence);
    for (const element of alphabet) {
      sequence.push(element);
      extend();
      sequence.pop();
    }
  };
  extend();
}
