import { Refused } from '../../http/refused.ts';

/** Fields of an order's body that clearing names in its refusals. */
const ORDER_FIELDS: ReadonlySet<string> = new Set([
  'marketId',
  'side',
  'orderType',
  'timeInForce',
  'requestedAmount',
  'requestedPrice',
  'cancellationDate',
  'clientOrderId',
  'postOnly',
  'selfTradePrevention',
  'leverage',
  'activationPrice',
]);
/** What bodies call otherwise than clearing does. */
const TRIGGERS: Readonly<Record<string, string>> = {
  stopLoss: 'stopLoss.price',
  takeProfit: 'takeProfit.price',
};

/** A refusal of clearing with its field as it stands in the body of a Spot order. */
export function inOrder<T>(answer: T | Refused): T | Refused {
  return renamed(answer, (field) => (ORDER_FIELDS.has(field) ? `order.${field}` : undefined));
}

/** The same for orders whose amounts are lots. */
export function inMarginOrder<T>(answer: T | Refused): T | Refused {
  return renamed(answer, (field) => {
    if (field === 'requestedAmount') return 'order.requestedLotAmount';
    const trigger = TRIGGERS[field];
    if (trigger !== undefined) return `order.${trigger}`;
    return ORDER_FIELDS.has(field) || field === 'requestedLotAmount' ? `order.${field}` : undefined;
  });
}

/** The same for the triggers of a position. */
export function inTriggers<T>(answer: T | Refused): T | Refused {
  return renamed(answer, (field) => TRIGGERS[field]);
}

function renamed<T>(
  answer: T | Refused,
  nameOf: (field: string) => string | undefined,
): T | Refused {
  if (!(answer instanceof Refused)) return answer;
  const { refusal, details } = answer;
  const field = nameOf(details.field ?? '');
  return field === undefined ? answer : new Refused(refusal, { ...details, field });
}
