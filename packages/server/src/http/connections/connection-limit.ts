import { readFileSync } from 'node:fs';

/** Files that the log, the metadata, the engine and downloads may need open besides connections. */
const reservedFiles = 256;

/**
 * How many connections there may be at once: as many as wanted, as long as descriptors are left for
 * everything else.
 */
export function connectionLimit(wanted: number, mostFiles = openFilesLimit()): number {
  return Math.max(1, Math.min(wanted, mostFiles - Math.min(reservedFiles, Math.floor(mostFiles / 2))));
}

/** How many files this process may have open. */
function openFilesLimit(): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
