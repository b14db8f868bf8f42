import { openDirectoryDatabase } from '../../../persistence/directory/database.ts';
import type { Directory } from '../../../persistence/directory/index.ts';
import {
  createDirectoryCalls,
  executeDirectoryRequest,
} from '../../../persistence/directory/operations.ts';

/**
 * The directory in this thread. Requests and answers are cloned as a thread boundary would clone them,
 * so what could not cross it fails here too.
 */
export function openInThreadDirectory(file = ':memory:'): Directory {
  const database = openDirectoryDatabase(file);
  const calls = createDirectoryCalls(async (request) =>
    structuredClone(executeDirectoryRequest(database, structuredClone(request))),
  );
  return {
    ...calls,
    close: async () => database.close(),
  };
}
