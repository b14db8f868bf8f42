import { bytesOnDisk, openDescriptors, residentMebibytes } from '../support/process-stats.ts';
import type { TestServer } from '../support/server.ts';

/** What the server used at one moment. */
export interface Sample {
  readonly seconds: number;
  readonly answers: number;
  readonly residentMebibytes: number;
  readonly heapMebibytes: number;
  readonly descriptors: number;
  readonly walMebibytes: number;
  readonly dataMebibytes: number;
  readonly openOrders: number;
  readonly viewsLag: number;
}

const MEBIBYTE = 1_048_576;

export async function takeSample(
  server: TestServer,
  seconds: number,
  answers: number,
): Promise<Sample> {
  const { text } = await server.anonymous().get('/metrics');
  const figure = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    seconds,
    answers,
    residentMebibytes: residentMebibytes(server.pid),
    heapMebibytes: figure('nodejs_heap_size_used_bytes') / MEBIBYTE,
    descriptors: openDescriptors(server.pid),
    walMebibytes: bytesOnDisk(server.dataDir, '-wal') / MEBIBYTE,
    dataMebibytes: bytesOnDisk(server.dataDir) / MEBIBYTE,
    openOrders: figure('matchbox_open_orders'),
    viewsLag: figure('matchbox_views_lag_events'),
  };
}
