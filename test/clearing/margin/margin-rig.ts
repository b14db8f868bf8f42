import type {
  AccountConfiguration,
  MarginConfiguration,
  MarketConfiguration,
} from '../../../core/messages/configuration.ts';
import { Side } from '../../../core/messages/enums.ts';
import type {
  MarginAnswer,
  PositionsAnswer,
  PositionView,
} from '../../../core/messages/queries.ts';
import type { MarginRequest } from '../commands.ts';
import type { EventOf } from '../records.ts';
import { describe, Rig, type RigOptions } from '../rig.ts';
import { asset, openAccount, spotMarket } from '../venue.ts';

/** Assets and markets by index. */
export const BTC = 1;
export const EUR = 2;
export const SPOT_BTC = 0;
export const SPOT_EUR = 1;
/** BTC/USDT: ticks of 0.01, steps of 0.001 lots of one bitcoin. */
export const PERP = 2;
/** EUR/USDT: ticks of 0.00001, steps of 0.01 lots of 100,000 euros. */
export const FOREX = 3;
/** BTC/EUR: quoted in another asset than the root. */
export const CROSS = 4;

/** Netting accounts of one trader each, but for the hedging ones. */
export const NET = 1;
export const NET_TOO = 2;
export const HEDGE = 3;
export const MAKER = 4;

export function marginMarket(
  type: 'Cfd' | 'Perp',
  base: string,
  quote: string,
  margin: Partial<MarginConfiguration> = {},
  more: Partial<MarketConfiguration> = {},
): MarketConfiguration {
  return {
    ...spotMarket(base, quote, more),
    marketId: `${type.toLowerCase()}.${base}_${quote}`,
    type,
    margin: {
      lotSize: 1,
      lotStep: 1,
      leverage: { leverageType: 'Fixed', useOnlyMaxLeverage: false, maxLeverage: 100 },
      swaps: null,
      funding: type === 'Perp' ? { startTime: '00:00:00', intervalHours: 8, cap: 1_000_000 } : null,
      ...margin,
    },
  };
}

const FREE = { feeRate: 0 };

/** A venue with three markets on margin, and USDT 10,000 on each account. */
export function marginRig(options: RigOptions = {}, perp: Partial<MarketConfiguration> = {}): Rig {
  const rig = new Rig(options);
  const configure = (configuration: MarketConfiguration) =>
    rig.cold({ type: 'ConfigureMarket', configuration });
  for (const configuration of [
    asset('usdt', 6, { isRoot: true, marginRatio: 10_000 }),
    asset('btc', 8, { marginRatio: 9_000 }),
    asset('eur', 2, { marginRatio: 9_500 }),
  ]) {
    rig.cold({ type: 'ConfigureAsset', configuration });
  }
  configure(spotMarket('btc', 'usdt', FREE));
  configure(spotMarket('eur', 'usdt', { ...FREE, priceScale: 4, amountScale: 2 }));
  configure(marginMarket('Perp', 'btc', 'usdt', {}, { ...FREE, ...perp }));
  configure(
    marginMarket(
      'Cfd',
      'eur',
      'usdt',
      { lotSize: 100_000 },
      {
        ...FREE,
        priceScale: 5,
        amountScale: 2,
      },
    ),
  );
  configure(marginMarket('Perp', 'btc', 'eur', {}, FREE));
  const accounts: [string, AccountConfiguration['accountType']][] = [
    ['net', 'Netting'],
    ['net too', 'Netting'],
    ['hedge', 'Hedging'],
    ['maker', 'Netting'],
  ];
  for (const [name, accountType] of accounts) {
    const command = openAccount(name, name);
    if (command.type !== 'OpenAccount') throw new Error('not an account');
    rig.cold({ ...command, configuration: { ...command.configuration, accountType } });
  }
  for (const account of [NET, NET_TOO, HEDGE, MAKER]) rig.deposit(account, 'usdt', '10000');
  rig.events.length = 0;
  return rig;
}

type MarginPlacement = MarginRequest & { readonly account: number };

/** The answer to an order on margin in short: `OrderPlaced`, or the code of its refusal. */
export function place(rig: Rig, order: MarginPlacement): string {
  return describe(rig.run({ kind: 'placeMargin', ...order }));
}

/** Has the maker rest the other side, then the account take it. */
export function trade(rig: Rig, order: MarginPlacement & { readonly price: number }): void {
  const side = order.side === 'Buy' ? 'Sell' : 'Buy';
  const { market, price, amount } = order;
  for (const each of [{ account: MAKER, market, side, price, amount } as const, order]) {
    const answer = place(rig, each);
    if (answer !== 'OrderPlaced') throw new Error(`${answer} to ${JSON.stringify(each)}`);
  }
}

export function positionsOf(rig: Rig, account: number): readonly PositionView[] {
  return rig.cold<PositionsAnswer>({ type: 'Positions', account }).positions;
}

export function marginOf(rig: Rig, account: number): MarginAnswer {
  return rig.cold<MarginAnswer>({ type: 'Margin', account });
}

/** `long 500 for 3000000000, margin 3000000000` of each position of the account. */
export function positionTexts(rig: Rig, account: number): string[] {
  return positionsOf(rig, account).map(({ side, quantity, openNotional, margin }) => {
    const direction = side === Side.Buy ? 'long' : 'short';
    return `${direction} ${quantity} for ${openNotional}, margin ${margin}`;
  });
}

/** The executions of an account since the last call. */
export function executionsOf(rig: Rig, account: number): EventOf<'MarginExecution'>[] {
  return rig.take('MarginExecution').filter((execution) => execution.account === account);
}
