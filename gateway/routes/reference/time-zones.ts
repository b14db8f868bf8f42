import { setImmediate as nextTurn } from 'node:timers/promises';

/** A time zone as it is at a moment. */
export interface TimeZoneForm {
  /** IANA id. */
  readonly id: string;
  readonly displayName: string;
  /** `+03:00`. */
  readonly utcOffset: string;
}

/** Offsets change at a quarter of an hour, if they change. */
const QUARTER_MS = 15 * 60_000;
/** Each zone costs a fraction of a millisecond: so many in one turn of the event loop. */
const ZONES_PER_TURN = 8;
const UTC = 'UTC';

/** How far ahead of UTC a zone is at a moment (UTC milliseconds), as `+03:00`. */
export function utcOffset(timeZone: string, at: number): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const part = format.formatToParts(at).find(({ type }) => type === 'timeZoneName');
  const offset = part?.value.replace('GMT', '') ?? '';
  return offset === '' ? '+00:00' : offset;
}

/** Every zone that the system knows, by id, with the offsets of now. Worked out once a quarter. */
export class TimeZones {
  private readonly ids: readonly string[];
  private quarter = Number.NaN;
  private zones: Promise<TimeZoneForm[]> = Promise.resolve([]);

  /** `platformZone` is listed whatever the system calls its zones. */
  constructor(platformZone: string) {
    const known = Intl.supportedValuesOf('timeZone');
    this.ids = [...new Set([...known, UTC, platformZone])].sort();
  }

  list(now: number): Promise<TimeZoneForm[]> {
    const quarter = Math.floor(now / QUARTER_MS);
    if (quarter !== this.quarter) {
      this.quarter = quarter;
      this.zones = this.workOut(now);
    }
    return this.zones;
  }

  private async workOut(now: number): Promise<TimeZoneForm[]> {
    const zones: TimeZoneForm[] = [];
    for (const [index, id] of this.ids.entries()) {
      if (index % ZONES_PER_TURN === ZONES_PER_TURN - 1) await nextTurn();
      const offset = utcOffset(id, now);
      zones.push({ id, displayName: `(UTC${offset}) ${id}`, utcOffset: offset });
    }
    return zones;
  }
}
