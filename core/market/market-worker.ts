import {
  OpenBook,
  ReadDepth,
  RemoveOrder,
  ReplaceOrder,
  SubmitOrder,
} from '../messages/book-commands.ts';
import { BatchWriter, type RecordCursor } from '../messages/record.ts';
import { Matching } from './matching.ts';

/** The books of some markets: a state machine from clearing's commands to results. */
export class MarketWorker {
  readonly results = new BatchWriter();
  private readonly markets = new Map<number, Matching>();
  private readonly submission = SubmitOrder.blank();
  private readonly removal = RemoveOrder.blank();
  private readonly replacement = ReplaceOrder.blank();

  /** One record of clearing (book-commands.ts). */
  command(cursor: RecordCursor): void {
    switch (cursor.kind) {
      case SubmitOrder.kind: {
        const order = SubmitOrder.read(cursor, this.submission);
        return this.of(order.market).submit(order);
      }
      case RemoveOrder.kind: {
        const removal = RemoveOrder.read(cursor, this.removal);
        return this.of(removal.market).remove(removal);
      }
      case ReplaceOrder.kind: {
        const replacement = ReplaceOrder.read(cursor, this.replacement);
        return this.of(replacement.market).replace(replacement);
      }
      case ReadDepth.kind: {
        const { market, ticket, levels } = ReadDepth.read(cursor, ReadDepth.blank());
        return this.of(market).readDepth(ticket, levels);
      }
      case OpenBook.kind: {
        const { market } = OpenBook.read(cursor, OpenBook.blank());
        const matching = new Matching(market, this.results);
        this.markets.set(market, matching);
        return matching.opened();
      }
      default:
        throw new RangeError(`book command of kind ${cursor.kind}`);
    }
  }

  /** The matching of one market. Throws where it was never opened here. */
  of(market: number): Matching {
    const matching = this.markets.get(market);
    if (matching === undefined) throw new RangeError(`no book of market ${market} here`);
    return matching;
  }
}
