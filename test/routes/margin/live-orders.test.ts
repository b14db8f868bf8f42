import { beforeEach, describe, expect, it } from 'vitest';
import { ColdAnswer, OrderPlaced } from '../../../core/messages/answers.ts';
import { encodeCold } from '../../../core/messages/codec.ts';
import type { ColdEvent } from '../../../core/messages/cold-events.ts';
import type { MarketConfiguration } from '../../../core/messages/configuration.ts';
import {
  OrderSource,
  OrderStatus,
  OrderType,
  Reason,
  Side,
  TimeInForce,
} from '../../../core/messages/enums.ts';
import { ColdEventRecord, OrderClosed } from '../../../core/messages/events.ts';
import {
  CommissionDeducted,
  FundingApplied,
  MarginExecution,
  MarginOrderAccepted,
  MarginOrderAmended,
  SwapsCharged,
  TrailingStopsMoved,
} from '../../../core/messages/margin-events.ts';
import { orderView } from '../../../core/messages/order-view.ts';
import { BatchWriter } from '../../../core/messages/record.ts';
import { Venue } from '../../../gateway/venue/venue.ts';

const NOON = Date.UTC(2026, 4, 1, 12);

const MARKET: MarketConfiguration = {
  marketId: 'cfd.eur_usdt',
  displayName: 'EUR/USDT',
  fullName: null,
  type: 'Cfd',
  subtype: 'Fx',
  baseAssetId: 'eur',
  quoteAssetId: 'eur2',
  priceScale: 5,
  amountScale: 2,
  minAmount: 1,
  maxAmount: null,
  maxPrice: null,
  priceDeviation: 0,
  slippageRate: 11_000,
  feeRate: 0,
  feeMinimum: 0n,
  internalTtl: 0,
  externalTtl: 0,
  status: 'Open',
  calendar: null,
  margin: {
    lotSize: 100_000,
    lotStep: 1,
    leverage: { leverageType: 'Fixed', useOnlyMaxLeverage: false, maxLeverage: 100 },
    swaps: null,
    funding: null,
  },
};

let venue: Venue;
let batch: BatchWriter;
let sequence = 0;

function release(): void {
  const events = batch.take();
  sequence++;
  venue.released({ durableSequence: sequence, batches: [{ events, answers: new ArrayBuffer(0) }] });
}

function cold(event: ColdEvent): void {
  ColdEventRecord.write(batch, { time: NOON, payload: encodeCold(event) });
}

function asset(index: number, assetId: string, scale: number, isRoot: boolean): void {
  const kind = { type: 'Fiat', source: 'Internal', marginRatio: 10_000 } as const;
  const configuration = { assetId, name: assetId, scale, isRoot, ...kind };
  cold({ type: 'AssetConfigured', asset: index, configuration });
}

beforeEach(async () => {
  venue = new Venue({ pendingMax: 8, liveOrders: 8 }, () => {});
  batch = new BatchWriter();
  asset(0, 'eur', 2, false);
  asset(1, 'eur2', 4, false);
  cold({ type: 'MarketConfigured', market: 0, configuration: MARKET });
  asset(2, 'usdt', 6, true);
  MarginOrderAccepted.write(batch, {
    ...MarginOrderAccepted.blank(),
    ...{ time: NOON, orderId: 5, account: 3, market: 0, side: Side.Sell },
    ...{ type: OrderType.Limit, timeInForce: TimeInForce.Gtc, source: OrderSource.StopOrder },
    ...{ leverage: 25, price: 110_000, quantity: 300, comment: 'mine' },
  });
  // The venue may have placed orders before the gateway knows what is configured.
  release();
  expect(venue.orders.find(5)).toBeUndefined();
  await load();
});

/** The gateway asks for what is configured, and is told nothing that is not in the events. */
async function load(): Promise<void> {
  const loaded = venue.load(NOON);
  const none = { profiles: [], groups: [], marketGroups: [], accountProfiles: [] };
  const commissions = { ...none, nextRuleId: 1 };
  const marginSettings = { marginCall: 0, stopOut: 0, negativeBalanceProtection: false };
  const answer = { sequence, assets: [], markets: [], accounts: [], commissions, marginSettings };
  const answers = new BatchWriter();
  ColdAnswer.write(answers, { ticket: 1, payload: encodeCold(answer) });
  const batches = [{ events: new ArrayBuffer(0), answers: answers.take() }];
  venue.released({ durableSequence: sequence, batches });
  await loaded;
}

function view(orderId: number) {
  const order = venue.orders.find(orderId);
  if (order === undefined) throw new Error(`no order ${orderId}`);
  const { configuration, commissionAssetId } = venue.reference.market(order.market);
  return orderView(order, { ...configuration, commissionAssetId });
}

function execute(quantity: number, remaining: number, commission: bigint): void {
  MarginExecution.write(batch, {
    ...MarginExecution.blank(),
    ...{ time: NOON + 1, executionId: 1, orderId: 5, account: 3, market: 0 },
    ...{ price: 110_002, quantity, remaining, commission },
  });
}

describe('an order on margin in memory', () => {
  it('reads in base assets, with its leverage, charged in the root asset', () => {
    expect(view(5)).toMatchObject({
      marketType: 'Cfd',
      status: 'Pending',
      source: 'StopOrder',
      leverage: 25,
      requestedAmount: '300000',
      remainingAmount: '300000',
      requestedPrice: '1.1',
      commissionAssetId: 'usdt',
      commissionAmount: '0',
      comment: 'mine',
    });
  });

  it('follows its executions to the end', () => {
    execute(100, 200, 1_500_000n);
    release();
    expect(view(5)).toMatchObject({
      status: 'Pending',
      remainingAmount: '200000',
      executionPrice: '1.10002',
      commissionAmount: '1.5',
      fillFactor: '0.33333333',
    });
    execute(200, 0, 1n);
    release();
    expect(view(5)).toMatchObject({ status: 'Completed', commissionAmount: '1.500001' });
  });

  it('has another revision after each event that is about it, and only then', () => {
    const seen = [venue.orders.revisionOf(5)];
    const changes = [
      () => execute(100, 200, 1n),
      () =>
        MarginOrderAmended.write(batch, {
          ...MarginOrderAmended.blank(),
          ...{ time: NOON + 2, orderId: 5, price: 120_000, quantity: 250, remaining: 150 },
        }),
      () =>
        OrderClosed.write(batch, {
          ...OrderClosed.blank(),
          ...{ time: NOON + 3, orderId: 5, status: OrderStatus.Cancelled, reason: Reason.Trader },
        }),
    ];
    for (const change of changes) {
      change();
      release();
      seen.push(venue.orders.revisionOf(5));
      release();
      expect(venue.orders.revisionOf(5)).toBe(seen.at(-1));
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(venue.orders.revisionOf(6)).toBe(0);
  });

  it('is amended, and ends with the reason that it was ended for', () => {
    MarginOrderAmended.write(batch, {
      ...MarginOrderAmended.blank(),
      ...{ time: NOON + 2, orderId: 5, price: 120_000, quantity: 200, remaining: 200 },
    });
    release();
    expect(view(5)).toMatchObject({ requestedPrice: '1.2', requestedAmount: '200000' });
    OrderClosed.write(batch, {
      ...OrderClosed.blank(),
      ...{ time: NOON + 3, orderId: 5, status: OrderStatus.Cancelled, remaining: 200 },
      ...{ reason: Reason.StopOut, source: OrderSource.System },
    });
    release();
    expect(view(5)).toMatchObject({
      status: 'Cancelled',
      reason: 'StopOut',
      source: 'System',
      cancellationDate: '2026-05-01T12:00:00.003Z',
    });
  });

  it('of the venue itself has its reason from the start', () => {
    MarginOrderAccepted.write(batch, {
      ...MarginOrderAccepted.blank(),
      ...{ time: NOON, orderId: 6, account: 3, market: 0, quantity: 1, leverage: 1 },
      ...{ type: OrderType.Market, timeInForce: TimeInForce.Ioc },
      ...{ reason: Reason.TakeProfit, source: OrderSource.System },
    });
    release();
    expect(view(6)).toMatchObject({ status: 'Working', reason: 'TakeProfit', source: 'System' });
  });

  it('is left alone by what concerns balances and positions', () => {
    const before = view(5);
    CommissionDeducted.write(batch, { ...CommissionDeducted.blank(), executionId: 1 });
    TrailingStopsMoved.write(batch, { ...TrailingStopsMoved.blank(), bid: 1 });
    FundingApplied.write(batch, FundingApplied.blank());
    SwapsCharged.write(batch, SwapsCharged.blank());
    release();
    expect(view(5)).toEqual(before);
    expect(venue.durableSequence).toBe(sequence);
  });
});

describe('an open position in memory', () => {
  function change(closed: readonly [number, number], opened: readonly [number, number]): void {
    MarginExecution.write(batch, {
      ...MarginExecution.blank(),
      ...{ time: NOON, orderId: 5, account: 3, market: 0, side: Side.Sell },
      ...{ closedPositionId: closed[0], closedQuantity: closed[1] },
      ...{ openedPositionId: opened[0], openedQuantity: opened[1] },
    });
    release();
  }
  const none = [0, 0] as const;

  it('is known until all of it is closed', () => {
    change(none, [7, 100]);
    expect(venue.positions.find(7)).toMatchObject({ account: 3, market: 0, side: Side.Sell });
    change(none, [7, 50]);
    change([7, 149], none);
    expect(venue.positions.find(7)).toBeDefined();
    change([7, 1], [8, 20]);
    expect(venue.positions.find(7)).toBeUndefined();
    expect(venue.positions.find(8)).toBeDefined();
  });

  it('that was opened before is not missed', () => {
    change([1, 20], none);
    expect(venue.positions.find(1)).toBeUndefined();
  });
});

describe('placing on margin', () => {
  it('is answered by the id that the venue gave', async () => {
    const { priceScale, amountScale } = MARKET;
    const placing = venue.placeOnMargin({
      ...{
        time: NOON,
        account: 3,
        market: 0,
        side: 0,
        type: 0,
        timeInForce: 1,
        source: 0,
        byKey: 0,
      },
      ...{ postOnly: 0, selfTradePrevention: 1, isTrailing: 0, priceScale, amountScale },
      ...{ leverage: 0, price: 0, quantity: 1, expiresAt: 0, activationPrice: 0, stopLoss: 0 },
      ...{ takeProfit: 0, positionId: 0, clientOrderId: '', comment: '' },
    });
    const answers = new BatchWriter();
    OrderPlaced.write(answers, { ticket: 2, orderId: 77, replayed: 0 });
    const events = new ArrayBuffer(0);
    venue.released({ durableSequence: 9, batches: [{ events, answers: answers.take() }] });
    expect(await placing).toEqual({ orderId: 77, replayed: false });
  });
});
