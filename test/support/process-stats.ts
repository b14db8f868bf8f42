import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Resident memory of a process in MiB, from /proc. */
export function residentMebibytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kibibytes) / 1024;
}

/** How many file descriptors a process has open. */
export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The bytes of all files below a directory whose path ends as told. */
export function bytesOnDisk(directory: string, ending = ''): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const file of files) {
    if (file.isFile() && file.name.endsWith(ending)) {
      bytes += statSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return bytes;
}
