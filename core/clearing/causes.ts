import { OrderSource, OrderStatus, Reason } from '../messages/enums.ts';

/** Why clearing takes an order off the book; travels to the worker and back. */
export const Cause = {
  Trader: 0,
  CancelAll: 1,
  Expiry: 2,
  RetryTimeout: 3,
  MarketHalted: 4,
  MarketDisabled: 5,
  AccountHalted: 6,
  /** The account is below the stop-out level. */
  StopOut: 7,
  /** The venue closes the position that the order was to close. */
  StopLoss: 8,
  TakeProfit: 9,
} as const;

interface Ending {
  readonly status: number;
  readonly reason: number;
  /** undefined: the order's own. */
  readonly source: number | undefined;
}

const { Cancelled, Expired } = OrderStatus;
const { System } = OrderSource;

/** How an order ends, by cause. Only Gtd and Day orders expire. */
const ENDINGS: readonly Ending[] = [
  { status: Cancelled, reason: Reason.Trader, source: undefined },
  { status: Cancelled, reason: Reason.Trader, source: undefined },
  { status: Expired, reason: Reason.Trader, source: System },
  { status: Cancelled, reason: Reason.Trader, source: System },
  { status: Cancelled, reason: Reason.MarketHalted, source: System },
  { status: Cancelled, reason: Reason.MarketDisabled, source: System },
  { status: Cancelled, reason: Reason.Admin, source: System },
  { status: Cancelled, reason: Reason.StopOut, source: System },
  { status: Cancelled, reason: Reason.StopLoss, source: System },
  { status: Cancelled, reason: Reason.TakeProfit, source: System },
];

export function endingOf(cause: number): Ending {
  const ending = ENDINGS[cause];
  if (ending === undefined) throw new RangeError(`no cause ${cause}`);
  return ending;
}
