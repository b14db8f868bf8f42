import type Database from 'better-sqlite3';
import { formatUnits } from '../../../core/fixed-point/index.ts';
import { nameAt } from '../../../core/messages/enums.ts';
import { formatTimestamp } from '../../../core/messages/timestamp.ts';
import { PAYMENT_KINDS } from '../margin-schema.ts';
import type { FundingPage, PaymentView } from './forms.ts';
import { BOUND_LIMIT } from './limit.ts';
import type { Names } from './names.ts';
import { type FundingRequest, PAGE_LIMITS, type PaymentsRequest, pageSize } from './requests.ts';

/** Decimal places of funding rates. */
const FUNDING_SCALE = 8;

type FundingRow = readonly [due: number, interval: number, rate: number];
type PaymentRow = readonly [
  id: number,
  kind: number,
  time: number,
  market: number | null,
  position: number | null,
  amount: string,
];

/** Funding rates of markets, and what positions were paid or charged. */
export class PaymentQueries {
  private readonly names: Names;
  private readonly rates: Database.Statement;
  private readonly page: Database.Statement;

  constructor(database: Database.Database, names: Names) {
    this.names = names;
    this.rates = database
      .prepare(
        `SELECT due, interval_hours, rate FROM funding WHERE market = ? AND due BETWEEN ? AND ?
         ORDER BY due DESC ${BOUND_LIMIT} OFFSET ? + 0`,
      )
      .raw();
    this.page = database
      .prepare(
        `SELECT id, kind, time, market, position, CAST(amount AS TEXT) FROM payments
         WHERE account = ? AND id < ? ORDER BY id DESC ${BOUND_LIMIT}`,
      )
      .raw();
  }

  /** Settlements of a market, newest first. */
  funding(request: FundingRequest): FundingPage {
    const limit = pageSize(request.limit, PAGE_LIMITS.funding);
    const from = request.appliedAtFrom ?? 0;
    const to = request.appliedAtTo ?? Number.MAX_SAFE_INTEGER;
    const offset = request.offset ?? 0;
    const rows = this.rates.all(request.market, from, to, limit + 1, offset) as FundingRow[];
    return {
      fundingData: rows.slice(0, limit).map(([due, interval, rate]) => ({
        appliedAt: formatTimestamp(due),
        interval,
        rate: formatUnits(rate, FUNDING_SCALE),
      })),
      hasMore: rows.length > limit,
    };
  }

  /** What an account was paid or charged, newest first. */
  payments({ account, limit, lastPaymentId }: PaymentsRequest): PaymentView[] {
    const before = lastPaymentId ?? Number.MAX_SAFE_INTEGER;
    const size = pageSize(limit, PAGE_LIMITS.payments);
    const rows = this.page.all(account, before, size) as PaymentRow[];
    const scale = this.names.rootAsset()?.scale ?? 0;
    return rows.map(([id, kind, time, market, position, amount]) => ({
      paymentId: String(id),
      type: nameAt(PAYMENT_KINDS, kind),
      createdAt: formatTimestamp(time),
      marketId: market === null ? null : this.names.market(market).marketId,
      positionId: position === null ? null : String(position),
      amountInRAT: formatUnits(BigInt(amount), scale),
    }));
  }
}
