import type { DirectoryDatabase } from './database.ts';

interface Favorite {
  readonly userId: string;
  readonly marketId: string;
}

export const favoriteOperations = {
  /** Adding a favorite again changes nothing. */
  add(database: DirectoryDatabase, input: Favorite & { readonly at: number }): void {
    database
      .statement(
        'INSERT OR IGNORE INTO favorites (user_id, market_id, created_at) VALUES (?, ?, ?)',
      )
      .run(input.userId, input.marketId, input.at);
  },

  remove(database: DirectoryDatabase, input: Favorite): void {
    database
      .statement('DELETE FROM favorites WHERE user_id = ? AND market_id = ?')
      .run(input.userId, input.marketId);
  },

  /** The user's favorite market ids, in the order of their names. */
  list(database: DirectoryDatabase, userId: string): string[] {
    return database
      .statement<{ marketId: string }>(
        'SELECT market_id AS marketId FROM favorites WHERE user_id = ? ORDER BY market_id',
      )
      .all(userId)
      .map(({ marketId }) => marketId);
  },
};
