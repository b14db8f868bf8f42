/**
 * The direction of imports: gateway -> persistence -> core, and nothing of Node's in the core.
 *
 * TypeScript 7 has no programming interface that this tool could parse with, so @swc/core reads the
 * sources; test/tooling/imports.test.ts proves that each rule really finds an offender, `import type`
 * included.
 */
const packages = (...names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;

/** Only the named files may import the package. */
const onlyFrom = (name, comment, path, ...modules) => ({
  name,
  severity: 'error',
  comment,
  from: { path: '^(core|persistence|gateway)/', pathNot: path },
  to: { path: modules.flatMap((module) => [packages(module), `^${module}(/|$)`]) },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Modules that need each other are one module, or lack a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'imports-resolve',
      severity: 'error',
      comment: 'An import that leads nowhere would hide what it breaks.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      comment: 'The state machines see no clock, file, socket or thread, so that replay is exact.',
      from: { path: '^core/' },
      to: {
        pathNot: ['^core/', packages('msgpackr', 'temporal-polyfill'), '^worker_threads$'],
      },
    },
    {
      name: 'threads-only-in-runtime',
      severity: 'error',
      comment: 'core/runtime hosts the roles; the roles know of no threads.',
      from: { path: '^core/', pathNot: '^core/runtime/' },
      to: { path: '^worker_threads$' },
    },
    {
      name: 'roles-do-not-know-their-host',
      severity: 'error',
      comment: 'The runtime hosts the roles, never the other way round.',
      from: { path: '^core/', pathNot: '^core/runtime/' },
      to: { path: '^core/runtime/' },
    },
    {
      name: 'persistence-on-core-only',
      severity: 'error',
      comment: 'Storage knows events and their form, not who asks for them.',
      from: { path: '^persistence/' },
      to: {
        pathNot: [
          '^(persistence|core)/',
          packages('better-sqlite3', '@types/better-sqlite3', 'piscina'),
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'gateway-stands-on-top',
      severity: 'error',
      comment: 'What ships does not depend on what measures or tests it.',
      from: { path: '^(core|persistence|gateway)/' },
      to: { path: '^(bench|test|tools)/' },
    },
    {
      name: 'benches-need-no-tests',
      severity: 'error',
      comment: 'A benchmark runs without the test folder, and the other way round.',
      from: { path: '^bench/' },
      to: { path: '^test/' },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      comment: 'What is imported is declared; what ships imports no development dependency.',
      from: { path: '^(core|persistence|gateway)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
    onlyFrom(
      'one-http-server-file',
      'One wrapper takes care of all that uWebSockets.js leaves to its user.',
      '^gateway/http/uws\\.ts$',
      'uWebSockets\\.js',
    ),
    onlyFrom(
      'sqlite-in-persistence',
      'Only persistence speaks SQL.',
      '^persistence/',
      'better-sqlite3',
      '@types/better-sqlite3',
    ),
    onlyFrom(
      'jose-in-identity',
      'Tokens are made and read in one place.',
      '^gateway/identity/',
      'jose',
    ),
    onlyFrom(
      'argon2-in-identity',
      'Passwords are hashed in one place.',
      '^gateway/identity/',
      '@node-rs/argon2',
    ),
    onlyFrom(
      'one-codec-file',
      'The form of cold messages and snapshots is decided in one file.',
      '^core/messages/codec\\.ts$',
      'msgpackr',
    ),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
