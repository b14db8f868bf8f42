import { amend, cancel, ORDERS_V4, type OrderFields } from '../../support/trading.ts';
import type { Send } from './requests.ts';
import type { Case } from './scene.ts';

type OwnOrder = 'openId' | 'partialId' | 'postOnlyId' | 'endedId' | 'none';

const change =
  (which: OwnOrder, fields: OrderFields): Send =>
  (scene) =>
    amend(scene.alice, which === 'none' ? '999999999' : scene[which], fields);

/** Amends and cancels that are refused. */
export const CHANGE_CASES: readonly Case[] = [
  ['NothingToAmend', 'that changes nothing', change('openId', {})],
  [
    'NothingToAmend',
    'that changes nothing, in words',
    change('openId', { requestedPrice: null, requestedAmount: null }),
  ],
  ['PriceOffStep', 'to a price off the step', change('openId', { requestedPrice: '0.001' })],
  ['PriceNotPositive', 'to the price 0', change('openId', { requestedPrice: '0' })],
  ['AmountNotPositive', 'to the amount 0', change('openId', { requestedAmount: '0' })],
  ['AmountOffStep', 'to an amount off the step', change('openId', { requestedAmount: '1e-9' })],
  ['AmountTooSmall', 'to less than minAmount', change('openId', { requestedAmount: '0.000001' })],
  ['AmountTooLarge', 'to more than there can be', change('openId', { requestedAmount: '1e30' })],
  ['PriceTooLarge', 'to a price beyond all prices', change('openId', { requestedPrice: '1e30' })],
  ['AmendBelowFilled', 'to what is filled', change('partialId', { requestedAmount: '0.01' })],
  ['AmendBelowFilled', 'to less', change('partialId', { requestedAmount: '0.005' })],
  ['InsufficientFunds', 'to more than there is', change('openId', { requestedAmount: '2e3' })],
  ['PostOnlyWouldTake', 'to take', change('postOnlyId', { requestedPrice: '30000' })],
  ['OrderUnknown', 'of no order', change('none', { requestedPrice: '1' })],
  ['UnknownField', 'of the side', change('openId', { side: 'Sell' })],
  ['BadFormat', 'to a price that is none', change('openId', { requestedPrice: 'one' })],
  ['OrderClosed', 'of an ended order', change('endedId', { requestedPrice: '999' })],
  ['OrderClosed', 'that cancels an ended order', ({ alice, endedId }) => cancel(alice, endedId)],
  [
    'AmendMarketOrder',
    'of a market order',
    ({ bob, waitingId }) => amend(bob, waitingId, { requestedPrice: '0.05' }),
  ],
  [
    'MarketUnknown',
    'that cancels all of no market',
    ({ alice }) => alice.del(`${ORDERS_V4}?marketId=spot.btc_eur`),
    { field: 'spot.btc_eur' },
  ],
  [
    'UnknownField',
    'by an unknown query',
    ({ alice }) => alice.del(`${ORDERS_V4}?market=spot.btc_usdt`),
  ],
  [
    'DuplicateKey',
    'by a query that says it twice',
    ({ alice }) => alice.del(`${ORDERS_V4}?marketId=spot.btc_usdt&marketId=spot.btc_usdt`),
  ],
  [
    'BadEscape',
    'by a query with a broken escape',
    ({ alice }) => alice.del(`${ORDERS_V4}?marketId=%zz`),
  ],
];
