import { workerData } from 'piscina';
import { type DirectoryDatabase, openDirectoryDatabase } from './database.ts';
import { type DirectoryRequest, executeDirectoryRequest } from './operations.ts';

/** The thread that owns the directory file. Only the pool in `directory.ts` loads this module. */

/** Errors lose their class and their fields on the way between threads, so they travel as data. */
export type DirectoryResponse =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

let database: DirectoryDatabase | null = null;

/** Opens the file on the first call: a thread that replaces a crashed one does the same. */
export function open(): DirectoryResponse {
  return answer(() => {
    database ??= openDirectoryDatabase(String(workerData));
    return null;
  });
}

export function execute(request: DirectoryRequest): DirectoryResponse {
  return answer(() => {
    database ??= openDirectoryDatabase(String(workerData));
    return executeDirectoryRequest(database, request);
  });
}

/** The connection is closed by its own thread, before the pool ends that thread. */
export function close(): DirectoryResponse {
  return answer(() => {
    database?.close();
    database = null;
    return null;
  });
}

function answer(body: () => unknown): DirectoryResponse {
  try {
    return { ok: true, value: body() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'DIRECTORY';
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, code, message };
  }
}
