import type Database from 'better-sqlite3';
import type { FundingApplied, SwapsCharged } from '../../../core/messages/margin-events.ts';
import { ViewsInconsistent } from '../errors.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../margin-schema.ts';

/** Payments of one event, as it carries them. */
interface Run {
  readonly kind: PaymentKind;
  readonly time: number;
  readonly positions: Uint8Array;
  readonly amounts: Uint8Array;
}

interface Compensation {
  readonly account: number;
  readonly amount: bigint;
  readonly time: number;
}

const BYTES_EACH = 8;

/** Collects what positions were paid or charged, and the rates of funding. */
export class PaymentFold {
  private readonly funding: (readonly [number, number, number, number, number])[] = [];
  /** In the order of the journal. */
  private readonly payments: (Run | Compensation)[] = [];
  private readonly insertFunding: Database.Statement;
  private readonly insertPayment: Database.Statement;
  private readonly insertCompensation: Database.Statement;

  constructor(database: Database.Database) {
    this.insertFunding = database.prepare('INSERT INTO funding VALUES (?, ?, ?, ?, ?)');
    this.insertPayment = database.prepare(
      `INSERT INTO payments (account, kind, time, market, position, amount)
       SELECT account, ?, ?, market, id, ? FROM positions WHERE id = ?`,
    );
    this.insertCompensation = database.prepare(
      'INSERT INTO payments (account, kind, time, amount) VALUES (?, ?, ?, ?)',
    );
  }

  fund(event: FundingApplied): void {
    const { market, dueAt, fundingRate, intervalHours, markPrice } = event;
    this.funding.push([market, dueAt, fundingRate, intervalHours, markPrice]);
    this.pay('Funding', event);
  }

  swap(event: SwapsCharged): void {
    this.pay('Swap', event);
  }

  compensate(account: number, amount: bigint, time: number): void {
    this.payments.push({ account, amount, time });
  }

  /** Writes everything collected, after the positions; inside the caller's transaction. */
  write(): void {
    for (const row of this.funding) this.insertFunding.run(...row);
    for (const payment of this.payments) {
      if ('positions' in payment) this.writeRun(payment);
      else {
        const { account, amount, time } = payment;
        this.insertCompensation.run(account, kindIndex('Compensation'), time, amount);
      }
    }
    this.funding.length = 0;
    this.payments.length = 0;
  }

  /** Tails of a record are copies, so they may be kept. */
  private pay(
    kind: PaymentKind,
    { time, positions, amounts }: FundingApplied | SwapsCharged,
  ): void {
    this.payments.push({ kind, time, positions, amounts });
  }

  private writeRun({ kind, time, positions, amounts }: Run): void {
    const ids = viewOf(positions);
    const paid = viewOf(amounts);
    if (positions.length !== amounts.length) {
      throw new ViewsInconsistent(
        `${positions.length} bytes of positions, ${amounts.length} of amounts`,
      );
    }
    for (let at = 0; at < positions.length; at += BYTES_EACH) {
      const id = ids.getFloat64(at, true);
      const amount = paid.getBigInt64(at, true);
      const result = this.insertPayment.run(kindIndex(kind), time, amount, id);
      if (result.changes !== 1)
        throw new ViewsInconsistent(`there is no position ${id} to pay for`);
    }
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function kindIndex(kind: PaymentKind): number {
  return PAYMENT_KINDS.indexOf(kind);
}
