import { divide, formatQuotient, formatUnits } from '../../../core/fixed-point/index.ts';
import type {
  OrderSourceName,
  OrderStatusName,
  OrderTypeName,
  ReasonName,
  SideName,
  TimeInForceName,
  TransferStatusName,
  TransferTypeName,
} from '../../../core/messages/enums.ts';

/** An order in its read form. Amounts, prices and ids are decimal strings, times ISO 8601 UTC. */
export interface OrderView {
  readonly marketId: string;
  readonly marketType: string;
  readonly marketDisplayName: string;
  readonly marketFullName: string | null;
  readonly orderId: string;
  /** What the client named the order, if it did; an extension. */
  readonly clientOrderId: string | null;
  readonly timeInForce: TimeInForceName;
  readonly status: OrderStatusName;
  readonly source: OrderSourceName;
  readonly reason: ReasonName;
  readonly side: SideName;
  readonly orderType: OrderTypeName;
  readonly requestedAmount: string;
  readonly remainingAmount: string;
  /** Null for a Market order. */
  readonly requestedPrice: string | null;
  /** The volume-weighted average, or "0" before the first fill: see `averagePrice`. */
  readonly executionPrice: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When it was cancelled or expired. */
  readonly cancellationDate: string | null;
  readonly commissionAssetId: string;
  readonly commissionAmount: string;
  readonly leverage: number;
  readonly rejectDetails: string;
  /** See `fillFactor`. */
  readonly fillFactor: string;
}

export interface ExecutionView {
  /** Null: Spot has no positions. */
  readonly positionId: string | null;
  readonly orderId: string;
  readonly executionId: string;
  readonly side: SideName;
  readonly reason: ReasonName;
  readonly createdAt: string;
  readonly baseAmount: string;
  readonly executionPrice: string;
  /**
   * The commission in the root asset. A commission in another asset is converted at the close of the
   * newest minute candle, up to the execution's, of that asset's Spot market against the root asset,
   * rounded half up; "0" while there is none.
   */
  readonly commissionAmountInRAT: string;
  readonly commissions: readonly { readonly assetId: string; readonly amount: string }[];
  readonly comment: string | null;
}

/** A page of executions, newest first; `isExceeded` where there are more than were asked for. */
export interface ExecutionPage {
  readonly executions: readonly ExecutionView[];
  readonly isExceeded: boolean;
}

/** A candle of the period from `start` up to, not including, `end`. */
export interface CandleView {
  readonly instrument: string;
  readonly start: string;
  readonly end: string;
  readonly low: string;
  readonly high: string;
  readonly open: string;
  readonly close: string;
  readonly volume: string;
  readonly quoteVolume: string;
}

export interface TransferView {
  readonly transferId: string;
  readonly deduplicationId: string;
  readonly assetId: string;
  readonly type: TransferTypeName;
  readonly status: TransferStatusName;
  readonly amount: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Digits that an average price may have beyond those of the market's prices. */
const AVERAGE_EXTRA_DIGITS = 8;
const FILL_FACTOR_DIGITS = 8;

/**
 * The volume-weighted average of an order's fills, from Σ price × quantity in ticks × steps and the
 * filled steps: at most eight digits beyond the market's price scale, half up; "0" without a fill.
 */
export function averagePrice(tradedNotional: bigint, filled: number, priceScale: number): string {
  if (filled === 0) return '0';
  const steps = BigInt(filled);
  if (tradedNotional % steps === 0n) return formatUnits(tradedNotional / steps, priceScale);
  const scale = priceScale + AVERAGE_EXTRA_DIGITS;
  return formatUnits(
    divide(tradedNotional * 10n ** BigInt(AVERAGE_EXTRA_DIGITS), steps, 'half-up'),
    scale,
  );
}

/** filled / requested with at most eight digits, down: only a complete fill reads "1". */
export function fillFactor(filled: number, requested: number): string {
  if (filled === 0) return '0';
  if (filled === requested) return '1';
  return formatQuotient(BigInt(filled), BigInt(requested), FILL_FACTOR_DIGITS, 'floor');
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
