import type { AdminCommand } from '../../core/messages/cold-commands.ts';
import type { AssetConfiguration, MarketConfiguration } from '../../core/messages/configuration.ts';
import type { Command } from '../clearing/commands.ts';
import { asset, openAccount, spotMarket } from '../clearing/venue.ts';
import { CommandSource, swarmWeights, type VenueView } from '../model/naive-venue-commands.ts';
import type { Dice } from './dice.ts';

/** What a sender knows of a venue: open orders, waiting stop orders and open positions. */
export interface SimulationView extends VenueView {
  readonly stopOrders: readonly { readonly id: number; readonly account: number }[];
  readonly positions: readonly OpenPosition[];
}

export interface OpenPosition {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly quantity: number;
}

/** What is traded in a simulation, and by whom. */
export interface Scenario {
  readonly assets: readonly AssetConfiguration[];
  readonly markets: readonly MarketConfiguration[];
  readonly accounts: (dice: Dice) => number;
  /** What configures the venue beyond assets and markets, before anything goes wrong. */
  readonly settings: readonly AdminCommand[];
  readonly openAccount: (account: number) => AdminCommand;
  readonly fundsOf: (account: number, assetId: string) => string;
  readonly source: (dice: Dice, accounts: number) => { next(view: SimulationView): Command };
  /** Whether the house may owe root assets: it stands in for what accounts cannot pay. */
  readonly houseStandsIn: boolean;
}

const ASSETS = [
  asset('usdt', 6, { isRoot: true, marginRatio: 10_000 }),
  asset('btc', 8),
  asset('eur', 2),
];
const MARKETS = [
  spotMarket('btc', 'usdt'),
  spotMarket('btc', 'eur', {
    priceScale: 3,
    feeRate: 123_457,
    makerFeeRate: 45_679,
    feeMinimum: 10_000n,
  }),
  spotMarket('eur', 'usdt', { amountScale: 2, feeMinimum: 2n }),
];

/** Spot trading alone. */
export const SPOT: Scenario = {
  assets: ASSETS,
  markets: MARKETS,
  accounts: (dice) => dice.between(2, 5),
  settings: [],
  openAccount: (account) => openAccount(`Account ${account}`, `user ${account}`),
  fundsOf: () => '30',
  source: (dice, accounts) => {
    const assetIds = ASSETS.map(({ assetId }) => assetId);
    const shape = { accounts: accounts + 1, assetIds, markets: MARKETS };
    return new CommandSource(dice, shape, swarmWeights(dice));
  },
  houseStandsIn: false,
};
