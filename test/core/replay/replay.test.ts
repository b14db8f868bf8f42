import { describe, expect, it } from 'vitest';
import { type ReplayChecksums, ReplayVenue } from '../../../bench/core/replay-venue.ts';
import { parseWorkload, WorkloadError } from '../../../bench/core/workload-file.ts';
import { SelfTrade } from '../../../core/order-book/index.ts';
import { NaiveBook } from '../../model/naive-book.ts';
import { Dice } from '../../simulation/dice.ts';
import { seed } from '../../support/seed.ts';
import { type WorkloadRecord, workloadBytes } from './workload-bytes.ts';

const [GTC, IOC, MARKET, CANCEL, REPLACE] = [0, 1, 2, 3, 4];

function replay(bytes: Uint8Array): ReplayChecksums {
  const workload = parseWorkload(bytes);
  const venue = new ReplayVenue(workload);
  venue.run(workload.words, 0, workload.prefillCount + workload.commandCount);
  return venue.checksums;
}

/** The same figures from the naive book and arithmetic without bounds. */
function expectedChecksums(records: readonly WorkloadRecord[]): ReplayChecksums {
  const ids: bigint[] = [];
  let fills = 0;
  let fillQuantity = 0;
  let notional = 0n;
  let hash = 0x811c9dc5n;
  const book = new NaiveBook({
    fill: (slot, price, quantity) => {
      fills++;
      fillQuantity += quantity;
      notional += BigInt(price) * BigInt(quantity);
      const mixed = (hash ^ ((ids[slot] ?? 0n) % 2n ** 32n)) * 0x01000193n;
      hash = (mixed + BigInt(quantity)) % 2n ** 32n;
    },
    selfTradeCancelled: () => undefined,
  });
  const { None } = SelfTrade;
  for (const { operation, side, quantity, price, orderId } of records) {
    const limit = Number(price);
    const slot = ids.indexOf(orderId);
    if (operation === GTC) book.place(ids.push(orderId) - 1, side, limit, quantity, 1, None);
    else if (operation === IOC) book.take(side, limit, quantity, 1, None);
    else if (operation === MARKET) book.take(side, [Infinity, 0][side] ?? 0, quantity, 1, None);
    else if (operation === CANCEL) book.cancel(slot);
    else if (book.find(slot) !== undefined) book.replace(slot, limit, quantity, None);
  }
  return {
    fills,
    fillQuantity,
    fillNotionalMod: Number(notional % 2n ** 53n),
    fillHash: Number(hash),
    resting: book.restingCount,
  };
}

interface Shape {
  readonly name: string;
  readonly firstId: bigint;
  readonly idStep: bigint;
  readonly middle: bigint;
  readonly spread: number;
  readonly quantity: number;
}

const SHAPES: readonly Shape[] = [
  { name: 'small', firstId: 1n, idStep: 1n, middle: 500n, spread: 9, quantity: 20 },
  { name: 'from id 0', firstId: 0n, idStep: 1n, middle: 500n, spread: 400, quantity: 20 },
  {
    name: 'wide',
    firstId: 2n ** 52n,
    idStep: 2n ** 33n + 1n,
    middle: 2n ** 52n,
    spread: 2 ** 31,
    quantity: 2 ** 32 - 1,
  },
];

function randomRecords(dice: Dice, shape: Shape, count: number): WorkloadRecord[] {
  let placed = 0n;
  return Array.from({ length: count }, () => {
    const operation = dice.pick([GTC, GTC, GTC, GTC, IOC, MARKET, CANCEL, CANCEL, REPLACE]) ?? 0;
    const isNew = operation !== CANCEL && operation !== REPLACE;
    const number = isNew ? placed++ : BigInt(dice.below(Number(placed) + 2));
    const price = shape.middle + BigInt(dice.between(-shape.spread, shape.spread));
    return {
      operation,
      side: dice.below(2),
      quantity: operation === CANCEL ? 0 : 1 + dice.below(shape.quantity),
      price: operation === CANCEL || operation === MARKET ? 0n : price,
      orderId: shape.firstId + number * shape.idStep,
    };
  });
}

const gtc = (orderId: bigint, price = 5n): WorkloadRecord => ({
  operation: 0,
  side: 0,
  quantity: 1,
  price,
  orderId,
});

describe(`replaying a workload file, SEED=${seed}`, () => {
  it.each(SHAPES)('gives the checksums of the naive book: $name', (shape) => {
    for (let run = 0; run < 20; run++) {
      const records = randomRecords(new Dice(seed + run), shape, 400);
      const bytes = workloadBytes(records.slice(0, 50), records.slice(50));
      expect(replay(bytes), `SEED=${seed + run}`).toEqual(expectedChecksums(records));
    }
  });

  it('believes the records, not the hints in the header', () => {
    const records = [gtc(1n), gtc(2n), gtc(300n)];
    const hints = { 4: 1, 5: 999, 6: 0, 7: 77 };
    expect(replay(workloadBytes(records, [], hints)).resting).toBe(3);
  });

  it.each<[string, Uint8Array]>([
    ['32-byte records', new Uint8Array(0)],
    ['32-byte records', workloadBytes([], [gtc(1n)]).subarray(0, 50)],
    ['header', workloadBytes([], [], { 0: 1 })],
    ['version 2', workloadBytes([], [], { 1: 2 })],
    ['promises 1 + 2', workloadBytes([gtc(1n)], [], { 3: 2 })],
    ['record 2: operation 5', workloadBytes([gtc(1n)], [{ ...gtc(2n), operation: 5 }])],
    ['record 1: side 2', workloadBytes([{ ...gtc(2n), side: 2 }], [])],
    ['record 1: the quantity', workloadBytes([{ ...gtc(2n), quantity: 0 }], [])],
    ['record 1: the price is 0', workloadBytes([gtc(2n, 0n)], [])],
    ['record 1: the price is beyond', workloadBytes([gtc(2n, 2n ** 53n)], [])],
    ['record 1: the order id', workloadBytes([gtc(2n ** 64n - 1n)], [])],
  ])('refuses a damaged file and names %s', (problem, bytes) => {
    expect(() => parseWorkload(bytes)).toThrow(WorkloadError);
    expect(() => parseWorkload(bytes)).toThrow(problem);
  });

  it('refuses an order under the id of one that rests', () => {
    expect(() => replay(workloadBytes([gtc(1n)], [gtc(1n)]))).toThrow('while it rests');
  });
});
