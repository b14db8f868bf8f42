import { divide, formatUnits } from '../fixed-point/index.ts';
import { BalancesAnswer } from '../messages/answers.ts';
import { BalancePacker } from '../messages/balances.ts';
import type {
  AuditAnswer,
  ConfigurationAnswer,
  MarginAnswer,
  MarketPricesAnswer,
  PositionsAnswer,
  Query,
  ValuationsAnswer,
} from '../messages/queries.ts';
import type { BatchWriter } from '../messages/record.ts';
import { audit } from './audit.ts';
import type { Books } from './books.ts';
import { marginFiguresOf } from './margin/account-margin.ts';
import { marginOfAccount, positionsOf } from './margin/margin-queries.ts';
import type { Risk } from './margin/risk.ts';
import type { ClearingState } from './state.ts';

/** Reads of clearing's state, answered in order with the commands around them. */
export class Queries {
  private readonly state: ClearingState;
  private readonly books: Books;
  private readonly risk: Risk;
  private readonly answers: BatchWriter;
  private readonly packer = new BalancePacker();
  private readonly balancesAnswer = BalancesAnswer.blank();

  constructor(state: ClearingState, books: Books, risk: Risk, answers: BatchWriter) {
    this.state = state;
    this.books = books;
    this.risk = risk;
    this.answers = answers;
  }

  /** Every asset that the account has ever had. */
  balances(ticket: number, account: number): void {
    this.state.ledger.forEachOf(account, this.packer.add);
    this.balancesAnswer.ticket = ticket;
    this.balancesAnswer.balances = this.packer.take();
    BalancesAnswer.write(this.answers, this.balancesAnswer);
  }

  /** undefined where the message is no query. */
  answer(
    query: Query,
    now: number,
  ):
    | ValuationsAnswer
    | PositionsAnswer
    | MarginAnswer
    | MarketPricesAnswer
    | ConfigurationAnswer
    | AuditAnswer
    | undefined {
    switch (query.type) {
      case 'Valuations':
        return this.valuations(query.accounts);
      case 'Positions':
        return positionsOf(this.state, query.account);
      case 'Margin':
        return marginOfAccount(this.state, query.account);
      case 'MarketPrices':
        return this.risk.prices(this.state.market(query.market), now);
      case 'Configuration':
        return this.configuration();
      case 'Audit':
        return { ...audit(this.state), atBooks: this.books.underWay };
      default:
        return undefined;
    }
  }

  /** At the venue's rates of this moment, each asset rounded down, and what positions would bring in. */
  private valuations(accounts: readonly number[]): ValuationsAnswer {
    const { state } = this;
    const root = state.assets[state.rootAsset];
    if (root === undefined) return { totals: accounts.map(() => '0') };
    const rates = state.assets.map(({ index }) => state.rates.exact(index));
    const totals = accounts.map((account) => {
      let sum = marginFiguresOf(state, account).unrealized;
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
