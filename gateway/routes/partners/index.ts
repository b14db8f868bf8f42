import { join } from 'node:path';
import { type Directory, RELATIONS_A_STEP } from '../../../persistence/directory/index.ts';
import { BackgroundWork } from '../../background-work.ts';
import { DEFAULT_LIMITS } from '../../http/limits.ts';
import type { Route } from '../../http/route.ts';
import {
  DIRECTORY_FILE,
  type Identity,
  loadSecretBox,
  systemRandom,
} from '../../identity/index.ts';
import { clientRoutes } from './clients.ts';
import type { PartnerContext } from './context.ts';
import { ExportFiles } from './export-files.ts';
import { ExportWork } from './export-work.ts';
import { exportRoutes } from './exports.ts';
import { nodeRoutes } from './nodes.ts';
import { reassignmentRoutes } from './reassignments.ts';
import { resourceRoutes } from './resource-routes.ts';
import { RESOURCES } from './resources.ts';
import { tokenRoute } from './tokens.ts';

export { seedDemoApps } from './demo-apps.ts';

export interface PartnerOptions {
  readonly directory: Directory;
  readonly dataDirectory: string;
  readonly identity: Pick<Identity, 'appTokens'>;
  /** The address that links to exports begin with. */
  readonly publicUrl: string;
  /** How long such a link is good. */
  readonly exportLinkSeconds: number;
  /** How long the file of an export is kept. */
  readonly exportHours: number;
  /** UTC milliseconds. */
  now(): number;
  onError(error: unknown): void;
}

/** The partner area: its routes, and the work that goes on behind them. */
export interface Partners {
  readonly routes: readonly Route[];
  /** Goes on with what a stop or a crash left. */
  start(): void;
  /** Finishes the step at work. */
  stop(): Promise<void>;
}

const HOUR_MS = 60 * 60 * 1000;
const ACTOR = 'system:reassignments';

export function createPartners(options: PartnerOptions): Partners {
  const { directory, dataDirectory, identity, now, onError } = options;
  const random = systemRandom;
  const secrets = loadSecretBox(dataDirectory);
  const exportFiles = new ExportFiles(dataDirectory, secrets);
  const exports = new ExportWork({
    directory,
    directoryFile: join(dataDirectory, DIRECTORY_FILE),
    files: exportFiles,
    now,
    bytesMax: DEFAULT_LIMITS.answerBytesMax,
    keptMs: options.exportHours * HOUR_MS,
    onError,
  });
  const reassignments = new BackgroundWork({
    onError,
    step: async () => {
      const uuids = Array.from({ length: RELATIONS_A_STEP }, () => random.uuid());
      const input = { uuids, actor: ACTOR, at: now() } as const;
      return (await directory.partnerReassignments.step(input)) !== null;
    },
  });
  const context: PartnerContext = {
    directory,
    appTokens: identity.appTokens,
    secrets,
    random,
    exportFiles,
    publicUrl: options.publicUrl,
    exportLinkSeconds: options.exportLinkSeconds,
    wake: { reassignments: () => reassignments.wake(), exports: () => exports.wake() },
  };
  return {
    routes: partnerRoutes(context),
    start() {
      reassignments.wake();
      exports.start();
    },
    async stop() {
      await Promise.all([reassignments.stop(), exports.stop()]);
    },
  };
}

function partnerRoutes(context: PartnerContext): Route[] {
  return [
    tokenRoute(context),
    ...clientRoutes(context),
    ...RESOURCES.flatMap((resource) => resourceRoutes(context, resource)),
    ...reassignmentRoutes(context),
    ...nodeRoutes(context),
    ...exportRoutes(context),
  ];
}
