import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeCold } from '../../core/messages/codec.ts';
import {
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrdersTraded,
} from '../../core/messages/events.ts';
import { BatchWriter, RecordCursor } from '../../core/messages/record.ts';
import { journalPath, markPath } from '../../persistence/journal/files.ts';
import { lockDirectory } from '../../persistence/journal/lock.ts';
import { Difference, rematchAll, verify } from '../../persistence/verify/index.ts';
import { decodeEvents, type HotEvent, type VenueEvent } from '../clearing/records.ts';
import type { RecordedBatch } from '../clearing/rig.ts';
import { seed } from '../support/seed.ts';
import { copyOf, dataDirectoryOf, type RecordedVenue, recordedVenue } from './support.ts';

const HOT = { OrderAccepted, OrdersTraded, OrderClosed, OrderAmended };

/** The same journal with one event changed, or left out where `change` returns nothing. */
function tampered<K extends keyof typeof HOT>(
  { batches }: RecordedVenue,
  record: K,
  change: (event: Extract<HotEvent, { record: K }>) => object | undefined,
  isIt: (event: Extract<HotEvent, { record: K }>) => boolean = () => true,
): RecordedBatch[] {
  let done = false;
  let firstSequence = 1;
  const changed = batches.map(({ events }) => {
    const writer = new BatchWriter();
    const cursor = new RecordCursor(events);
    for (const event of decodeEvents(events)) {
      cursor.next();
      const it = event as Extract<HotEvent, { record: K }>;
      if (done || event.record !== record || !isIt(it)) writer.append(cursor.slice(), 1);
      else {
        done = true;
        const other = change(it);
        if (other !== undefined) HOT[record].write(writer, { ...event, ...other } as never);
      }
    }
    const { count } = writer;
    const batch = { firstSequence, count, events: new Uint8Array(writer.take()) };
    firstSequence += count;
    return batch;
  });
  if (!done) throw new Error(`the venue has no ${record} to tamper with`);
  return changed;
}

function complaintOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return 'none';
}

describe(`matching a journal again, SEED=${seed}`, () => {
  it('leads to what is recorded, through restarts', () => {
    let trades = 0;
    let starts = 0;
    for (let n = 0; n < 10; n++) {
      const venue = recordedVenue(seed + n, 300);
      const { state, counts } = rematchAll(venue.batches);
      starts += counts.starts;
      trades += counts.trades;
      expect(state.sequence).toBe(venue.rig.state.sequence);
    }
    expect(trades).toBeGreaterThan(0);
    expect(starts).toBeGreaterThan(10);
  });

  const venue = recordedVenue(7);
  const isPartial = (event: { takerRemaining: number; makerRemaining: number }) =>
    event.takerRemaining > 0 || event.makerRemaining > 0;

  it.each<[string, () => RecordedBatch[]]>([
    [
      'a trade that pays the seller more',
      () =>
        tampered(venue, 'OrdersTraded', ({ sellerCredit }) => ({
          sellerCredit: sellerCredit + 1n,
        })),
    ],
    [
      'a trade without commission',
      () =>
        tampered(
          venue,
          'OrdersTraded',
          () => ({ takerFee: 0n }),
          ({ takerFee }) => takerFee > 0n,
        ),
    ],
    [
      'an order that holds less than it needs',
      () =>
        tampered(
          venue,
          'OrderAccepted',
          ({ hold }) => ({ hold: hold - 1n }),
          ({ hold }) => hold > 0n,
        ),
    ],
    [
      'an amend that holds less than it needs',
      () => tampered(venue, 'OrderAmended', ({ hold }) => ({ hold: hold - 1n })),
    ],
    [
      'a trade at another price',
      () => tampered(venue, 'OrdersTraded', ({ price }) => ({ price: price + 1 })),
    ],
    [
      'a trade of another amount',
      () =>
        tampered(
          venue,
          'OrdersTraded',
          ({ quantity, takerRemaining, makerRemaining }) => ({
            quantity: quantity - 1,
            takerRemaining: takerRemaining + 1,
            makerRemaining: makerRemaining + 1,
          }),
          (event) => event.quantity > 1,
        ),
    ],
    ['a trade that is missing', () => tampered(venue, 'OrdersTraded', () => undefined, isPartial)],
    [
      'a trade with maker and taker exchanged',
      () =>
        tampered(venue, 'OrdersTraded', (event) => ({
          takerSlot: event.makerSlot,
          makerSlot: event.takerSlot,
          takerRemaining: event.makerRemaining,
          makerRemaining: event.takerRemaining,
          takerSide: 1 - event.takerSide,
        })),
    ],
    [
      'an order with another limit',
      () =>
        tampered(
          venue,
          'OrderAccepted',
          () => ({ limit: 5_000 }),
          ({ side, type, timeInForce }) => side === 0 && type === 1 && timeInForce === 0,
        ),
    ],
    ['an end with another rest', () => tampered(venue, 'OrderClosed', () => ({ remaining: 77 }))],
    [
      'an end that no rule leads to',
      () =>
        tampered(
          venue,
          'OrderClosed',
          () => ({ status: 6 }),
          ({ status }) => status === 4,
        ),
    ],
    [
      'an amend that kept a place it lost',
      () =>
        tampered(
          venue,
          'OrderAmended',
          () => ({ keptPriority: 1 }),
          (e) => e.keptPriority === 0,
        ),
    ],
  ])('finds %s', (_, batches) => {
    const complaint = complaintOf(() => rematchAll(batches()));
    expect(complaint).toMatch(/^Difference: event \d+: /);
  });

  it('finds an order that stands in another place than its amend gave it', () => {
    // Some venue of these has two orders at the price that one of them moved to.
    const complaints = Array.from({ length: 20 }, (_, n) => {
      const other = recordedVenue(100 + n, 200);
      return complaintOf(() =>
        rematchAll(
          tampered(
            other,
            'OrderAmended',
            () => ({ priority: 1 }),
            (e) => e.keptPriority === 0,
          ),
        ),
      );
    });
    expect(
      complaints.filter((complaint) => complaint.startsWith('Difference')).length,
    ).toBeGreaterThan(0);
  });
});

describe('verifying a data directory', () => {
  const venue = recordedVenue(3);
  const dataDir = dataDirectoryOf(venue);

  it('finds nothing wrong with a sound one, and leaves it as it was', () => {
    const before = readFileSync(journalPath(dataDir));
    const { differences, events, snapshots, views } = verify(dataDir);
    expect({ differences, events, snapshots }).toEqual({
      differences: [],
      events: venue.rig.state.sequence,
      snapshots: new Set(venue.snapshots.map(({ sequence }) => sequence)).size,
    });
    expect(views.kind).toBe('absent');
    expect(readFileSync(journalPath(dataDir)).equals(before)).toBe(true);
  });

  it('refuses one that a venue is using', () => {
    const lock = lockDirectory(dataDir);
    try {
      expect(complaintOf(() => verify(dataDir))).toMatch(/^JournalInUse/);
    } finally {
      lock.release();
    }
  });

  it('names the event from which on the journal is damaged', () => {
    const copy = copyOf(dataDir);
    const bytes = readFileSync(journalPath(copy));
    // A byte inside some event's client text or comment: far from anything SQLite looks at.
    const at = bytes.indexOf('spot.btc_usdt', Math.floor(bytes.length / 4));
    bytes[at + 5] = 0x58;
    writeFileSync(journalPath(copy), bytes);
    expect(complaintOf(() => verify(copy))).toMatch(/^JournalCorrupt: .*sequence \d+/);
  });

  it('notices that the end is missing, by the mark', () => {
    const shorter = dataDirectoryOf({
      ...venue,
      batches: venue.batches.slice(0, -3),
      snapshots: [],
    });
    writeFileSync(markPath(shorter), readFileSync(markPath(dataDir)));
    expect(complaintOf(() => verify(shorter))).toMatch(/^JournalBehindMark/);
  });

  it('notices a snapshot that is another state', () => {
    const [first] = venue.snapshots;
    const forged = { ...first!, nextOrderId: first!.nextOrderId + 1 };
    const copy = dataDirectoryOf({ ...venue, snapshots: [forged] });
    expect(verify(copy).differences).toEqual([expect.stringContaining('the snapshot of')]);
  });

  it('notices trades that the rules do not lead to, in a journal whose chain is whole', () => {
    const batches = tampered(venue, 'OrdersTraded', ({ price }) => ({ price: price + 1 }));
    const forged = dataDirectoryOf({ ...venue, batches, snapshots: [] });
    expect(() => verify(forged)).toThrow(Difference);
  });
});

/** Keeps the helper honest: what is not tampered with is the journal that it was. */
it('a journal that is decoded and written again is the same', () => {
  const { batches } = recordedVenue(11, 100);
  const names = (all: readonly RecordedBatch[]): VenueEvent['record'][] =>
    all.flatMap(({ events }) => decodeEvents(events).map(({ record }) => record));
  const same = tampered({ batches } as RecordedVenue, 'OrderAccepted', () => ({}));
  expect(names(same)).toEqual(names(batches));
  expect(decodeCold(new Uint8Array([0xc0]))).toBeNull();
});
