import { describe, expect, it } from 'vitest';
import { Administration } from '../../core/clearing/administration.ts';
import { ClientOrderIds } from '../../core/clearing/client-order-ids.ts';
import { Expiries } from '../../core/clearing/expiries.ts';
import { Ledger } from '../../core/clearing/ledger.ts';
import { OrderTable } from '../../core/clearing/order-table.ts';
import { ClearingState } from '../../core/clearing/state.ts';
import { OrderBook } from '../../core/order-book/index.ts';
import { ClearingHost } from '../../core/runtime/clearing-host.ts';
import { Journal } from '../../persistence/journal/index.ts';
import type { PendingBatch } from '../../persistence/journal/journal.ts';
import { MemoryStore } from '../persistence/support/memory-store.ts';
import { everyNth, type Method, nothing, replace, type Undo } from './sabotage.ts';
import { Simulation } from './simulation.ts';

/** What could be wrong with a venue: each of these must be noticed within a few seeds. */
const SABOTAGE: readonly (readonly [string, () => Undo])[] = [
  [
    'answers before the commit',
    () => {
      const held = new WeakMap<object, PendingBatch[]>();
      return replace(
        Journal.prototype,
        'append',
        (append) =>
          function (this: object, batches: unknown) {
            const waiting = [...(held.get(this) ?? []), ...(batches as PendingBatch[])];
            held.set(this, waiting);
            if (waiting.length < 4) return 0;
            held.set(this, []);
            return append.call(this, waiting);
          },
      );
    },
  ],
  [
    'loses a write and says nothing',
    () => replace(MemoryStore.prototype, 'append', everyNth(40, nothing)),
  ],
  ['forgets to release a hold', () => replace(Ledger.prototype, 'release', everyNth(30, nothing))],
  ['makes money', () => replace(Ledger.prototype, 'credit', everyNth(30, twice))],
  ['loses money', () => replace(Ledger.prototype, 'credit', everyNth(30, nothing))],
  [
    'forgets which orders a client has named',
    () => replace(ClientOrderIds.prototype, 'find', () => () => 0),
  ],
  ['never lets an order expire', () => replace(Expiries.prototype, 'takeDue', () => () => 0)],
  [
    'forgets in a crash what a halt was to end',
    () => replace(Administration.prototype, 'resumeSweeps', () => () => undefined),
  ],
  [
    'moves an amended order to where its event stands',
    () =>
      replace(
        ClearingState.prototype,
        'orderAmended',
        (apply) =>
          function (this: object, event: unknown) {
            const { sequence } = this as ClearingState;
            return apply.call(this, { ...(event as object), priority: sequence + 1 });
          },
      ),
  ],
  [
    'saves a table without its newest free slot',
    () =>
      replace(
        OrderTable.prototype,
        'save',
        (save) =>
          function (this: object) {
            const saved = save.call(this) as { freeSlots: Uint32Array };
            return { ...saved, freeSlots: saved.freeSlots.slice(1) };
          },
      ),
  ],
  ['does not make an order smaller', () => replace(OrderBook.prototype, 'reduce', nothing)],
  [
    'leaves a cancelled order in the book',
    () =>
      replace(
        OrderBook.prototype,
        'cancel',
        everyNth(
          20,
          (cancel) =>
            function (this: object, ...parameters: unknown[]) {
              const book = this as OrderBook;
              const slot = parameters[0] as number;
              const [side, price] = [book.sideOf(slot), book.priceOf(slot)];
              const quantity = cancel.call(this, slot) as number;
              if (quantity > 0 && !book.wouldCross(side, price))
                book.rest(slot, side, price, quantity, 1);
              return quantity;
            },
        ),
      ),
  ],
  [
    'counts answers of the books that no question had',
    () =>
      replace(
        ClearingHost.prototype,
        'results',
        everyNth(
          50,
          (results) =>
            function (this: object, batch: unknown) {
              results.call(this, batch);
              Reflect.set(this, 'outstanding', (Reflect.get(this, 'outstanding') as number) - 1);
            },
        ),
      ),
  ],
];

function twice(original: Method): Method {
  return function (this: object, ...parameters: unknown[]) {
    original.apply(this, parameters);
    return original.apply(this, parameters);
  };
}

const SEEDS_MAX = 60;

/** The first complaint within so many seeds. */
function complaint(): string | undefined {
  for (let seed = 1; seed <= SEEDS_MAX; seed++) {
    try {
      new Simulation(seed).run();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return undefined;
}

describe('a simulation notices a venue that', () => {
  it.each(SABOTAGE)('%s', (_, sabotage) => {
    const undo = sabotage();
    try {
      expect(complaint()).toBeDefined();
    } finally {
      undo();
    }
  });

  it('is whole, and says nothing of it', () => {
    new Simulation(1).run();
  });
});
