import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiClient } from './api-client.ts';
import { type ApiDocument, DocumentedAnswers } from './documented-answers.ts';

const START_TIMEOUT_MS = 60_000;
const LOG_TAIL_LENGTH = 8000;
const DEMO_PASSWORD = 'Matchbox-1!';
const CLIENT = Buffer.from('tests:tests-secret').toString('base64');

export type Environment = Readonly<Record<string, string>>;

/** What a server under test runs with, unless a test says otherwise. */
const ENVIRONMENT: Environment = {
  HOST: '127.0.0.1',
  DEMO: 'quiet',
  ACCESS_TOKEN_SECONDS: '3600',
  LOG_LEVEL: 'warn',
};

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * The real server as a child process on a data directory of its own. It may be killed and started
 * again on the same directory; its port stays the same.
 *
 *     const server = await TestServer.start();
 *     const alice = await server.trader('alice');
 *     await alice.post('/frontoffice/api/v3/orders', { order: { … } });
 *     await server.kill('SIGKILL');
 *     await server.restart();
 *     await server.cleanup();
 */
export class TestServer {
  readonly dataDir: string;
  port = 0;
  private readonly directory: string;
  private environment: Environment;
  private child: ChildProcess | undefined;
  private exited: Promise<Exit> = Promise.resolve({ code: 0, signal: null });
  private readonly tokens = new Map<string, Promise<string>>();
  private readonly accountIds = new Map<string, Promise<ReadonlyMap<string, string>>>();
  private readonly clients: ApiClient[] = [];
  private documented: DocumentedAnswers | undefined;

  private constructor(environment: Environment) {
    this.directory = mkdtempSync(join(tmpdir(), 'matchbox-test-'));
    this.dataDir = join(this.directory, 'data');
    this.environment = { ...ENVIRONMENT, ...environment };
  }

  /** A server on a fresh data directory, ready to trade. */
  static async start(environment: Environment = {}): Promise<TestServer> {
    const server = new TestServer(environment);
    try {
      await server.restart();
    } catch (error) {
      await server.cleanup();
      throw error;
    }
    return server;
  }

  /** A server that has not been started, for starts that must fail. */
  static unstarted(): TestServer {
    return new TestServer({});
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && !this.child.signalCode;
  }

  /** Everything that the server has written, over all its lives. */
  get log(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
  }

  get logTail(): string {
    return this.log.slice(-LOG_TAIL_LENGTH);
  }

  /** Starts it again on its data directory; resolves when it is ready to trade. */
  async restart(environment: Environment = {}): Promise<void> {
    await this.spawn(environment);
    await this.ready();
  }

  /** Starts the process without waiting for anything. */
  async spawn(environment: Environment = {}): Promise<void> {
    if (this.isRunning) throw new Error('the server is running');
    if (this.port === 0) this.port = await freePort();
    this.environment = { ...this.environment, ...environment };
    const log = openSync(this.logFile, 'a');
    const child = spawn(process.execPath, [serverEntry()], {
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        PORT: String(this.port),
        DATA_DIR: this.dataDir,
        ...this.environment,
      },
    });
    closeSync(log);
    this.child = child;
    this.exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  }

  /** Resolves when /health says so; throws with the log where the process ends instead. */
  async ready(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (!(await this.isReady())) {
      if (this.isRunning && performance.now() < deadline) await sleep(20);
      else throw new Error(`the server did not start:\n${this.logTail}`);
    }
    this.documented ??= await this.readDocument();
  }

  async isReady(): Promise<boolean> {
    try {
      return (await this.anonymous().get('/health')).status === 200;
    } catch {
      return false;
    }
  }

  /** Sends the signal and resolves when the process has ended. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Exit> {
    this.child?.kill(signal);
    return await this.exited;
  }

  /** Resolves when the process ends by itself. */
  async exit(): Promise<Exit> {
    return await this.exited;
  }

  /** What `npm run verify` says about the data directory of the stopped server. */
  async verify(): Promise<{ readonly code: number | null; readonly output: string }> {
    const entry = join(dirname(serverEntry()), '../persistence/verify/main.js');
    const child = spawn(process.execPath, [entry, this.dataDir], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const [code] = await once(child, 'close');
    return { code, output };
  }

  /** Ends the process and removes its data. */
  async cleanup(): Promise<void> {
    for (const client of this.clients.splice(0)) client.close();
    if (this.isRunning) await this.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A client without a token. */
  anonymous(): ApiClient {
    const client = new ApiClient(
      () => this.port,
      {},
      (method, path, answer) => {
        const fault = this.documented?.fault(method, path, answer);
        if (fault === undefined) return;
        const { status, text } = answer;
        throw new Error(`${method} ${path} is not as documented: ${fault}\n${status} ${text}`);
      },
    );
    this.clients.push(client);
    return client;
  }

  /** A demo trader (`alice`, `bob`) on one of its accounts. */
  async trader(name: string, accountName = 'Main'): Promise<ApiClient> {
    const token = await this.token(name);
    const accountId = (await this.accounts(name)).get(accountName);
    if (accountId === undefined) throw new Error(`${name} has no account ${accountName}`);
    return this.anonymous().with({ token, accountId });
  }

  /** A demo user without an account, such as `admin`. */
  async user(name: string): Promise<ApiClient> {
    return this.anonymous().with({ token: await this.token(name) });
  }

  /** Account ids by account name. */
  accounts(name: string): Promise<ReadonlyMap<string, string>> {
    const known = this.accountIds.get(name) ?? this.readAccounts(name);
    this.accountIds.set(name, known);
    return known;
  }

  /** An access token, signed in for once. */
  token(name: string): Promise<string> {
    const known = this.tokens.get(name) ?? this.signIn(name);
    this.tokens.set(name, known);
    return known;
  }

  /** Whoever comes next signs in anew: the tokens have expired. */
  forgetTokens(): void {
    this.tokens.clear();
  }

  private async readDocument(): Promise<DocumentedAnswers> {
    const { body } = await this.anonymous().get<ApiDocument>('/openapi.json');
    return new DocumentedAnswers(body);
  }

  private async readAccounts(name: string): Promise<ReadonlyMap<string, string>> {
    const user = await this.user(name);
    const { body } = await user.get<{ accountName: string; accountId: string }[]>(
      '/frontoffice/api/v3/accounts',
    );
    return new Map(body.map(({ accountName, accountId }) => [accountName, accountId]));
  }

  private async signIn(name: string): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'password',
      username: `${name}@matchbox.test`,
      password: DEMO_PASSWORD,
      // What a user's roles do not open is left out.
      scope: 'openid FrontOffice BackOffice',
    });
    const headers = {
      authorization: `Basic ${CLIENT}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const path = '/identity/connect/token';
    const answer = await this.anonymous().post<{ access_token?: string }>(path, form.toString(), {
      headers,
    });
    const { access_token: token } = answer.body;
    if (token === undefined) throw new Error(`${name} cannot sign in: ${answer.text}`);
    return token;
  }

  private get logFile(): string {
    return join(this.directory, 'server.log');
  }
}

/** The compiled server; SERVER_ENTRY names another build of it. */
function serverEntry(): string {
  const named = process.env['SERVER_ENTRY'];
  if (named !== undefined && named !== '') return named;
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) directory = dirname(directory);
  return join(directory, 'dist/gateway/main.js');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
