import type {
  AuditAnswer,
  BalancesAnswer,
  BalanceView,
  ConfigurationAnswer,
  Query,
} from '../messages/cold.ts';
import { audit } from './audit.ts';
import type { ClearingState } from './state.ts';

/** Reads of clearing's state, answered in order with the commands around them. */
export class Queries {
  private readonly state: ClearingState;

  constructor(state: ClearingState) {
    this.state = state;
  }

  /** undefined where the message is no query. */
  answer(query: Query): BalancesAnswer | ConfigurationAnswer | AuditAnswer | undefined {
    switch (query.type) {
      case 'Balances':
        return this.balances(query.account);
      case 'Configuration':
        return this.configuration();
      case 'Audit':
        return audit(this.state);
      default:
        return undefined;
    }
  }

  /** Every asset that the account has ever had, in the order of the assets. */
  private balances(account: number): BalancesAnswer {
    const balances: BalanceView[] = [];
    this.state.ledger.forEachOf(account, (asset, total, held) => {
      balances.push({ asset, total, held });
    });
    return { balances: balances.sort((a, b) => a.asset - b.asset) };
  }

  private configuration(): ConfigurationAnswer {
    return {
      sequence: this.state.sequence,
      assets: this.state.assets.map((asset) => asset.configuration),
      markets: this.state.markets.map((market) => market.configuration),
      accounts: this.state.accounts.all(),
    };
  }
}
