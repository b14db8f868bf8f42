import type { DirectoryDatabase } from './database.ts';

/** Small facts about the data directory itself: marks of what was seeded, for example. */
export const metaOperations = {
  get(database: DirectoryDatabase, key: string): string | null {
    const row = database
      .statement<{ value: string }>('SELECT value FROM meta WHERE key = ?')
      .get(key);
    return row?.value ?? null;
  },

  set(database: DirectoryDatabase, input: { readonly key: string; readonly value: string }): void {
    database
      .statement(
        `INSERT INTO meta (key, value) VALUES (?, ?)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      )
      .run(input.key, input.value);
  },
};
