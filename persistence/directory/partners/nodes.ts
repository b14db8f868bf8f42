import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import type { DirectoryDatabase } from '../database.ts';

/** Nodes of one answer; beyond it the caller asks further down the chain. */
export const CHAIN_NODES_MAX = 50_000;

interface NodeRow {
  readonly id: number;
  readonly userId: string;
  readonly parentUserId: string | null;
  readonly level: number;
  readonly createdAt: number;
}

interface ChainNode {
  readonly nodeId: string;
  readonly userId: string;
  readonly level: number;
  readonly children: ChainNode[];
  readonly createTime: string;
}

const NODE_COLUMNS =
  'n.id, n.user_id AS userId, n.parent_user_id AS parentUserId, n.level, n.created_at AS createdAt';

export const partnerNodeOperations = {
  /** The node and everybody below it, as JSON text; null: no such node, 'too-large': too many. */
  tree(database: DirectoryDatabase, nodeId: string): string | 'too-large' | null {
    const rows = /^[1-9]\d{0,14}$/.test(nodeId) ? rowsBelow(database, Number(nodeId)) : [];
    if (rows.length > CHAIN_NODES_MAX) return 'too-large';
    const byUser = new Map(rows.map((row) => [row.userId, nodeOf(row)]));
    for (const { userId, parentUserId } of rows.slice(1)) {
      const node = byUser.get(userId);
      if (node !== undefined) byUser.get(parentUserId ?? '')?.children.push(node);
    }
    const top = byUser.get(rows[0]?.userId ?? '');
    return top === undefined ? null : JSON.stringify(top);
  },

  /** Nodes without those below them: of one user, or the tops of all chains. */
  list(
    database: DirectoryDatabase,
    query: {
      readonly userId?: string | undefined;
      readonly after?: string | undefined;
      readonly limit: number;
    },
  ): { readonly items: Omit<ChainNode, 'children'>[]; readonly isExceeded: boolean } {
    const { userId, limit } = query;
    const after = query.after ?? '0';
    const rows = database
      .statement<NodeRow>(
        `SELECT ${NODE_COLUMNS} FROM partner_nodes n
          WHERE ${userId === undefined ? 'n.level = 0 AND ?' : 'n.user_id = ?'} AND n.id > ?
          ORDER BY n.id LIMIT ? + 0`,
      )
      .all(userId ?? 1, /^\d{1,15}$/.test(after) ? Number(after) : 0, limit + 1);
    const items = rows.slice(0, limit).map((row) => {
      const { children, ...node } = nodeOf(row);
      return node;
    });
    return { items, isExceeded: rows.length > limit };
  },
};

/** Breadth first: whoever is above comes earlier. */
function rowsBelow(database: DirectoryDatabase, id: number): NodeRow[] {
  return database
    .statement<NodeRow>(
      `WITH RECURSIVE below (id, user_id, depth) AS (
         SELECT id, user_id, 0 FROM partner_nodes WHERE id = ?
         UNION ALL
         SELECT n.id, n.user_id, below.depth + 1
           FROM below JOIN partner_nodes n ON n.parent_user_id = below.user_id
         ORDER BY 3
         LIMIT ? + 0
       )
       SELECT ${NODE_COLUMNS} FROM below JOIN partner_nodes n ON n.id = below.id
        ORDER BY below.depth, n.id`,
    )
    .all(id, CHAIN_NODES_MAX + 1);
}

function nodeOf({ id, userId, level, createdAt }: NodeRow): ChainNode {
  const createTime = formatTimestamp(createdAt);
  return { nodeId: String(id), userId, level, children: [], createTime };
}
