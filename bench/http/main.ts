import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildServer, startBareServer, startVenue } from './child-servers.ts';
import { type BenchOptions, readOptions } from './options.ts';
import { marginFlow, orderBody, orderFlow, readFlow } from './order-flow.ts';
import { printJson, printTable } from './report.ts';
import { runScenario, type Scenario, type ScenarioResult } from './scenarios.ts';
import { socketClient } from './socket-client.ts';
import { fund, Trader } from './trader.ts';
import { hasWrk, wrk } from './wrk.ts';

const READ_ORDERS = 1000;
const MARGIN_FUNDS = '1000000000';

async function run(options: BenchOptions): Promise<number> {
  const dataDirectory = mkdtempSync(join(options.directory ?? tmpdir(), 'matchbox-bench-'));
  const servers: ChildServer[] = [];
  try {
    const venue = await startVenue(options.server, dataDirectory);
    servers.push(venue);
    const makers = await Trader.signIn(venue.port, 'alice@matchbox.test');
    const takers = await Trader.signIn(venue.port, 'bob@matchbox.test');
    // Commissions on margin are of the whole notional: a million would not last a measurement.
    const onMargin = [...makers.nettingAccountIds, ...takers.nettingAccountIds];
    await fund(venue.port, onMargin, MARGIN_FUNDS);
    const bare = await startBareServer(await exampleAnswers(makers));
    servers.push(bare);

    const client = options.ownClient || !hasWrk() ? socketClient : wrk;
    console.log(`client: ${client.name}, data in ${dataDirectory}\n`);
    const results: ScenarioResult[] = [];
    for (const scenario of scenarios(makers, takers)) {
      results.push(await runScenario({ options, client, venue, bare, dataDirectory }, scenario));
    }
    printTable(results);
    printJson(client.name, results);
    const failed = results.filter(({ errors }) => errors > 0);
    for (const { name, connections, errors } of failed) {
      console.error(`${name} at ${connections} connections: ${errors} requests failed`);
    }
    return failed.length === 0 ? 0 : 1;
  } finally {
    for (const server of servers) await server.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
    rmSync(`${dataDirectory}.log`, { force: true });
  }
}

/** What the bare server answers: our own bytes. */
async function exampleAnswers(trader: Trader) {
  const accountId = trader.accountIds[0] ?? '';
  const { orderId, answer } = await trader.place(accountId, orderBody('Buy', 100, 10));
  return { post: answer, get: await trader.read(accountId, orderId) };
}

function scenarios(makers: Trader, takers: Trader): Scenario[] {
  const emptyBook = async () => {
    await makers.cancelAll();
    await takers.cancelAll();
  };
  const orders = orderFlow(makers, takers);
  const marginOrders = marginFlow(makers, takers);
  const place = { name: 'place', requests: () => orders, prepare: emptyBook };
  let reads: string[] = [];
  const read = {
    name: 'read',
    requests: () => reads,
    prepare: async () => {
      if (reads.length > 0) return;
      await emptyBook();
      reads = await readFlow(makers, READ_ORDERS);
    },
  };
  return [
    { ...place, connections: 1, measure: 'latency', aim: 1.6 },
    { ...place, connections: 64, measure: 'rate', aim: null },
    { ...place, connections: 256, measure: 'rate', aim: 0.4 },
    { ...read, connections: 256, measure: 'rate', aim: 0.5 },
    {
      ...place,
      name: 'place cfd',
      requests: () => marginOrders,
      reference: () => orders,
      connections: 256,
      measure: 'rate',
      aim: 0.8,
    },
  ];
}

const options = readOptions(process.argv.slice(2));
if (options !== undefined) process.exitCode = await run(options);
