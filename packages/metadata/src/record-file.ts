import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a small JSON file into a directory atomically; durable when this returns. */
export function writeRecord(directory: string, name: string, record: object): void {
  const path = join(directory, name);
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, `${JSON.stringify(record)}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, path);
  syncDirectory(directory);
}

/** Syncs a directory, so that its file names are durable. */
export function syncDirectory(directory: string): void {
  const opened = openSync(directory, 'r');
  fsyncSync(opened);
  closeSync(opened);
}
