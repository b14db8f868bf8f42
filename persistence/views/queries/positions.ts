import type Database from 'better-sqlite3';
import type { PositionRecord } from './forms.ts';
import type { PositionRequest } from './requests.ts';

export class PositionQueries {
  private readonly byId: Database.Statement;

  constructor(database: Database.Database) {
    this.byId = database.prepare(
      `SELECT id AS positionId, market, opened AS openedAt, closed AS closedAt FROM positions
       WHERE id = ? AND account = ?`,
    );
  }

  /** Null where the account never had such a position. */
  position({ account, positionId }: PositionRequest): PositionRecord | null {
    return (this.byId.get(positionId, account) as PositionRecord | undefined) ?? null;
  }
}
