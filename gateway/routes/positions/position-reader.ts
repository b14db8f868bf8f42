import type { PositionsAnswer, PositionView } from '../../../core/messages/queries.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import {
  type PositionRecord,
  parseJson,
  type ViewsClient,
} from '../../../persistence/views/index.ts';
import { Refused, refuse } from '../../http/refused.ts';
import type { LivePosition } from '../../venue/live-positions.ts';
import type { OrderReader } from '../../venue/order-reader.ts';
import type { Venue } from '../../venue/venue.ts';
import { textOf } from '../../venue/views-read.ts';
import type { RouteContext } from '../context.ts';
import { type PositionRead, positionForm } from './position-form.ts';
import { positionUnknown } from './position-id.ts';

/** Reads positions: open ones from clearing, those that were from the views. */
export class PositionReader {
  private readonly venue: Venue;
  private readonly orders: OrderReader;
  private readonly views: Pick<ViewsClient, 'position'>;

  constructor({ venue, orders, views }: Pick<RouteContext, 'venue' | 'orders' | 'views'>) {
    this.venue = venue;
    this.orders = orders;
    this.views = views;
  }

  /** The account's open positions, the newest first. */
  async open(account: number, now: number): Promise<readonly PositionView[] | Refused> {
    const answer = await this.venue.cold<PositionsAnswer>(now, { type: 'Positions', account });
    if (answer instanceof Refused) return answer;
    return answer.positions.toSorted((a, b) => b.positionId - a.positionId);
  }

  /** One open position; refused as closed or unknown where there is none. */
  async find(account: number, positionId: number, now: number): Promise<PositionView | Refused> {
    const positions = await this.open(account, now);
    if (positions instanceof Refused) return positions;
    const position = positions.find((each) => each.positionId === positionId);
    return position ?? (await this.explain(positionUnknown(positionId), account, positionId));
  }

  /**
   * Where a position is, open or not; undefined where the account never had it. Whoever closes one
   * waits for the views only where nobody else knows it.
   */
  async openOrClosed(
    account: number,
    positionId: number,
    now: number,
  ): Promise<LivePosition | Refused | undefined> {
    const live = this.venue.positions.find(positionId);
    if (live !== undefined) return live.account === account ? live : undefined;
    const projected = await this.views.position(account, positionId, 0);
    if (projected.kind === 'answer') return { ...parseJson(projected.json), account };
    const open = await this.open(account, now);
    if (open instanceof Refused) return open;
    const position = open.find((each) => each.positionId === positionId);
    if (position !== undefined) return { ...position, account };
    const record = await this.record(account, positionId);
    return record === undefined || record instanceof Refused ? record : { ...record, account };
  }

  /** A position that was, or is. */
  async record(account: number, positionId: number): Promise<PositionRecord | Refused | undefined> {
    const { durableSequence } = this.venue;
    const text = textOf(await this.views.position(account, positionId, durableSequence));
    return typeof text === 'string' ? parseJson(text) : text;
  }

  /** Clearing knows open positions only: one that it does not find may have been closed. */
  async explain(refused: Refused, account: number, positionId: number): Promise<Refused> {
    if (refused.refusal !== Refusals.PositionUnknown) return refused;
    const record = await this.record(account, positionId);
    if (record instanceof Refused) return record;
    if (record === undefined) return refused;
    return refuse(Refusals.PositionClosed, { field: 'positionId', value: positionId });
  }

  /** In its read form, with the comment of the order that opened it. */
  async form(position: PositionView, account: number): Promise<PositionRead | Refused> {
    const order = await this.orders.find(account, position.openOrderId);
    if (order instanceof Refused) {
      if (order.refusal !== Refusals.OrderUnknown) return order;
      return positionForm(position, this.venue.reference.market(position.market), '');
    }
    return positionForm(position, this.venue.reference.market(position.market), order.comment);
  }
}
