import type Database from 'better-sqlite3';
import { sideIndex } from '../packing.ts';
import type { PositionRecord } from './forms.ts';
import type { PositionRequest } from './requests.ts';

type PositionRow = Omit<PositionRecord, 'side'> & { readonly traits: number };

export class PositionQueries {
  private readonly byId: Database.Statement;

  constructor(database: Database.Database) {
    this.byId = database.prepare(
      `SELECT positions.id AS positionId, positions.market, traits, opened AS openedAt,
         closed AS closedAt
       FROM positions JOIN orders ON orders.id = open_order
       WHERE positions.id = ? AND positions.account = ?`,
    );
  }

  /** Null where the account never had such a position. */
  position({ account, positionId }: PositionRequest): PositionRecord | null {
    const row = this.byId.get(positionId, account) as PositionRow | undefined;
    if (row === undefined) return null;
    const { traits, ...position } = row;
    return { ...position, side: sideIndex(traits) };
  }
}
