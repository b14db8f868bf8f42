import { ClearingState, Replay } from '../../core/clearing/index.ts';
import { encodeCold } from '../../core/messages/codec.ts';
import type { ColdEvent } from '../../core/messages/cold-events.ts';
import type { MarketConfiguration } from '../../core/messages/configuration.ts';
import { OrderType, Side, TimeInForce } from '../../core/messages/enums.ts';
import { ColdEventRecord } from '../../core/messages/events.ts';
import { MarginExecution, MarginOrderAccepted } from '../../core/messages/margin-events.ts';
import { BatchWriter } from '../../core/messages/record.ts';

export const START = Date.UTC(2026, 0, 5);
/** Ticks of 0.01 USDT. */
export const ENTRY = 6_000_000;
/** Steps of 0.001 BTC. */
const QUANTITY = 10;
const LEVERAGE = 10;
/** 0.01 BTC at 60,000 USDT over the leverage. */
const MARGIN = 60_000_000n;
/** USDT units of 10^-6 that each position is backed with: 2.5 times what it needs. */
const BACKING = 150_000_000n;
/** What the account on the other side of everything has. */
const DEALER_FUNDS = 10n ** 17n;
export const DEALER = 1;
const BATCH = 4_096;
const PAR = 10n ** 12n;

export interface MarginSize {
  /** Each has `positionsEach` long positions in market 0. */
  readonly accounts: number;
  readonly positionsEach: number;
  /** Accounts with as many positions in market 1, which nothing happens to. */
  readonly untouched: number;
}

function market(marketId: string): MarketConfiguration {
  return {
    marketId,
    displayName: 'BTC/USDT',
    fullName: null,
    type: 'Cfd',
    subtype: null,
    baseAssetId: 'btc',
    quoteAssetId: 'usdt',
    priceScale: 2,
    amountScale: 3,
    minAmount: 1,
    maxAmount: null,
    maxPrice: null,
    priceDeviation: 0,
    slippageRate: 30_000,
    feeRate: 60_000,
    feeMinimum: 0n,
    internalTtl: 5_000,
    externalTtl: 5_000,
    status: 'Open',
    calendar: null,
    margin: {
      lotSize: 1,
      lotStep: 1,
      leverage: { leverageType: 'Fixed', useOnlyMaxLeverage: false, maxLeverage: 1_000 },
      swaps: null,
      funding: null,
    },
  };
}

/** Fills a state with accounts and positions by the events that would have led there. */
export function filledState(size: MarginSize): ClearingState {
  const state = new ClearingState();
  new Filling(state).fill(size);
  return state;
}

/** Account indexes: 0 is the house, 1 the dealer, then those of market 0, then those of market 1. */
export const FIRST_TRADER = 2;

class Filling {
  private readonly state: ClearingState;
  private readonly replay: Replay;
  private readonly writer = new BatchWriter();
  private readonly accepted = {
    ...MarginOrderAccepted.blank(),
    time: START,
    type: OrderType.Limit,
    timeInForce: TimeInForce.Gtc,
    leverage: LEVERAGE,
    price: ENTRY,
    limit: ENTRY,
  };
  private readonly execution = {
    ...MarginExecution.blank(),
    time: START,
    price: ENTRY,
    quantity: QUANTITY,
    openedQuantity: QUANTITY,
    openedMargin: MARGIN,
    rate: PAR,
  };
  private orderId = 1;
  private positionId = 1;
  private transferId = 1;

  constructor(state: ClearingState) {
    this.state = state;
    this.replay = new Replay(state);
  }

  fill({ accounts, positionsEach, untouched }: MarginSize): void {
    this.configure();
    const total = FIRST_TRADER + accounts + untouched;
    for (let account = 0; account < total; account++) this.open(account, positionsEach);
    const markets = [
      [0, FIRST_TRADER, accounts],
      [1, FIRST_TRADER + accounts, untouched],
    ] as const;
    for (const [index, first, count] of markets) {
      if (count > 0) this.trade(index, first, count, positionsEach);
    }
    this.flush();
  }

  private configure(): void {
    ['usdt', 'btc'].forEach((assetId, index) => {
      this.cold({
        type: 'AssetConfigured',
        asset: index,
        configuration: {
          assetId,
          name: assetId,
          scale: index === 0 ? 6 : 8,
          isRoot: index === 0,
          marginRatio: index === 0 ? 10_000 : 0,
          type: 'Crypto',
          source: 'Internal',
        },
      });
    });
    ['cfd.btc_usdt', 'cfd.other'].forEach((marketId, index) => {
      this.cold({ type: 'MarketConfigured', market: index, configuration: market(marketId) });
    });
  }

  private open(account: number, positionsEach: number): void {
    this.cold({
      type: 'AccountOpened',
      account,
      configuration: {
        accountId: String(100_000 + account),
        publicAccountId: 100_000 + account,
        accountName: 'Main',
        accountType: account === DEALER ? 'Netting' : 'Hedging',
        accountStatus: 'Active',
        ownerUserId: String(account),
        isCopyTradingAccount: false,
      },
    });
    if (account === 0) return;
    const amount = account === DEALER ? DEALER_FUNDS : BACKING * BigInt(positionsEach);
    const transferId = this.transferId++;
    this.cold({
      type: 'TransferCreated',
      transfer: {
        transferId,
        deduplicationId: String(transferId),
        account,
        asset: 0,
        type: 'Deposit',
        status: 'Completed',
        amount,
        callbackUrl: null,
        createdAt: START,
        updatedAt: START,
      },
    });
  }

  /** Everybody buys from the dealer, whose one position grows. */
  private trade(index: number, first: number, count: number, each: number): void {
    const dealerPosition = this.positionId++;
    const maker = this.accept(index, DEALER, 0, Side.Sell, QUANTITY * count * each);
    let left = QUANTITY * count * each;
    for (let n = 0; n < count * each; n++) {
      const account = first + (n % count);
      const taker = this.accept(index, account, 1, Side.Buy, QUANTITY);
      left -= QUANTITY;
      const { execution } = this;
      execution.market = index;
      execution.orderId = taker;
      execution.account = account;
      execution.slot = 1;
      execution.side = Side.Buy;
      execution.isMaker = 0;
      execution.remaining = 0;
      execution.openedPositionId = this.positionId++;
      this.execute();
      execution.orderId = maker;
      execution.account = DEALER;
      execution.slot = 0;
      execution.side = Side.Sell;
      execution.isMaker = 1;
      execution.remaining = left;
      execution.openedPositionId = dealerPosition;
      this.execute();
      if (this.writer.count >= BATCH) this.flush();
    }
  }

  private accept(
    index: number,
    account: number,
    slot: number,
    side: number,
    quantity: number,
  ): number {
    const { accepted } = this;
    accepted.orderId = this.orderId++;
    accepted.account = account;
    accepted.market = index;
    accepted.slot = slot;
    accepted.side = side;
    accepted.quantity = quantity;
    MarginOrderAccepted.write(this.writer, accepted);
    return accepted.orderId;
  }

  private execute(): void {
    this.execution.executionId++;
    MarginExecution.write(this.writer, this.execution);
  }

  private cold(event: ColdEvent): void {
    ColdEventRecord.write(this.writer, { time: START, payload: encodeCold(event) });
    if (this.writer.count >= BATCH) this.flush();
  }

  private flush(): void {
    if (!this.writer.empty) this.replay.apply(this.state.sequence + 1, this.writer.take());
  }
}
