import { type Administration, recordAudit } from './audit.ts';
import type { DirectoryDatabase } from './database.ts';

/** A category with its own markets and the categories below it, both in their order. */
export interface MarketCategory {
  readonly id: string;
  readonly name: string;
  readonly categories: readonly MarketCategory[];
  readonly markets: readonly string[];
}

interface CategoryRow {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

interface MarketRow {
  readonly categoryId: string;
  readonly marketId: string;
}

export const marketCategoryOperations = {
  tree: readTree,

  /** Makes the tree exactly this one; all or nothing. Ids must be unique in it. */
  replace(
    database: DirectoryDatabase,
    input: Administration & { readonly categories: readonly MarketCategory[] },
  ): void {
    database.transaction(() => {
      database.statement('DELETE FROM market_categories').run();
      insertAll(database, input.categories, null);
      recordAudit(database, input, {
        action: 'market-categories.replace',
        entity: 'market-categories',
        entityId: 'tree',
        details: { categories: input.categories },
      });
    });
  },

  /** The ids of the markets in this category and those below it; none for one that is unknown. */
  marketsOf(database: DirectoryDatabase, categoryId: string): string[] {
    return database
      .statement<{ marketId: string }>(
        `WITH RECURSIVE branch (id) AS (
           SELECT id FROM market_categories WHERE id = ?
           UNION ALL
           SELECT child.id FROM market_categories child JOIN branch ON child.parent_id = branch.id
         )
         SELECT DISTINCT market_id AS marketId
           FROM market_category_markets JOIN branch ON category_id = branch.id`,
      )
      .all(categoryId)
      .map(({ marketId }) => marketId);
  },
};

function insertAll(
  database: DirectoryDatabase,
  categories: readonly MarketCategory[],
  parentId: string | null,
): void {
  const addCategory = database.statement(
    'INSERT INTO market_categories (id, name, parent_id, place) VALUES (?, ?, ?, ?)',
  );
  const addMarket = database.statement(
    'INSERT INTO market_category_markets (category_id, market_id, place) VALUES (?, ?, ?)',
  );
  for (const [place, { id, name, categories: below, markets }] of categories.entries()) {
    addCategory.run(id, name, parentId, place);
    for (const [marketPlace, marketId] of markets.entries())
      addMarket.run(id, marketId, marketPlace);
    insertAll(database, below, id);
  }
}

function readTree(database: DirectoryDatabase): MarketCategory[] {
  const rows = database
    .statement<CategoryRow>(
      'SELECT id, name, parent_id AS parentId FROM market_categories ORDER BY place',
    )
    .all();
  const members = database
    .statement<MarketRow>(
      `SELECT category_id AS categoryId, market_id AS marketId
         FROM market_category_markets ORDER BY place`,
    )
    .all();
  const children = grouped(rows, ({ parentId }) => parentId);
  const markets = grouped(members, ({ categoryId }) => categoryId);
  const below = (parentId: string | null): MarketCategory[] =>
    (children.get(parentId) ?? []).map(({ id, name }) => ({
      id,
      name,
      categories: below(id),
      markets: (markets.get(id) ?? []).map(({ marketId }) => marketId),
    }));
  return below(null);
}

function grouped<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
