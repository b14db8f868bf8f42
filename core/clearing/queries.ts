import { divide, formatUnits } from '../fixed-point/index.ts';
import type {
  AuditAnswer,
  BalancesAnswer,
  BalanceView,
  ConfigurationAnswer,
  Query,
  ValuationsAnswer,
} from '../messages/cold.ts';
import { audit } from './audit.ts';
import type { Books } from './books.ts';
import type { ClearingState } from './state.ts';

/** Reads of clearing's state, answered in order with the commands around them. */
export class Queries {
  private readonly state: ClearingState;
  private readonly books: Books;

  constructor(state: ClearingState, books: Books) {
    this.state = state;
    this.books = books;
  }

  /** undefined where the message is no query. */
  answer(
    query: Query,
  ): BalancesAnswer | ValuationsAnswer | ConfigurationAnswer | AuditAnswer | undefined {
    switch (query.type) {
      case 'Balances':
        return this.balances(query.account);
      case 'Valuations':
        return this.valuations(query.accounts);
      case 'Configuration':
        return this.configuration();
      case 'Audit':
        return { ...audit(this.state), atBooks: this.books.underWay };
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

  /** At the venue's rates of this moment, each asset rounded down. */
  private valuations(accounts: readonly number[]): ValuationsAnswer {
    const { state } = this;
    const root = state.assets[state.rootAsset];
    if (root === undefined) return { totals: accounts.map(() => '0') };
    const rates = state.assets.map(({ index }) => state.rates.exact(index));
    const totals = accounts.map((account) => {
      let sum = 0n;
      state.ledger.forEachOf(account, (asset, total) => {
        const rate = rates[asset];
        if (rate !== undefined) sum += divide(total * rate.numerator, rate.denominator, 'floor');
      });
      return formatUnits(sum, root.configuration.scale);
    });
    return { totals };
  }

  private configuration(): ConfigurationAnswer {
    return {
      sequence: this.state.sequence,
      assets: this.state.assets.map((asset) => asset.configuration),
      markets: this.state.markets.map((market) => market.configuration),
      accounts: this.state.accounts.all(),
      commissions: this.state.commissions.schedule.save(),
      marginSettings: this.state.marginSettings,
    };
  }
}
