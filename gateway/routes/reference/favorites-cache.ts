import type { Directory } from '../../../persistence/directory/index.ts';

type Favorites = Directory['favorites'];

const USERS_MAX = 10_000;

/**
 * Favorites in memory: every list of markets asks for those of its caller. The directory's thread
 * works in the order in which it is asked, so what was read before a change is stored before the
 * change is done, and forgotten then.
 */
export function cachedFavorites(favorites: Favorites, usersMax = USERS_MAX): Favorites {
  const known = new Map<string, Promise<string[]>>();
  const forgetting = async (userId: string, change: Promise<void>): Promise<void> => {
    try {
      await change;
    } finally {
      known.delete(userId);
    }
  };
  return {
    add: (input) => forgetting(input.userId, favorites.add(input)),
    remove: (input) => forgetting(input.userId, favorites.remove(input)),
    list(userId) {
      const before = known.get(userId);
      if (before !== undefined) return before;
      const reading = favorites.list(userId);
      const oldest = known.keys().next();
      if (known.size >= usersMax && oldest.done !== true) known.delete(oldest.value);
      known.set(userId, reading);
      reading.catch(() => {
        if (known.get(userId) === reading) known.delete(userId);
      });
      return reading;
    },
  };
}
