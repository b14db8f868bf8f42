import { Gauge, type Registry } from 'prom-client';
import type { AuditAnswer } from '../../../core/messages/queries.ts';
import { Refused } from '../../http/refused.ts';
import type { Clock } from '../../http/server-state.ts';
import type { Venue } from '../../venue/venue.ts';
import { gauge } from './journal-metrics.ts';

const INTERVAL_MIN_MS = 5000;
/** An audit walks every ledger and every order in clearing's thread: at most this share of time. */
const SHARE_DIVISOR = 50;

/**
 * The check that nothing is made or lost, as gauges. The audit is asked for when somebody looks, and
 * no more often than it can be afforded.
 */
export class AuditMetrics {
  private readonly venue: Venue;
  private readonly clock: Clock;
  private latest: AuditAnswer | undefined;
  private notBefore = 0;
  private underWay: Promise<void> | undefined;

  constructor(venue: Venue, clock: Clock) {
    this.venue = venue;
    this.clock = clock;
  }

  /** Brings the gauges up to date, if that is due. */
  async refresh(): Promise<void> {
    if (this.underWay === undefined && this.clock.monotonic() >= this.notBefore) {
      this.underWay = this.ask().finally(() => {
        this.underWay = undefined;
      });
    }
    await this.underWay;
  }

  register(registry: Registry): void {
    const figure = (name: string, help: string, read: (audit: AuditAnswer) => number): void =>
      gauge(registry, name, help, () => (this.latest === undefined ? 0 : read(this.latest)));
    figure('matchbox_journal_sequence', 'The last event of clearing.', ({ sequence }) => sequence);
    figure(
      'matchbox_books_queue_depth',
      'Commands at the market workers that they have not answered.',
      ({ atBooks }) => atBooks,
    );
    figure('matchbox_open_orders', 'Orders that are open.', ({ openOrders }) => openOrders);
    figure(
      'matchbox_held_mismatches',
      'Balances that hold something else than their orders and withdrawals need; 0 is right.',
      ({ heldMismatches }) => heldMismatches,
    );
    figure(
      'matchbox_margin_mismatches',
      'Exposures, positions and orders on margin that do not fit each other; 0 is right.',
      ({ marginMismatches }) => marginMismatches,
    );
    const latest = (): AuditAnswer['assets'] => this.latest?.assets ?? [];
    new Gauge({
      name: 'matchbox_ledger_imbalance',
      help: 'All ledgers of an asset less what came in, in its smallest unit; 0 is right.',
      labelNames: ['asset'],
      registers: [registry],
      collect() {
        for (const { assetId, ledgers, netTransfers } of latest()) {
          this.set({ asset: assetId }, Number(ledgers - netTransfers));
        }
      },
    });
  }

  private async ask(): Promise<void> {
    const { clock } = this;
    const started = clock.monotonic();
    const answer = await this.venue.cold<AuditAnswer>(clock.now(), { type: 'Audit' });
    if (answer instanceof Refused) return;
    this.latest = answer;
    const ended = clock.monotonic();
    this.notBefore = ended + Math.max(INTERVAL_MIN_MS, (ended - started) * SHARE_DIVISOR);
  }
}
