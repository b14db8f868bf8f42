import type { OrderRead } from '../../gateway/routes/orders/schemas.ts';
import type { ApiClient } from '../support/api-client.ts';
import { ASSET_SCALES } from '../support/balance-changes.ts';
import { unitsOf } from '../support/decimals.ts';
import type { TestServer } from '../support/server.ts';
import { balancesOf, type Execution, executionsOf, ordersOf } from '../support/trading.ts';

/** What each demo trading account was given. */
const DEPOSITS: Readonly<Record<string, string>> = { btc: '10', eth: '100', usdt: '1000000' };
const ORDERS_PER_REQUEST = 500;
const FILLED: readonly string[] = ['Completed', 'Cancelled', 'Expired', 'Pending', 'Working'];

/** An exact decimal as a fraction over 10^20, wide enough for every product below. */
const WIDE = 20;
const wide = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(WIDE, '0'));
};

/**
 * Adds up everything that the traders own and have paid, and everything that their orders traded.
 * They trade with nobody else, so what is missing or too much is an error of the venue. Answers what
 * is wrong, one sentence each.
 */
export async function checkBooks(traders: readonly ApiClient[]): Promise<string[]> {
  const problems: string[] = [];
  const paid: Record<string, bigint> = {};
  const owned: Record<string, bigint> = {};
  const traded: Record<string, bigint> = {};
  const names = new Set<string>();
  for (const trader of traders) {
    for (const [assetId, { total, locked }] of Object.entries(await balancesOf(trader))) {
      const scale = ASSET_SCALES[assetId] ?? 0;
      owned[assetId] = (owned[assetId] ?? 0n) + unitsOf(total, scale);
      if (unitsOf(locked, scale) < 0n) problems.push(`${locked} ${assetId} are held`);
    }
    const orders = await ordersOf(trader, {});
    const executions = await executionsByOrder(trader, orders);
    for (const order of orders) {
      const name = `${trader.accountId}/${order.clientOrderId ?? order.orderId}`;
      if (names.has(name)) problems.push(`${name} has made more than one order`);
      names.add(name);
      const asset = order.commissionAssetId;
      const fee = unitsOf(order.commissionAmount, ASSET_SCALES[asset] ?? 0);
      paid[asset] = (paid[asset] ?? 0n) + fee;
      const own = executions.get(order.orderId) ?? [];
      problems.push(...problemsOf(order, own));
      const sign = order.side === 'Buy' ? 1n : -1n;
      for (const { baseAmount } of own) {
        traded[order.marketId] = (traded[order.marketId] ?? 0n) + sign * wide(baseAmount);
      }
    }
  }
  for (const [assetId, deposit] of Object.entries(DEPOSITS)) {
    const given = unitsOf(deposit, ASSET_SCALES[assetId] ?? 0) * BigInt(traders.length);
    const difference = (owned[assetId] ?? 0n) + (paid[assetId] ?? 0n) - given;
    // Of each trade that is no whole number of units the house keeps the part of one.
    if (difference > 0n) problems.push(`${difference} units of ${assetId} came from nowhere`);
    if (-difference > BigInt(names.size)) problems.push(`${-difference} ${assetId} are gone`);
  }
  for (const [marketId, sum] of Object.entries(traded)) {
    if (sum !== 0n) problems.push(`in ${marketId} ${sum} more was bought than sold`);
  }
  return problems;
}

/** An order's executions add up to it. */
function problemsOf(order: OrderRead, executions: readonly Execution[]): string[] {
  const problems: string[] = [];
  const sum = (values: bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
  const amount = sum(executions.map(({ baseAmount }) => wide(baseAmount)));
  const filled = wide(order.requestedAmount) - wide(order.remainingAmount);
  if (amount !== filled) problems.push(`order ${order.orderId} filled ${filled}, not ${amount}`);
  const fees = sum(executions.flatMap(({ commissions }) => commissions.map((c) => wide(c.amount))));
  if (fees !== wide(order.commissionAmount)) {
    problems.push(`order ${order.orderId} paid ${order.commissionAmount}, its executions ${fees}`);
  }
  if (amount > 0n) {
    const cost = sum(executions.map((one) => wide(one.executionPrice) * wide(one.baseAmount)));
    const difference = cost - wide(order.executionPrice) * amount;
    // The average is rounded at the eighth digit.
    if ((difference < 0n ? -difference : difference) > amount * 10n ** BigInt(WIDE - 8)) {
      problems.push(`order ${order.orderId} has another average than ${order.executionPrice}`);
    }
  }
  if (!FILLED.includes(order.status) && amount > 0n) {
    problems.push(`order ${order.orderId} is ${order.status} and has traded`);
  }
  return problems;
}

async function executionsByOrder(
  trader: ApiClient,
  orders: readonly OrderRead[],
): Promise<Map<string, Execution[]>> {
  const found = new Map<string, Execution[]>();
  const traded = orders.filter(({ fillFactor }) => fillFactor !== '0');
  for (let at = 0; at < traded.length; at += ORDERS_PER_REQUEST) {
    const orderIds = traded.slice(at, at + ORDERS_PER_REQUEST).map(({ orderId }) => orderId);
    for (const execution of await executionsOf(trader, orderIds)) {
      const own = found.get(execution.orderId) ?? [];
      found.set(execution.orderId, [...own, execution]);
    }
  }
  return found;
}

/** What the venue itself says about its books, on /metrics. */
export async function checkAudit(server: TestServer): Promise<string[]> {
  const { text } = await server.anonymous().get('/metrics');
  const problems: string[] = [];
  const gauges = [
    ...text.matchAll(
      /^matchbox_(ledger_imbalance|held_mismatches|margin_mismatches)(\S*) (\S+)$/gm,
    ),
  ];
  if (gauges.length < 5) problems.push(`the audit is missing: ${gauges.length} gauges`);
  for (const [line, , , value] of gauges) if (value !== '0') problems.push(line);
  return problems;
}
