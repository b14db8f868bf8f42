import type { Directory } from '../../../persistence/directory/index.ts';

type Favorites = Directory['favorites'];

/** Favorites that may be known without asking for them. */
export interface FavoritesInMemory extends Favorites {
  /** The user's favorite market ids where they are in memory; the same array until they change. */
  known(userId: string): readonly string[] | undefined;
}

interface Kept {
  readonly reading: Promise<string[]>;
  marketIds: readonly string[] | undefined;
}

const USERS_MAX = 10_000;
/** One for all who have none. */
const NONE: readonly string[] = [];

/**
 * Favorites in memory: every list of markets asks for those of its caller. The directory's thread
 * works in the order in which it is asked, so what was read before a change is stored before the
 * change is done, and forgotten then.
 */
export function cachedFavorites(favorites: Favorites, usersMax = USERS_MAX): FavoritesInMemory {
  const kept = new Map<string, Kept>();
  const forgetting = async (userId: string, change: Promise<void>): Promise<void> => {
    try {
      await change;
    } finally {
      kept.delete(userId);
    }
  };
  return {
    add: (input) => forgetting(input.userId, favorites.add(input)),
    remove: (input) => forgetting(input.userId, favorites.remove(input)),
    known: (userId) => kept.get(userId)?.marketIds,
    list(userId) {
      const before = kept.get(userId);
      if (before !== undefined) return before.reading;
      const entry: Kept = { reading: favorites.list(userId), marketIds: undefined };
      const oldest = kept.keys().next();
      if (kept.size >= usersMax && oldest.done !== true) kept.delete(oldest.value);
      kept.set(userId, entry);
      entry.reading.then(
        (marketIds) => {
          entry.marketIds = marketIds.length === 0 ? NONE : marketIds;
        },
        () => {
          if (kept.get(userId) === entry) kept.delete(userId);
        },
      );
      return entry.reading;
    },
  };
}
