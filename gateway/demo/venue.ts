import type { AssetConfiguration } from '../../core/messages/configuration.ts';
import type { AccountTypeName } from '../../core/messages/enums.ts';
import type { DemoEmail } from '../identity/index.ts';

/**
 * The demo venue: what a newcomer trades, and what the tools of others rely on. Everything here is
 * data; whoever seeds an empty data directory turns it into commands, in this order.
 */

export interface DemoDeposit {
  readonly assetId: string;
  /** Decimal text. */
  readonly amount: string;
}

export interface DemoAccount {
  readonly ownerEmail: DemoEmail;
  readonly accountName: string;
  readonly accountType: AccountTypeName;
  readonly deposits: readonly DemoDeposit[];
}

const crypto = { type: 'Crypto', source: 'Internal', isRoot: false } as const;

export const DEMO_ASSETS: readonly AssetConfiguration[] = [
  { ...crypto, assetId: 'btc', name: 'Bitcoin', scale: 8, marginRatio: 9500 },
  { ...crypto, assetId: 'eth', name: 'Ether', scale: 8, marginRatio: 9000 },
  { ...crypto, assetId: 'usdt', name: 'Tether', scale: 6, marginRatio: 10_000, isRoot: true },
  {
    assetId: 'eur',
    name: 'Euro',
    scale: 2,
    isRoot: false,
    marginRatio: 9500,
    type: 'Fiat',
    source: 'Internal',
  },
  {
    assetId: 'xau',
    name: 'Gold, troy ounce',
    scale: 4,
    isRoot: false,
    marginRatio: 9000,
    type: 'Metal',
    source: 'Internal',
  },
];

/** The accounts of the liquidity bots: one quotes, the other takes a little now and then. */
export const BOT_ACCOUNT_NAMES = { quotes: 'Quotes', flow: 'Flow' } as const;

const traderDeposits: readonly DemoDeposit[] = [
  { assetId: 'btc', amount: '10' },
  { assetId: 'eth', amount: '100' },
  { assetId: 'usdt', amount: '1000000' },
];

/** Enough to quote for years: what the bots lose is commission. */
const botDeposits: readonly DemoDeposit[] = [
  { assetId: 'btc', amount: '10000' },
  { assetId: 'eth', amount: '200000' },
  { assetId: 'usdt', amount: '1000000000' },
];

function traderAccounts(ownerEmail: DemoEmail): DemoAccount[] {
  return [
    { ownerEmail, accountName: 'Main', accountType: 'Netting', deposits: traderDeposits },
    { ownerEmail, accountName: 'Hedging', accountType: 'Hedging', deposits: traderDeposits },
  ];
}

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  ...traderAccounts('alice@matchbox.test'),
  ...traderAccounts('bob@matchbox.test'),
  ...Object.values(BOT_ACCOUNT_NAMES).map(
    (accountName): DemoAccount => ({
      ownerEmail: 'market-maker@matchbox.test',
      accountName,
      accountType: 'Netting',
      deposits: botDeposits,
    }),
  ),
];

/** Names a demo deposit for ever: seeding that was cut off and runs again deposits nothing twice. */
export function demoDeduplicationId(account: DemoAccount, deposit: DemoDeposit): string {
  return `demo:${account.ownerEmail}:${account.accountName}:${deposit.assetId}`;
}
