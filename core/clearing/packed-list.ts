import { decodeCold, encodeCold } from '../messages/codec.ts';

/** Members packed together: few enough to pack one group in well under a millisecond. */
const GROUP_SIZE = 512;

/** The packed groups in order, in shared memory: other threads read them where they are. */
export type PackedListSnapshot = readonly Uint8Array[];

/**
 * A list of plain objects that is cheap to hand over: members are packed in groups, and a group that
 * was packed is never written again. A snapshot packs only what has changed since the one before, and
 * shares the rest.
 */
export class PackedList<T> {
  private readonly members: T[] = [];
  private readonly groups: (Uint8Array | undefined)[] = [];

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
    const isNew = index === this.members.length;
    const group = Math.floor(index / GROUP_SIZE);
    this.members[index] = member;
    this.groups[group] = undefined;
    // A group that is full is packed at once: a first snapshot need not pack them all.
    if (isNew && (index + 1) % GROUP_SIZE === 0) this.pack(group);
  }

  save(): PackedListSnapshot {
    const count = Math.ceil(this.members.length / GROUP_SIZE);
    return Array.from({ length: count }, (_, group) => this.pack(group));
  }

  /** Takes over what was saved; the list must be empty. */
  load(snapshot: PackedListSnapshot): void {
    for (const packed of snapshot) {
      for (const member of decodeCold<T[]>(packed)) this.members.push(member);
      this.groups.push(share(packed));
    }
  }

  private pack(group: number): Uint8Array {
    const known = this.groups[group];
    if (known !== undefined) return known;
    const first = group * GROUP_SIZE;
    const packed = share(encodeCold(this.members.slice(first, first + GROUP_SIZE)));
    this.groups[group] = packed;
    return packed;
  }
}

function share(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
