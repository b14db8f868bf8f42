import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDirectoryDatabase } from '../../persistence/directory/database.ts';
import type { Answer, ApiClient } from '../support/api-client.ts';
import { useServer } from '../support/use-server.ts';
import {
  AnswerCheck,
  app,
  bodyOf,
  type Fields,
  newUser,
  putUnder,
  READING,
} from './support/partner.ts';

const LINK_SECONDS = 2;
/** Restarts take their time where many tests run at once. */
const RESTARTS = { timeout: 120_000 };
const server = useServer({ EXPORT_LINK_SECONDS: String(LINK_SECONDS) });
let client: ApiClient;
let check: AnswerCheck;

beforeAll(async () => {
  client = await app(server());
  check = await AnswerCheck.of(client);
});

interface Export extends Fields {
  readonly exportId: string;
  readonly status: string;
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** A refusal in the export area's shape, with this code and naming this field. */
function expectExportRefused(answer: Answer, status: number, code: string, field: string): void {
  expect({ status: answer.status, code: answer.code }, answer.text).toEqual({ status, code });
  const { message } = answer.body as { message: string };
  expect(answer.body).toEqual({
    message,
    code,
    errors: { [field]: [message] },
    details: [{ field, issue: message }],
  });
}

async function settled(exportId: string): Promise<Export> {
  for (;;) {
    const job = bodyOf<Export>(await client.get(`/exports/async/${exportId}`), 200);
    if (!['pending', 'processing'].includes(job.status)) return job;
    await sleep(10);
  }
}

async function exported(subject: string, format: string): Promise<Export> {
  const answer = await client.post('/exports/async', { subject, format });
  check.expectDeclared('POST', '/exports/async', answer);
  return await settled(bodyOf<Export>(answer, 202).exportId);
}

/** The path and query of a fresh link. */
async function linkTo(exportId: string): Promise<string> {
  const answer = await client.get(`/exports/async/${exportId}/sign`);
  check.expectDeclared('GET', '/exports/async/{exportId}/sign', answer);
  const { location } = bodyOf<{ location: string }>(answer, 200);
  const { origin, pathname, search } = new URL(location);
  expect(origin).toBe(server().base);
  return pathname + search;
}

const fetchFile = (link: string) => server().anonymous().get<string>(link);

describe('an export', () => {
  it('of relations is a CSV file with a line for each', async () => {
    const [child, parent] = [await newUser(client, 'Child'), await newUser(client, 'Parent')];
    const relation = await putUnder(client, child, parent);
    const job = await exported('relations', 'csv');
    expect(job).toMatchObject({
      status: 'completed',
      rows: 1,
      subject: 'relations',
      format: 'csv',
    });
    const file = await fetchFile(await linkTo(job.exportId));
    expect(file.status).toBe(200);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.headers['content-disposition']).toContain(`${job.exportId}.csv`);
    const [head, line, end] = file.text.split('\r\n');
    expect(head).toBe('relationId,childUserId,parentUserId,createTime,updateTime,uuid');
    expect(line).toMatch(new RegExp(`^${relation},${child},${parent},`));
    expect(end).toBe('');
    expect(Buffer.byteLength(file.text)).toBe(job['bytes']);
  });

  it('of groups is a JSON file with their levels and tiers', async () => {
    const levels = [{ level: 1, formulaValue: 'x' }];
    const group = bodyOf<Fields>(await client.post('/groups', { name: 'Gold', levels }), 201);
    const job = await exported('groups', 'json');
    const file = await fetchFile(await linkTo(job.exportId));
    expect(file.headers['content-type']).toBe('application/json');
    expect(file.body).toEqual([group]);
  });

  it('quotes what CSV must quote, and defuses what a spreadsheet would run', async () => {
    await client.post('/links', { name: '=1+1', uri: 'https://a.test/"x",y' });
    await client.post('/links', { name: 'Grüße, 世界', uri: 'https://a.test' });
    const job = await exported('links', 'csv');
    const { text } = await fetchFile(await linkTo(job.exportId));
    expect(text).toContain(`1,'=1+1,"https://a.test/""x"",y",,[],`);
    expect(text).toContain('2,"Grüße, 世界",https://a.test,,[],');
  });

  it('may be asked for and signed by an app that only reads', async () => {
    const reader = await app(server(), READING);
    const answer = await reader.post('/exports/async', { subject: 'users', format: 'json' });
    const { exportId } = bodyOf<Export>(answer, 202);
    await settled(exportId);
    expect((await reader.get(`/exports/async/${exportId}/sign`)).status).toBe(200);
  });

  it('lies in a file that only the owner of the data directory can read', () => {
    const folder = join(server().dataDir, 'exports');
    const files = readdirSync(folder);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  });
});

describe('a link', () => {
  let job: Export;

  beforeAll(async () => {
    job = await exported('profiles', 'csv');
  });

  it('is refused when any part of it was altered', async () => {
    const link = await linkTo(job.exportId);
    const other = await exported('profiles', 'csv');
    const expires = Number(/expires=(\d+)/.exec(link)?.[1]);
    const altered = [
      link.replace(job.exportId, other.exportId),
      link.replace('/csv/', '/json/'),
      link.replace(/expires=\d+/, `expires=${expires + 1}`),
      link.replace(/signature=./, (start) => `signature=${start.endsWith('A') ? 'B' : 'A'}`),
      link.replace(/signature=.*/, 'signature=AAAA'),
    ];
    for (const path of altered) {
      expectExportRefused(await fetchFile(path), 403, 'TR0721', 'signature');
    }
    const unsigned = await fetchFile(link.replace(/&signature=.*/, ''));
    expectExportRefused(unsigned, 400, 'TR0008', 'signature');
    expect((await fetchFile(link)).status).toBe(200);
  });

  it('is refused when it has expired', async () => {
    const link = await linkTo(job.exportId);
    await sleep(LINK_SECONDS * 1000 + 100);
    expectExportRefused(await fetchFile(link), 403, 'TR0721', 'signature');
  });

  it('is good across a restart', RESTARTS, async () => {
    await server().kill('SIGKILL');
    await server().restart({ EXPORT_LINK_SECONDS: '600' });
    const link = await linkTo(job.exportId);
    await server().kill('SIGKILL');
    await server().restart();
    expect((await fetchFile(link)).status).toBe(200);
  });

  it('is made for a completed export only, and only for an app', async () => {
    const sign = (exportId: string, by = client) => by.get(`/exports/async/${exportId}/sign`);
    expectExportRefused(await sign(UNKNOWN), 404, 'TR0700', 'exportId');
    expectExportRefused(await sign('x'), 400, 'TR0012', 'exportId');
    expect(await sign(job.exportId, server().anonymous())).toMatchObject({ status: 401 });
    expect(await sign(job.exportId, await server().user('admin'))).toMatchObject({ status: 403 });
  });
});

describe('asking for an export', () => {
  it('is refused for subjects, formats and fields that there are not', async () => {
    const ask = (body: Fields) => client.post('/exports/async', body);
    const format = 'csv';
    expectExportRefused(await ask({ format }), 400, 'TR0008', 'subject');
    expectExportRefused(await ask({ subject: 'drivers', format }), 400, 'TR0011', 'subject');
    expectExportRefused(await ask({ subject: 'links', format: 'xml' }), 400, 'TR0011', 'format');
    const surprise = { subject: 'links', format, surprise: 1 };
    expectExportRefused(await ask(surprise), 400, 'TR0010', 'surprise');
    expectExportRefused(await client.get(`/exports/async/${UNKNOWN}`), 404, 'TR0700', 'exportId');
  });
});

describe('after a stop', () => {
  const file = () => join(server().dataDir, 'directory.db');
  const change = (sql: string, ...values: (string | number)[]) => {
    const database = openDirectoryDatabase(file());
    database.statement(sql).run(...values);
    database.close();
  };

  it(
    'an export that was cut off is written, and there is no link before it is',
    RESTARTS,
    async () => {
      const job = await exported('users', 'csv');
      await server().kill('SIGKILL');
      change("UPDATE partner_exports SET status = 'processing' WHERE uuid = ?", job.exportId);
      await server().restart();
      const answer = await client.get(`/exports/async/${job.exportId}/sign`);
      if (answer.status !== 200) expectExportRefused(answer, 409, 'TR0720', 'exportId');
      expect((await settled(job.exportId)).status).toBe('completed');
      expect((await fetchFile(await linkTo(job.exportId))).status).toBe(200);
    },
  );

  it('old files are removed, and said to be gone', RESTARTS, async () => {
    const job = await exported('users', 'csv');
    const path = join(server().dataDir, 'exports', `${job.exportId}.csv`);
    expect(existsSync(path)).toBe(true);
    const link = await linkTo(job.exportId);
    await server().kill('SIGTERM');
    change('UPDATE partner_exports SET updated_at = 1 WHERE uuid = ?', job.exportId);
    await server().restart();
    for (let waited = 0; waited < 200 && existsSync(path); waited++) await sleep(10);
    expect(existsSync(path)).toBe(false);
    const answer = await client.get(`/exports/async/${job.exportId}/sign`);
    expectExportRefused(answer, 410, 'TR0722', 'exportId');
    expectExportRefused(await fetchFile(link), 410, 'TR0722', 'exportId');
  });
});
