import type { Directory } from '../../../persistence/directory/index.ts';
import type { AccessTokens, RandomSource, SecretBox } from '../../identity/index.ts';
import type { ExportFiles } from './export-files.ts';

/** What the routes of the partner area work with. */
export interface PartnerContext {
  readonly directory: Directory;
  readonly appTokens: Pick<AccessTokens, 'issue'>;
  readonly secrets: SecretBox;
  readonly random: RandomSource;
  readonly exportFiles: ExportFiles;
  /** The address that links to exports begin with. */
  readonly publicUrl: string;
  readonly exportLinkSeconds: number;
  /** Tell the background work that there is some. */
  readonly wake: { reassignments(): void; exports(): void };
}
