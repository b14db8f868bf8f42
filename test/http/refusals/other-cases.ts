import { LIST } from '../../support/trading.ts';
import type { Send } from './requests.ts';
import { type Case, TRANSFERS } from './scene.ts';

const list =
  (body: object): Send =>
  ({ alice }) =>
    alice.post(LIST, body);
const history =
  (query: string): Send =>
  ({ alice }) =>
    alice.get(`/marketdata/api/v4/instruments/spot.btc_usdt/history?${query}`);
const executions =
  (body: object): Send =>
  ({ alice }) =>
    alice.post('/frontoffice/api/v4/orders/executions/list', body);
const reversed = 'startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z';

/** History and market data that are refused. */
export const HISTORY_CASES: readonly Case[] = [
  ['OutOfRange', 'for a page of 0', list({ limit: 0 }), { field: 'limit', value: 'at least 1' }],
  ['OutOfRange', 'for too many candles', history('count=45001'), { field: 'count' }],
  [
    'TooManyItems',
    'for more orders than a request may name',
    executions({ orderIds: Array.from({ length: 1001 }, () => '1') }),
    { field: 'orderIds', value: '1000' },
  ],
  ['WindowReversed', 'for a window that ends before it begins', history(reversed)],
  ['NotOneOf', 'for a period that is none', history('type=2m'), { field: 'type', value: '1m' }],
  ['WrongType', 'for a count that is no number', history('count=x'), { field: 'count' }],
];

const transfer =
  (kind: string, fields: object): Send =>
  ({ admin, alice }) =>
    admin.post(`${TRANSFERS}/${kind}`, {
      deduplicationId: 'first',
      accountId: alice.accountId,
      assetId: 'eur',
      amount: '1',
      ...fields,
    });
const decide =
  (decision: string, transferId?: string): Send =>
  ({ admin, alice, withdrawalId }) =>
    admin.post(`${TRANSFERS}/withdrawal-${decision}`, {
      accountId: alice.accountId,
      transferId: transferId ?? withdrawalId,
    });
const fresh = { deduplicationId: 'second' };

/** Transfers that are refused. */
export const TRANSFER_CASES: readonly Case[] = [
  ['AssetUnknown', 'in no asset', transfer('deposit', { ...fresh, assetId: 'x' })],
  ['TransferAccount', 'for no account', transfer('deposit', { ...fresh, accountId: 'x' })],
  ['TransferAmount', 'of nothing', transfer('deposit', { ...fresh, amount: '0' })],
  ['BalanceOverflow', 'beyond all', transfer('deposit', { ...fresh, amount: '1e20' })],
  ['DeduplicationConflict', 'under a used name', transfer('deposit', { amount: '2' })],
  ['InsufficientFunds', 'of too much', transfer('withdrawal', { ...fresh, amount: '100' })],
  ['TransferUnknown', 'that is none', decide('confirm', '999')],
  ['TransferFinal', 'that is decided', decide('cancel')],
  ['Forbidden', 'to a trader', ({ alice }) => alice.post(`${TRANSFERS}/deposit`, {})],
];
