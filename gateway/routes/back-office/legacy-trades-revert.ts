import { Type } from '@sinclair/typebox';
import { powerOfTen } from '../../../core/fixed-point/index.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import type { ReversalAnswer, RevertedTrade } from '../../../core/messages/reversals.ts';
import { parseJson, type TradeMoves } from '../../../persistence/views/index.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import { UuidInput } from '../../http/schema.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';

/** One request is one event in the journal. */
const EXECUTIONS_MAX = 100;

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const RevertBody = Type.Object({
  userId: UuidInput(),
  executions: Type.Array(Type.Object({ executionId: Id, orderId: Id }), {
    minItems: 1,
    maxItems: EXECUTIONS_MAX,
  }),
});

interface Named {
  readonly executionId: number;
  readonly orderId: number;
}

/** Undoing trades. */
export function legacyTradeRevertRoutes(context: RouteContext): Route[] {
  const { venue } = context;
  return [
    route({
      method: 'POST',
      path: '/back-api/backoffice/trades/revert',
      area: 'trading',
      operation: 'manage-trades',
      summary: 'Undoes the trades of these executions of a user, both sides, all of them or none.',
      body: RevertBody,
      responses: {
        200: Type.Object({
          updatedExecutionsCount: Type.Integer({
            description: 'Trades undone; those undone before do not count.',
          }),
        }),
      },
      handler: async ({ body: { userId, executions }, session, now }) => {
        const trades = new Map<number, RevertedTrade>();
        for (const named of executions) {
          const trade = await tradeOf(context, userId.toLowerCase(), named);
          if (trade instanceof Refused) return trade;
          trades.set(trade.tradeId, trade);
        }
        const answer = await venue.cold<ReversalAnswer>(now, {
          type: 'RevertTrades',
          trades: [...trades.values()],
          by: session.userId,
        });
        return answer instanceof Refused ? answer : { updatedExecutionsCount: answer.count };
      },
    }),
  ];
}

/** What the trade booked. Another's execution, and one of another order, read as none. */
async function tradeOf(
  { venue, views }: RouteContext,
  userId: string,
  { executionId, orderId }: Named,
): Promise<RevertedTrade | Refused> {
  const text = textOf(await views.tradeMoves(executionId, venue.durableSequence));
  if (text instanceof Refused) return text;
  const moves = text === undefined ? undefined : parseJson<TradeMoves>(text);
  if (moves === undefined || moves.ownerUserId !== userId || moves.orderId !== orderId) {
    const details = { field: 'executions', value: executionId, limit: orderId };
    return refuse(Refusals.ExecutionUnknown, details);
  }
  const { tradeId, booked } = moves;
  const { index: market, base, configuration } = venue.reference.market(moves.market);
  if (booked === null) {
    const { marketId } = configuration;
    return refuse(Refusals.MarketTypeMismatch, {
      field: 'executions',
      value: marketId,
      limit: 'Spot',
    });
  }
  const { buyer, seller, quantity, amountScale } = booked;
  return {
    tradeId,
    market,
    buyer,
    seller,
    base: BigInt(quantity) * powerOfTen(base.scale - amountScale),
    buyerDebit: BigInt(booked.buyerDebit),
    sellerCredit: BigInt(booked.sellerCredit),
    buyerFee: BigInt(booked.buyerFee),
    sellerFee: BigInt(booked.sellerFee),
  };
}
