import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** What no source line may hold, where, and why. */
interface Ban {
  readonly what: string;
  readonly pattern: RegExp;
  readonly within: RegExp;
  /** Files that may, each for a reason. */
  readonly except?: RegExp;
  /** Look at comments too. */
  readonly comments?: true;
}

const shipped = /^(core|persistence|gateway)\//;
const anywhere = /^(core|persistence|gateway|bench|test|tools)\//;
const self = /^test\/tooling\/tidy\.test\.ts$/;

const bans: readonly Ban[] = [
  {
    what: 'the wall clock read outside a clock file',
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bTemporal\.Now\b/,
    within: shipped,
    // The edge's own clock, and the names of files put aside, which carry the time for people.
    except:
      /(^|\/)clock\.ts$|^gateway\/http\/server-state\.ts$|^persistence\/(journal\/batch-file|snapshots\/snapshot-writer)\.ts$/,
  },
  {
    what: 'a clock or a timer in the core',
    pattern: /\bperformance\.now\b|\bprocess\.hrtime\b|\bset(Timeout|Interval|Immediate)\(/,
    within: /^core\//,
    except: /^core\/runtime\//,
  },
  {
    what: 'randomness in the core',
    pattern: /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b/,
    within: /^core\//,
  },
  {
    what: 'the environment in the core',
    pattern: /\bprocess\.(env|argv|exit|cwd)\b/,
    within: /^core\//,
  },
  { what: 'a number read as a float', pattern: /\bparseFloat\b/, within: anywhere },
  {
    what: 'a number printed by toFixed or toPrecision',
    pattern: /\.to(Fixed|Precision)\(/,
    within: shipped,
  },
  {
    what: 'output past the log',
    pattern: /\bconsole\.\w+\(/,
    within: /^(core|persistence|gateway|test)\//,
  },
  {
    what: 'work left undone',
    pattern: /\b(FIXME|TODO|XXX|HACK)\b|not (yet )?implemented/i,
    within: anywhere,
    comments: true,
  },
  {
    what: 'a check switched off',
    pattern: /@ts-(ignore|nocheck)|(biome|eslint|oxlint)-(ignore|disable)/,
    within: anywhere,
    comments: true,
  },
  {
    what: 'an expected type error outside the tests of types',
    pattern: /@ts-expect-error/,
    within: anywhere,
    except: /-types\.test\.ts$/,
    comments: true,
  },
  { what: 'the type any', pattern: /\bas any\b|: any\b|<any\b/, within: anywhere },
  {
    what: 'a path of one machine',
    pattern: /["'`\s(](\/work|\/home|\/root|\/Users|\/tmp)\/|\.\.\/shared\//,
    within: anywhere,
    comments: true,
  },
  {
    what: 'a type imported inline, which the import rules cannot see',
    pattern: /(?<!await )(?<!=> )(?<!return )\bimport\(['"][^)]*\)\./,
    within: anywhere,
  },
  {
    what: 'a test that is skipped or runs alone',
    pattern: /\b(describe|test|it)\.(only|skip|todo)\b/,
    within: /^test\//,
  },
];

const lineLimit = 450;

interface SourceFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly code: readonly string[];
}

/** Blanks comments, keeping line numbers. Strings stay: `//` within one is no comment here. */
function withoutComments(text: string): string {
  const token = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(,])\/\/[^\n]*/g;
  return text.replace(token, (comment) => comment.replace(/[^\n]/g, ' '));
}

function sources(): SourceFile[] {
  const folders = ['core', 'persistence', 'gateway', 'bench', 'test', 'tools'];
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => /\.(ts|mjs|js|cjs)$/.test(path))
    .map((path) => {
      const text = readFileSync(path, 'utf8');
      return { path, lines: text.split('\n'), code: withoutComments(text).split('\n') };
    });
}

function findings(ban: Ban, files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => ban.within.test(path) && !ban.except?.test(path) && !self.test(path))
    .flatMap((file) =>
      (ban.comments === true ? file.lines : file.code).flatMap((line, index) =>
        ban.pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : [],
      ),
    );
}

describe('the sources', () => {
  const files = sources();

  test('are found', () => {
    expect(files.map(({ path }) => path)).toContain('core/messages/codec.ts');
  });

  test.each(bans)('hold nowhere $what', (ban) => {
    expect(findings(ban, files)).toEqual([]);
  });

  test(`have no file longer than ${lineLimit} lines`, () => {
    const long = files.filter(({ lines }) => lines.length > lineLimit + 1);
    expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([]);
  });

  test('are named in kebab-case', () => {
    const odd = files.filter(
      ({ path }) => !/^([a-z0-9.-]+\/)*[a-z0-9]+([.-][a-z0-9]+)*$/.test(path),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });
});

describe('the bans', () => {
  const planted: Readonly<Record<string, string>> = {
    'gateway/planted.ts':
      'const at = Date.now();\nconst n = parseFloat(t).toFixed(2) as any;\nconsole.log(at);\n' +
      '// TODO later\n// @ts-ignore\n// @ts-expect-error\nconst p = "/work/x";\ntype X = import("./y.ts").Z;',
    'core/planted.ts':
      'const r = Math.random();\nsetTimeout(f, performance.now());\nprocess.exit(process.env.A);',
    'test/planted.ts': 'test.only("x", f);',
  };
  const files = Object.entries(planted).map(([path, text]) => ({
    path,
    lines: text.split('\n'),
    code: withoutComments(text).split('\n'),
  }));

  test.each(bans)('notice $what', (ban) => {
    expect(findings(ban, files)).not.toEqual([]);
  });

  test('leave a comment about what is banned alone', () => {
    const text = '/** Never Math.random here. */\nconst a = 1; // nor Math.random\n';
    expect(withoutComments(text)).not.toContain('Math.random');
    expect(withoutComments(text)).toContain('const a = 1;');
  });
});
