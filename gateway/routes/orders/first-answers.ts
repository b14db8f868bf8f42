import type { MarketTypeName } from '../../../core/messages/enums.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import type { LiveOrder } from '../../venue/live-orders.ts';
import type { Reference } from '../../venue/reference.ts';

/** What a placement has of its clientOrderId; only one that came before can name something else. */
export interface Naming {
  readonly clientOrderId?: string | null;
}

/**
 * The order that answers a clientOrderId that came before, if a request of this kind placed it. A stop
 * order is no order yet, and an order in a market of another type has another form of answer.
 */
export function placedBefore(
  order: LiveOrder | Refused,
  type: MarketTypeName,
  reference: Reference,
  named: Naming,
): LiveOrder | Refused {
  if (!(order instanceof Refused)) {
    const { configuration } = reference.market(order.market);
    return configuration.type === type ? order : placedElsewhere(named);
  }
  return order.refusal === Refusals.OrderUnknown ? placedElsewhere(named) : order;
}

/** The clientOrderId names what was placed at another path. */
export function placedElsewhere({ clientOrderId }: Naming): Refused {
  return refuse(Refusals.ClientOrderIdElsewhere, {
    field: 'order.clientOrderId',
    value: clientOrderId ?? '',
  });
}
