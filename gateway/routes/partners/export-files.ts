import { timingSafeEqual } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportFormat } from '../../../persistence/directory/index.ts';
import type { SecretBox } from '../../identity/index.ts';

interface ExportName {
  /** In lower case. */
  readonly exportId: string;
  readonly format: ExportFormat;
}

const CONTEXT = 'export link';

/** Where export files lie, and the links by which they are read without a token. */
export class ExportFiles {
  readonly #folder: string;
  readonly #secrets: SecretBox;

  constructor(dataDirectory: string, secrets: SecretBox) {
    this.#folder = join(dataDirectory, 'exports');
    this.#secrets = secrets;
  }

  pathOf({ exportId, format }: ExportName): string {
    return join(this.#folder, `${exportId}.${format}`);
  }

  /** Null where it is no longer there. */
  async read(name: ExportName): Promise<string | null> {
    try {
      return await readFile(this.pathOf(name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(name: ExportName): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  /** Path and query of a link that is good until `expires`, UTC milliseconds. */
  sign(name: ExportName, expires: number): string {
    const signature = this.#signature(name, expires).toString('base64url');
    const query = new URLSearchParams({ expires: String(expires), signature });
    return `/exports/files/${name.format}/${name.exportId}?${query}`;
  }

  isSigned(name: ExportName, expires: number, signature: string): boolean {
    const expected = this.#signature(name, expires);
    const given = Buffer.from(signature, 'base64url');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #signature({ exportId, format }: ExportName, expires: number): Buffer {
    return Buffer.from(this.#secrets.digest(`${format} ${exportId} ${expires}`, CONTEXT));
  }
}
