import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** An import that the rules forbid, and the rules that have to find it. */
interface Offence {
  readonly file: string;
  readonly source: string;
  readonly rules: readonly string[];
}

const offences: readonly Offence[] = [
  {
    file: 'core/clock-reader.ts',
    source: "import { hrtime } from 'node:process';\nhrtime();",
    rules: ['core-is-pure'],
  },
  {
    file: 'core/upwards-type.ts',
    source: "import type { Stored } from '../persistence/stored.ts';\nexport type Known = Stored;",
    rules: ['core-is-pure'],
  },
  {
    file: 'core/upwards-export.ts',
    source: "export { stored } from '../persistence/stored.ts';",
    rules: ['core-is-pure'],
  },
  {
    file: 'core/lazily-upwards.ts',
    source: "export const lazy = () => import('../persistence/stored.ts');",
    rules: ['core-is-pure'],
  },
  {
    file: 'core/market/threaded.ts',
    source: "import { Worker } from 'node:worker_threads';\nexport const kind = Worker;",
    rules: ['threads-only-in-runtime'],
  },
  {
    file: 'core/market/hosted.ts',
    source: "import { host } from '../runtime/host.ts';\nexport const kind = host;",
    rules: ['roles-do-not-know-their-host'],
  },
  {
    file: 'core/second-codec.ts',
    source: "import { Packr } from 'msgpackr';\nexport const packr = new Packr();",
    rules: ['one-codec-file'],
  },
  {
    file: 'persistence/upwards.ts',
    source: "import { route } from '../gateway/route.ts';\nexport const kind = route;",
    rules: ['persistence-on-core-only'],
  },
  {
    file: 'persistence/web.ts',
    source: "import Fastify from 'fast-json-stringify';\nexport const kind = Fastify;",
    rules: ['persistence-on-core-only'],
  },
  {
    file: 'gateway/queries.ts',
    source: "import type Database from 'better-sqlite3';\nexport type Kind = Database.Database;",
    rules: ['sqlite-in-persistence'],
  },
  {
    file: 'gateway/http/second-server.ts',
    source: "import { App } from 'uWebSockets.js';\nexport const kind = App;",
    rules: ['one-http-server-file'],
  },
  {
    file: 'gateway/routes/tokens.ts',
    source: "import { jwtVerify } from 'jose';\nexport const kind = jwtVerify;",
    rules: ['jose-in-identity'],
  },
  {
    file: 'gateway/routes/passwords.ts',
    source: "import { hash } from '@node-rs/argon2';\nexport const kind = hash;",
    rules: ['argon2-in-identity'],
  },
  {
    file: 'gateway/tested.ts',
    source: "import { helper } from '../test/helper.ts';\nexport const kind = helper;",
    rules: ['gateway-stands-on-top'],
  },
  {
    file: 'gateway/random.ts',
    source: "import { integer } from 'fast-check';\nexport const kind = integer;",
    rules: ['no-undeclared-packages'],
  },
  {
    file: 'gateway/nowhere.ts',
    source: "import { nothing } from './missing.ts';\nexport const kind = nothing;",
    rules: ['imports-resolve'],
  },
  {
    file: 'bench/tested.ts',
    source: "import { helper } from '../test/helper.ts';\nexport const kind = helper;",
    rules: ['benches-need-no-tests'],
  },
  {
    file: 'gateway/ring-a.ts',
    source: "import { b } from './ring-b.ts';\nexport const a = (): unknown => b;",
    rules: ['no-cycles'],
  },
];

const allowed: Readonly<Record<string, string>> = {
  'core/messages/codec.ts': "import { Packr } from 'msgpackr';\nexport const packr = new Packr();",
  'core/runtime/host.ts':
    "import { Worker } from 'node:worker_threads';\nexport const host = Worker;",
  'core/calendar.ts': "import { Temporal } from 'temporal-polyfill';\nexport const t = Temporal;",
  'persistence/stored.ts':
    "import Database from 'better-sqlite3';\nimport { readFileSync } from 'node:fs';\n" +
    "import { packr } from '../core/messages/codec.ts';\n" +
    'export const stored = [Database, readFileSync, packr];\nexport type Stored = typeof stored;',
  // A ring of imports is reported at one of its files.
  'gateway/ring-b.ts': "import { a } from './ring-a.ts';\nexport const b = (): unknown => a;",
  'gateway/http/uws.ts': "import { App } from 'uWebSockets.js';\nexport const app = App;",
  'gateway/identity/tokens.ts':
    "import { hash } from '@node-rs/argon2';\nimport { jwtVerify } from 'jose';\n" +
    'export const identity = [hash, jwtVerify];',
  'gateway/route.ts':
    "import { stored } from '../persistence/stored.ts';\nexport const route = stored;",
  'bench/http.ts': "import { route } from '../gateway/route.ts';\nexport const bench = route;",
  'test/helper.ts': "import { bench } from '../bench/http.ts';\nexport const helper = bench;",
};

interface CruiseResult {
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

async function cruise(directory: string): Promise<CruiseResult> {
  const binary = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const folders = ['core', 'persistence', 'gateway', 'bench', 'test'];
  const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders];
  const { stdout } = await promisify(execFile)(process.execPath, [binary, ...options], {
    cwd: directory,
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout) as CruiseResult;
}

describe('the import rules', () => {
  const directory = mkdtempSync(join(tmpdir(), 'matchbox-imports-'));
  const found = new Map<string, string[]>();

  beforeAll(async () => {
    for (const name of ['.dependency-cruiser.cjs', 'package.json']) {
      copyFileSync(name, join(directory, name));
    }
    symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
    const sources = [
      ...Object.entries(allowed),
      ...offences.map(({ file, source }) => [file, source] as const),
    ];
    for (const [file, source] of sources) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), source);
    }
    for (const { from, rule } of (await cruise(directory)).summary.violations) {
      found.set(from, [...(found.get(from) ?? []), rule.name]);
    }
  });

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each(offences)('find what $file must not import', ({ file, rules }) => {
    expect(found.get(file) ?? []).toEqual(expect.arrayContaining([...rules]));
  });

  test.each(Object.keys(allowed))('have nothing against %s', (file) => {
    expect(found.get(file) ?? []).toEqual([]);
  });
});
