import { SelfTrade } from '../../../core/order-book/index.ts';
import type { NaiveBook } from '../../model/naive-book.ts';
import { Dice } from '../../simulation/dice.ts';
import type { Command } from './commands.ts';

const MOST = Number.MAX_SAFE_INTEGER;

/** How one kind of market behaves: where prices lie and how much is asked for. */
export interface Flow {
  readonly name: string;
  readonly price: (dice: Dice, drift: number) => number;
  readonly quantity: (dice: Dice) => number;
  readonly owners: number;
  readonly slots: number;
}

const small = (dice: Dice) => dice.between(1, 20);

export const FLOWS: readonly Flow[] = [
  {
    name: 'a few prices, many orders at each',
    price: (dice) => dice.between(100, 106),
    quantity: small,
    owners: 4,
    slots: 60,
  },
  {
    name: 'prices around the edge of a page and of its words',
    price: (dice) => 1024 + dice.pick([-33, -32, -31, -2, -1, 0, 1, 2, 31, 32, 33]),
    quantity: small,
    owners: 3,
    slots: 40,
  },
  {
    name: 'a drifting price with far levels',
    price: (dice, drift) => drift + dice.between(-40, 40) + (dice.oneIn(8) ? dice.below(9000) : 0),
    quantity: small,
    owners: 8,
    slots: 120,
  },
  {
    name: 'prices anywhere',
    price: (dice) => 1 + Math.floor((dice.below(2 ** 31) / 2 ** 31) ** 4 * (MOST - 1)),
    quantity: (dice) => (dice.oneIn(3) ? MOST - dice.below(3) : dice.between(1, 1_000_000)),
    owners: 3,
    slots: 80,
  },
  {
    name: 'the largest prices and quantities',
    price: (dice) => MOST - dice.below(3) * 512,
    quantity: (dice) => dice.pick([1, 2, 2 ** 31, 2 ** 32, 2 ** 52, MOST - 1, MOST]),
    owners: 2,
    slots: 16,
  },
];

const WEIGHTS = { place: 50, take: 10, fillOrKill: 8, cancel: 20, reduce: 6, replace: 10 };

/** An endless, repeatable flow of commands; looks at the book only for slots that rest. */
export class RandomCommands {
  private readonly dice: Dice;
  private readonly flow: Flow;
  private drift = 5_000;

  constructor(seed: number, flow: Flow) {
    this.dice = new Dice(seed);
    this.flow = flow;
  }

  next(book: NaiveBook): Command {
    const { dice, flow } = this;
    if (dice.oneIn(20)) this.drift = Math.max(50, this.drift + dice.between(-30, 30));
    const kind = dice.weighted(WEIGHTS);
    const quantity = flow.quantity(dice);
    const selfTrade = dice.pick(Object.values(SelfTrade));
    const price = flow.price(dice, this.drift);
    switch (kind) {
      case 'cancel':
        return { kind, slot: this.restingSlot(book) };
      case 'reduce':
        return { kind, slot: this.restingSlot(book), quantity };
      case 'replace':
        return { kind, slot: this.restingSlot(book), price, quantity, selfTrade };
      default: {
        const owner = dice.oneIn(10) ? 2 ** 32 - 1 : dice.below(flow.owners);
        const side = dice.below(2);
        const slot = dice.below(flow.slots);
        return {
          kind,
          slot,
          side,
          price: this.limit(kind, side, price),
          quantity,
          owner,
          selfTrade,
        };
      }
    }
  }

  /** A market order now and then. */
  private limit(kind: Command['kind'], side: number, price: number): number {
    if (kind !== 'take' || !this.dice.oneIn(4)) return price;
    if (side === 1) return 0;
    return this.dice.oneIn(2) ? MOST : Number.POSITIVE_INFINITY;
  }

  private restingSlot(book: NaiveBook): number {
    const resting = book.resting();
    return resting.length === 0 || this.dice.oneIn(10)
      ? this.dice.below(this.flow.slots)
      : this.dice.pick(resting).slot;
  }
}
