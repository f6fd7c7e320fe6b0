import { readFileSync } from 'node:fs';

/** File descriptors reserved for the log, the metadata, the engine and downloads. */
const reservedFiles = 256;

/**
 * Maximum open connections: the setting, reduced so that file descriptors remain for everything
 * else.
 */
export function connectionLimit(wanted: number, maxFiles = openFilesLimit()): number {
  return Math.max(1, Math.min(wanted, maxFiles - Math.min(reservedFiles, Math.floor(maxFiles / 2))));
}

/** Maximum open files of this process. */
function openFilesLimit(): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
