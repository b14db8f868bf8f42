import type { PositionTriggers } from '../../../core/messages/cold-events.ts';
import { Side } from '../../../core/messages/enums.ts';
import type { EventOf } from '../../clearing/records.ts';
import type { NaivePositions } from './positions.ts';

const NONE: PositionTriggers = { stopLoss: 0, takeProfit: 0, trailingOffset: 0 };

/** The triggers of open positions, as the events tell of them. */
export class FollowedTriggers {
  private readonly triggers = new Map<number, PositionTriggers>();

  of(positionId: number): PositionTriggers {
    return this.triggers.get(positionId) ?? NONE;
  }

  /** An order's first fill into a position: what it brings replaces what the position has. */
  opened(
    positionId: number,
    isNew: boolean,
    order: EventOf<'MarginOrderAccepted'>,
    price: number,
  ): void {
    const before = isNew ? NONE : this.of(positionId);
    const { stopLoss, takeProfit, isTrailing } = order;
    const trailingOffset = isTrailing === 1 ? Math.abs(price - stopLoss) : 0;
    this.triggers.set(positionId, {
      ...before,
      ...(stopLoss > 0 ? { stopLoss, trailingOffset } : {}),
      ...(takeProfit > 0 ? { takeProfit } : {}),
    });
  }

  set(positionId: number, triggers: PositionTriggers): void {
    this.triggers.set(positionId, triggers);
  }

  ended(positionId: number): void {
    this.triggers.delete(positionId);
  }

  /** Trailing stops go where bid and ask take them, and never back. */
  follow(event: EventOf<'TrailingStopsMoved'>, positions: NaivePositions): void {
    let moved = 0;
    for (const [id, triggers] of this.triggers) {
      const position = positions.open.get(id);
      if (position === undefined || position.market !== event.market) continue;
      if (triggers.trailingOffset === 0) continue;
      const stopLoss = movedTo(position.side, triggers, event);
      if (stopLoss === triggers.stopLoss) continue;
      this.triggers.set(id, { ...triggers, stopLoss });
      moved++;
    }
    if (moved === 0) throw new Error(`nothing trails in market ${event.market}`);
  }
}

function movedTo(
  side: number,
  { stopLoss, trailingOffset }: PositionTriggers,
  { bid, ask }: EventOf<'TrailingStopsMoved'>,
): number {
  if (side === Side.Buy) return bid === 0 ? stopLoss : Math.max(stopLoss, bid - trailingOffset);
  return ask === 0 ? stopLoss : Math.min(stopLoss, ask + trailingOffset);
}
