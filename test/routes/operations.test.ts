import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cancel, placed } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();

/** The value of a line of the metrics. */
function figure(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  if (line === undefined) throw new Error(`no ${series} in the metrics`);
  return Number(line.slice(series.length + 1));
}

describe('the operations interface', () => {
  it('says that the venue is ready, how old it is and what is on disk', async () => {
    const health = await server().anonymous().get<{ durableSequence: number }>('/health');
    expect(health).toMatchObject({
      status: 200,
      body: {
        status: 'ok',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        uptimeSeconds: expect.any(Number),
        durableSequence: expect.any(Number),
      },
    });
    const alice = await server().trader('alice');
    await cancel(alice, await placed(alice));
    const later = await server().anonymous().get<{ durableSequence: number }>('/health');
    expect(later.body.durableSequence).toBe(health.body.durableSequence + 2);
  });

  it('has figures of requests, journal, views and ledgers', async () => {
    const alice = await server().trader('alice');
    await alice.get('/frontoffice/api/v4/orders/none');
    const client = server().anonymous();
    const answer = await client.get('/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const { text } = answer;
    const read = 'route="GET /frontoffice/api/v4/orders/{orderId}"';
    expect(figure(text, `matchbox_http_requests_total{${read},status="404"}`)).toBe(1);
    const duration = 'matchbox_http_request_duration_seconds';
    expect(figure(text, `${duration}_count{${read}}`)).toBe(1);
    expect(figure(text, `${duration}_bucket{${read},le="+Inf"}`)).toBe(1);
    expect(figure(text, 'matchbox_journal_sequence')).toBeGreaterThan(0);
    expect(figure(text, 'matchbox_durable_sequence')).toBeGreaterThan(0);
    expect(figure(text, 'matchbox_views_lag_events')).toBeGreaterThanOrEqual(0);
    expect(figure(text, 'matchbox_journal_commit_events_bucket{le="+Inf"}')).toBeGreaterThan(0);
    expect(figure(text, 'matchbox_held_mismatches')).toBe(0);
    for (const asset of ['btc', 'eth', 'usdt', 'eur', 'xau']) {
      expect(figure(text, `matchbox_ledger_imbalance{asset="${asset}"}`)).toBe(0);
    }
    for (const series of [
      'matchbox_pending_requests',
      'matchbox_books_queue_depth',
      'matchbox_http_in_flight',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(figure(text, series)).toBeGreaterThanOrEqual(0);
    }
  });

  it('describes every route', async () => {
    const { body } = await server()
      .anonymous()
      .get<{ paths: Record<string, object> }>('/openapi.json');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/frontoffice/api/v3/orders',
        '/frontoffice/api/v3/order-data',
        '/frontoffice/api/v4/order-list',
        '/frontoffice/api/v5/orders/{orderId}/executions/list',
        '/frontoffice/api/v5/orders/executions/list',
        '/frontoffice/api/v3/accounts',
        '/frontoffice/api/v6/markets/{marketId}',
        '/back-api/backoffice/transfers/deposit',
        '/marketdata/api/v4/instruments/{marketSymbol}/history',
        '/metrics',
      ]),
    );
  });

  it('marks the data directory of a demo, which then is one by default', async () => {
    const { dataDir } = server();
    expect(readdirSync(dataDir)).toContain('demo');
    expect(existsSync(`${dataDir}/demo-bots.json`)).toBe(true);
    await server().kill('SIGTERM');
    await server().restart({ DEMO: '' });
    expect((await server().trader('alice')).accountId).not.toBe('');
    expect(await server().kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('shows its metrics to nobody but the bearer of their token, where they have one', async () => {
    await server().restart({ METRICS_TOKEN: 'for-the-scraper' });
    const client = server().anonymous();
    const metrics = (token: string) => client.get('/metrics', { token });
    for (const token of ['', 'for-the-scrape', 'for-the-scraper2', await server().token('admin')]) {
      expect(await metrics(token)).toMatchObject({ status: 401, code: 'TR0100' });
    }
    const { status, text } = await metrics('for-the-scraper');
    expect(status).toBe(200);
    expect(figure(text, 'matchbox_pending_requests')).toBeGreaterThanOrEqual(0);
    expect((await client.get('/health')).status).toBe(200);
  });
});
