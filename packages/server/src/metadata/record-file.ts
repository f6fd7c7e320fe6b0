import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a small JSON file into a directory; durable when this returns, whole or not at all. */
export function writeRecord(directory: string, name: string, record: object): void {
  const path = join(directory, name);
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, `${JSON.stringify(record)}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, path);
  syncDirectory(directory);
}

/** Makes the names in a directory durable. */
export function syncDirectory(directory: string): void {
  const opened = openSync(directory, 'r');
  fsyncSync(opened);
  closeSync(opened);
}
