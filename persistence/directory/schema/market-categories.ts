/** Market categories: a tree in which siblings have places; a market may be in several. */
export const marketCategories = `
CREATE TABLE market_categories (
  id        TEXT    NOT NULL PRIMARY KEY,
  name      TEXT    NOT NULL,
  parent_id TEXT    REFERENCES market_categories (id) ON DELETE CASCADE,
  place     INTEGER NOT NULL
) STRICT;
CREATE INDEX market_categories_by_parent ON market_categories (parent_id, place);

CREATE TABLE market_category_markets (
  category_id TEXT    NOT NULL REFERENCES market_categories (id) ON DELETE CASCADE,
  market_id   TEXT    NOT NULL,
  place       INTEGER NOT NULL,
  PRIMARY KEY (category_id, market_id)
) STRICT, WITHOUT ROWID;
`;
