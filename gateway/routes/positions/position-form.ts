import { type Static, Type } from '@sinclair/typebox';
import { formatQuotient, formatUnits, powerOfTen } from '../../../core/fixed-point/index.ts';
import { MARKET_TYPES, nameAt, SIDES } from '../../../core/messages/enums.ts';
import { averagePrice, baseAmount, requestedPrice } from '../../../core/messages/order-figures.ts';
import type { PositionView } from '../../../core/messages/queries.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { DecimalOutput, Nullable, OneOf, TimestampOutput } from '../../http/schema.ts';
import type { MarketEntry } from '../../venue/reference.ts';

const LEVERAGE_SCALE = 2;

/** An open position as it is read. */
export const PositionRead = Type.Object({
  positionId: Type.String(),
  marketId: Type.String(),
  marketType: OneOf(MARKET_TYPES),
  marketDisplayName: Type.String(),
  marketFullName: Nullable(Type.String()),
  side: OneOf(SIDES, { description: 'Buy is long, Sell is short.' }),
  lotAmount: DecimalOutput(),
  closingLotAmount: DecimalOutput({ description: 'What orders that close it have claimed.' }),
  baseAmount: DecimalOutput(),
  openPrice: DecimalOutput({ description: 'Volume-weighted average of what opened it.' }),
  currentPrice: Nullable(
    DecimalOutput({
      description: 'At which it could be closed now: the bid of a long, the ask of a short.',
    }),
  ),
  markPrice: Nullable(DecimalOutput()),
  unrealizedPnlInRAT: DecimalOutput({ description: 'At currentPrice.' }),
  usedMarginInRAT: DecimalOutput(),
  leverage: DecimalOutput({ description: 'Opening notional / margin, to two places.' }),
  stopLoss: Nullable(Type.Object({ price: DecimalOutput(), isTrailing: Type.Boolean() })),
  takeProfit: Nullable(Type.Object({ price: DecimalOutput() })),
  openOrderId: Type.String(),
  openedAt: TimestampOutput(),
  comment: Nullable(Type.String({ description: 'That of the order that opened it.' })),
});
export type PositionRead = Static<typeof PositionRead>;

/** `comment` is that of the order which opened it, '' for none. */
export function positionForm(
  position: PositionView,
  { configuration, scales }: MarketEntry,
  comment: string,
): PositionRead {
  const { quantity, triggers } = position;
  const { stopLoss, takeProfit, trailingOffset } = triggers;
  return {
    positionId: String(position.positionId),
    marketId: configuration.marketId,
    marketType: configuration.type,
    marketDisplayName: configuration.displayName,
    marketFullName: configuration.fullName,
    side: nameAt(SIDES, position.side),
    lotAmount: formatUnits(quantity, scales.amount),
    closingLotAmount: formatUnits(position.closing, scales.amount),
    baseAmount: baseAmount(quantity, scales),
    openPrice: averagePrice(position.openNotional, quantity, scales.price),
    currentPrice: requestedPrice(position.currentPrice, scales.price),
    markPrice: requestedPrice(position.markPrice, scales.price),
    unrealizedPnlInRAT: formatUnits(position.unrealized, scales.commission),
    usedMarginInRAT: formatUnits(position.usedMargin, scales.commission),
    leverage: effectiveLeverage(position, scales),
    stopLoss:
      stopLoss === 0
        ? null
        : { price: formatUnits(stopLoss, scales.price), isTrailing: trailingOffset !== 0 },
    takeProfit: takeProfit === 0 ? null : { price: formatUnits(takeProfit, scales.price) },
    openOrderId: String(position.openOrderId),
    openedAt: formatTimestamp(position.openedAt),
    comment: comment === '' ? null : comment,
  };
}

/** Opening notional / margin, rounded half up; 0 where no margin was taken. */
function effectiveLeverage(
  { openNotional, margin }: PositionView,
  { price, amount, quote, lotSize }: MarketEntry['scales'],
): string {
  if (margin === 0n) return '0';
  const notional = openNotional * BigInt(lotSize) * powerOfTen(quote);
  return formatQuotient(notional, margin * powerOfTen(price + amount), LEVERAGE_SCALE, 'half-up');
}
