import { Type } from '@sinclair/typebox';
import { Refusals } from '../../../core/messages/refusals.ts';
import { CHAIN_NODES_MAX } from '../../../persistence/directory/index.ts';
import { orBusy } from '../../directory-answer.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { JsonText } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { Int32, TimestampOutput } from '../../http/schema.ts';
import type { PartnerContext } from './context.ts';
import { PAGE_QUERY, pageOf } from './resource-routes.ts';

const node = {
  nodeId: Type.String(),
  userId: Type.String({ format: 'uuid' }),
  level: Int32({ description: '0 at the top of a chain' }),
  createTime: TimestampOutput(),
};
const ChainNode = Type.Recursive((self) => Type.Object({ ...node, children: Type.Array(self) }), {
  $id: 'ChainNode',
});

/** Chains: who stands under whom. Nodes follow the relations and cannot be written. */
export function nodeRoutes({ directory }: PartnerContext): Route[] {
  return [
    route({
      method: 'GET',
      path: '/nodes/{nodeId}',
      area: 'partner',
      operation: 'read',
      summary: 'Reads a node of a chain with everybody below it',
      responses: { 200: ChainNode },
      handler: async ({ params: { nodeId } }) => {
        const tree = await orBusy(directory.partnerNodes.tree(nodeId));
        if (tree instanceof Refused) return tree;
        if (tree === null) {
          return refuse(Refusals.ResourceUnknown, { field: 'nodeId', value: nodeId });
        }
        if (tree !== 'too-large') return new JsonText(tree);
        return refuse(Refusals.ChainTooLarge, { field: 'nodeId', limit: CHAIN_NODES_MAX });
      },
    }),
    route({
      method: 'GET',
      path: '/nodes',
      area: 'partner',
      operation: 'read',
      extension: true,
      summary: 'Lists the tops of all chains, or the node of one user',
      query: Type.Object({
        ...PAGE_QUERY,
        after: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
        userId: Type.Optional(Type.String({ format: 'uuid' })),
      }),
      responses: { 200: pageOf('nodes', Type.Object(node)) },
      handler: async ({ query: { after, limit = 20, userId } }) => {
        const user = userId?.toLowerCase();
        const page = await orBusy(directory.partnerNodes.list({ after, limit, userId: user }));
        if (page instanceof Refused) return page;
        return { isExceeded: page.isExceeded, nodes: page.items };
      },
    }),
  ];
}
