import { decodeCold, encodeCold } from '../messages/codec.ts';

/** Members packed together: few enough to pack one group in well under a millisecond. */
const GROUP_SIZE = 512;

export interface PackedListSnapshot {
  /** The packed groups, one behind the other, and where each ends. */
  readonly bytes: Uint8Array;
  readonly ends: Float64Array;
}

/**
 * A list of plain objects that is cheap to copy out: groups are packed when they are first asked for
 * after a change, so that a snapshot packs only what has changed since the one before.
 */
export class PackedList<T> {
  private readonly members: T[] = [];
  private readonly packed: (Uint8Array | undefined)[] = [];

  get length(): number {
    return this.members.length;
  }

  get(index: number): T | undefined {
    return this.members[index];
  }

  all(): readonly T[] {
    return this.members;
  }

  /** Replaces a member, or appends one at `length`. */
  set(index: number, member: T): void {
    if (index > this.members.length) throw new RangeError(`index ${index} leaves a gap`);
    this.members[index] = member;
    this.packed[Math.floor(index / GROUP_SIZE)] = undefined;
  }

  save(): PackedListSnapshot {
    const groups = Math.ceil(this.members.length / GROUP_SIZE);
    const ends = new Float64Array(groups);
    let length = 0;
    for (let group = 0; group < groups; group++) {
      length += this.pack(group).length;
      ends[group] = length;
    }
    const bytes = new Uint8Array(length);
    for (let group = 0; group < groups; group++) {
      bytes.set(this.pack(group), group === 0 ? 0 : (ends[group - 1] as number));
    }
    return { bytes, ends };
  }

  private pack(group: number): Uint8Array {
    const known = this.packed[group];
    if (known !== undefined) return known;
    const first = group * GROUP_SIZE;
    const packed = encodeCold(this.members.slice(first, first + GROUP_SIZE));
    this.packed[group] = packed;
    return packed;
  }
}

/** The members of a saved list, in order. */
export function unpackList<T>({ bytes, ends }: PackedListSnapshot): T[] {
  const members: T[] = [];
  ends.forEach((end, group) => {
    const start = group === 0 ? 0 : (ends[group - 1] as number);
    members.push(...decodeCold<T[]>(bytes.subarray(start, end)));
  });
  return members;
}
