import { afterAll, beforeAll } from 'vitest';
import { CommissionSchedule } from '../../core/clearing/index.ts';
import type { AssetConfiguration, MarketConfiguration } from '../../core/messages/configuration.ts';
import { Refusals } from '../../core/messages/refusals.ts';
import { DEMO_MARKETS } from '../../gateway/demo/markets.ts';
import { DEMO_ASSETS } from '../../gateway/demo/venue.ts';
import type { Authoriser } from '../../gateway/http/authorisation.ts';
import { refuse } from '../../gateway/http/refused.ts';
import type { Route } from '../../gateway/http/route.ts';
import { HttpServer } from '../../gateway/http/server.ts';
import { systemClock } from '../../gateway/http/server-state.ts';
import { Reference } from '../../gateway/venue/reference.ts';
import { ApiClient } from '../support/api-client.ts';

/** Lets nobody in: what it answers was open to anyone. */
const nobody: Authoriser = {
  authorise: () => refuse(Refusals.Unauthorised),
  resolveAccount: () => refuse(Refusals.AccountMissing),
  authoriseSigned: () => refuse(Refusals.Unauthorised),
};

export const [BTC_USDT, ETH_USDT] = DEMO_MARKETS as [MarketConfiguration, MarketConfiguration];

/** An asset that only a liquidity provider knows. */
export const FOREIGN_ASSET: AssetConfiguration = {
  assetId: 'oil',
  name: 'Oil',
  scale: 2,
  isRoot: false,
  marginRatio: 0,
  type: 'Metal',
  source: 'LiquidityProvider',
};

/** What is configured, without a venue that trades it. */
export function referenceOf(
  markets: readonly MarketConfiguration[],
  assets: readonly AssetConfiguration[] = DEMO_ASSETS,
): Reference {
  const reference = new Reference();
  const commissions = new CommissionSchedule().save();
  const marginSettings = { marginCall: 10_000, stopOut: 5_000, negativeBalanceProtection: true };
  reference.load({ sequence: 0, assets, markets, accounts: [], commissions, marginSettings });
  return reference;
}

/** Serves routes for the tests of one file, at a time that stands still where one is given. */
export function serveRoutes(routes: readonly Route[], now?: number): () => ApiClient {
  const clock = now === undefined ? systemClock : { ...systemClock, now: () => now };
  const server = new HttpServer({ routes, authoriser: nobody, clock });
  let port = 0;
  const client = new ApiClient(() => port);
  beforeAll(async () => {
    port = await server.listen('127.0.0.1', 0);
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });
  return () => client;
}
