import { Side } from '../../messages/enums.ts';
import type { Positions } from './positions.ts';

const NOBODY: number[] = [];

/**
 * The trailing stops of one side of a market. What most prices need is known without looking at any of
 * them: the price from which the first would follow, and the price that the first is reached at.
 */
export class TrailingStops {
  private readonly positions: Positions;
  private readonly long: boolean;
  private readonly side: number;
  private readonly isWaiting: (id: number) => boolean;
  private ids: number[] = [];
  private readonly listed = new Set<number>();
  /** At better prices than this something follows; nothing does where it is not known to. */
  private followFrom: number;
  private reachedAt: number;

  constructor(positions: Positions, side: number, isWaiting: (id: number) => boolean) {
    this.positions = positions;
    this.side = side;
    this.long = side === Side.Buy;
    this.isWaiting = isWaiting;
    this.followFrom = this.long ? Number.POSITIVE_INFINITY : 0;
    this.reachedAt = this.long ? 0 : Number.POSITIVE_INFINITY;
  }

  add(slot: number): void {
    const id = this.positions.ids[slot] as number;
    if (!this.listed.has(id)) {
      this.listed.add(id);
      this.ids.push(id);
    }
    this.note(slot);
  }

  /** Whether any stop has to follow `price`, 0 for none. */
  moves(price: number): boolean {
    if (price === 0) return false;
    const mayMove = this.long ? price > this.followFrom : price < this.followFrom;
    if (!mayMove) return false;
    // The bound may be that of a position that is gone.
    this.refresh();
    return this.long ? price > this.followFrom : price < this.followFrom;
  }

  /** The positions whose stops `price` (0 for none) has reached, in the order in which they came. */
  reached(price: number): number[] {
    if (price === 0 || !this.mayBeReached(price)) return NOBODY;
    this.refresh();
    if (!this.mayBeReached(price)) return NOBODY;
    return this.ids.filter((id) => {
      const stop = this.positions.stopLosses[this.positions.find(id)] as number;
      return this.isWaiting(id) && (this.long ? price <= stop : price >= stop);
    });
  }

  /** Looks at all of them: the bounds are exact, and what is gone is forgotten. */
  refresh(): void {
    const { positions, ids } = this;
    this.followFrom = this.long ? Number.POSITIVE_INFINITY : 0;
    this.reachedAt = this.long ? 0 : Number.POSITIVE_INFINITY;
    let kept = 0;
    for (const id of ids) {
      const slot = positions.find(id);
      const trails = slot >= 0 && positions.trailingOffsets[slot] !== 0;
      if (!trails || positions.sides[slot] !== this.side) {
        this.listed.delete(id);
        continue;
      }
      ids[kept++] = id;
      this.note(slot);
    }
    ids.length = kept;
  }

  private mayBeReached(price: number): boolean {
    return this.long ? price <= this.reachedAt : price >= this.reachedAt;
  }

  private note(slot: number): void {
    const { positions } = this;
    const stop = positions.stopLosses[slot] as number;
    const offset = positions.trailingOffsets[slot] as number;
    const follow = this.long ? stop + offset : stop - offset;
    const waits = this.isWaiting(positions.ids[slot] as number);
    if (this.long) {
      this.followFrom = Math.min(this.followFrom, follow);
      if (waits) this.reachedAt = Math.max(this.reachedAt, stop);
    } else {
      this.followFrom = Math.max(this.followFrom, follow);
      if (waits) this.reachedAt = Math.min(this.reachedAt, stop);
    }
  }
}
