import type Database from 'better-sqlite3';
import type { ColdEvent } from '../../core/messages/cold-events.ts';

/** Notes which trades were undone. The trades themselves stay: they happened. */
export class ReversalFold {
  private readonly insert: Database.Statement;
  private pending: { readonly trade: number; readonly time: number }[] = [];

  constructor(database: Database.Database) {
    this.insert = database.prepare('INSERT INTO reversals VALUES (?, ?)');
  }

  apply(event: ColdEvent, time: number): void {
    if (event.type !== 'TradesReverted') return;
    for (const { tradeId } of event.trades) this.pending.push({ trade: tradeId, time });
  }

  /** Writes everything collected; inside the caller's transaction. */
  write(): void {
    for (const { trade, time } of this.pending) this.insert.run(trade, time);
    this.pending = [];
  }
}
