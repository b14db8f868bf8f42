import { ClearingState, Replay } from '../../core/clearing/index.ts';
import { RecordCursor } from '../../core/messages/record.ts';
import type { JournalBatch } from '../journal/chain.ts';
import { Rematch, type RematchCounts } from './rematch.ts';

export interface Rematched {
  readonly state: ClearingState;
  readonly counts: RematchCounts;
}

/**
 * Replays a whole journal and matches it again. `reached` is called after each event. Throws a
 * Difference where what is recorded is not what the rules lead to.
 */
export function rematchAll(
  batches: Iterable<JournalBatch>,
  clientOrderIdWindow?: number,
  reached: (state: ClearingState) => void = () => {},
): Rematched {
  const state = new ClearingState(clientOrderIdWindow);
  const replay = new Replay(state);
  const rematch = new Rematch(state);
  for (const { firstSequence, events } of batches) {
    if (firstSequence !== state.sequence + 1) {
      throw new RangeError(`events from ${firstSequence} do not follow on ${state.sequence}`);
    }
    const cursor = new RecordCursor(events);
    while (cursor.next()) {
      rematch.event(cursor);
      replay.event(cursor);
      reached(state);
    }
  }
  rematch.finish();
  return { state, counts: rematch.counts };
}
