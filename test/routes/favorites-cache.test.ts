import { describe, expect, it } from 'vitest';
import { cachedFavorites } from '../../gateway/routes/reference/favorites-cache.ts';

/** A directory that does what it is asked in order, each thing when it is told to go on. */
class SlowDirectory {
  reads = 0;
  private readonly favorites = new Set<string>();
  private readonly waiting: (() => void)[] = [];

  readonly add = ({ userId, marketId }: { userId: string; marketId: string }): Promise<void> =>
    this.later(() => void this.favorites.add(`${userId}/${marketId}`));
  readonly remove = ({ userId, marketId }: { userId: string; marketId: string }): Promise<void> =>
    this.later(() => void this.favorites.delete(`${userId}/${marketId}`));
  readonly list = (userId: string): Promise<string[]> =>
    this.later(() => {
      this.reads++;
      if (userId === 'broken') throw new Error('the disk failed');
      const own = [...this.favorites].filter((name) => name.startsWith(`${userId}/`));
      return own.map((name) => name.slice(userId.length + 1));
    });

  /** Does what was asked so far. */
  async goOn(): Promise<void> {
    for (const run of this.waiting.splice(0)) run();
    await new Promise((resolve) => setImmediate(resolve));
  }

  private later<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }
}

async function answered<T>(directory: SlowDirectory, asked: Promise<T>): Promise<T> {
  await directory.goOn();
  return await asked;
}

describe('favorites in memory', () => {
  it('are read once, and again after they changed', async () => {
    const directory = new SlowDirectory();
    const favorites = cachedFavorites(directory);
    expect(await answered(directory, favorites.list('alice'))).toEqual([]);
    expect(await favorites.list('alice')).toEqual([]);
    expect(directory.reads).toBe(1);
    await answered(directory, favorites.add({ userId: 'alice', marketId: 'm', at: 1 }));
    expect(await answered(directory, favorites.list('alice'))).toEqual(['m']);
    await answered(directory, favorites.remove({ userId: 'alice', marketId: 'm' }));
    expect(await answered(directory, favorites.list('alice'))).toEqual([]);
    expect(directory.reads).toBe(3);
  });

  it('are known at once from when they have been read until they change', async () => {
    const directory = new SlowDirectory();
    const favorites = cachedFavorites(directory);
    expect(favorites.known('alice')).toBeUndefined();
    const reading = favorites.list('alice');
    expect(favorites.known('alice')).toBeUndefined();
    await answered(directory, reading);
    const none = favorites.known('alice');
    expect(none).toEqual([]);
    expect(favorites.known('bob')).toBeUndefined();
    await answered(directory, favorites.add({ userId: 'alice', marketId: 'm', at: 1 }));
    expect(favorites.known('alice')).toBeUndefined();
    await answered(directory, favorites.list('alice'));
    expect(favorites.known('alice')).toEqual(['m']);
    expect(favorites.known('alice')).toBe(favorites.known('alice'));
    await answered(directory, favorites.list('bob'));
    expect(favorites.known('bob')).toBe(none);
  });

  it('of a read that was under way when they changed are not kept', async () => {
    const directory = new SlowDirectory();
    const favorites = cachedFavorites(directory);
    const early = favorites.list('alice');
    const adding = favorites.add({ userId: 'alice', marketId: 'm', at: 1 });
    await directory.goOn();
    expect(await early).toEqual([]);
    await adding;
    expect(await answered(directory, favorites.list('alice'))).toEqual(['m']);
  });

  it('are those of one user each, and of so many users', async () => {
    const directory = new SlowDirectory();
    const favorites = cachedFavorites(directory, 2);
    await answered(directory, favorites.add({ userId: 'alice', marketId: 'm', at: 1 }));
    for (const [user, list] of [
      ['alice', ['m']],
      ['bob', []],
      ['carol', []],
    ] as const) {
      expect(await answered(directory, favorites.list(user))).toEqual(list);
    }
    await favorites.list('carol');
    expect(directory.reads).toBe(3);
    await answered(directory, favorites.list('alice'));
    expect(directory.reads).toBe(4);
  });

  it('are asked for again where that failed', async () => {
    const directory = new SlowDirectory();
    const favorites = cachedFavorites(directory);
    for (const reads of [1, 2]) {
      const asked = favorites.list('broken');
      await Promise.all([expect(asked).rejects.toThrow('the disk failed'), directory.goOn()]);
      expect(directory.reads).toBe(reads);
    }
  });
});
