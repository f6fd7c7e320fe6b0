import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apl } from '../../support/apl.ts';
import type { ServerProcess } from '../../support/server-process.ts';

/** Common parts of the shipper tests. */

export const run = promisify(execFile);
/** Fetching may take long. */
export const milliseconds = 240_000;

/**
 * Creates a directory with Node libraries from their registry, and the programs next to this file.
 */
export async function libraries(names: readonly string[]): Promise<string> {
  const directory = createScratchDirectory();
  for (const program of ['send.mjs', 'steadily.mjs', 'metrics.mjs'])
    cpSync(join(import.meta.dirname, program), join(directory, program));
  writeFileSync(join(directory, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-save', ...names], {
    cwd: directory,
    timeout: milliseconds,
  });
  return directory;
}

const directories: string[] = [];

/** A directory that is removed by {@link removeScratch}. */
export function createScratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-shippers-'));
  directories.push(directory);
  return directory;
}

export function removeScratch(): void {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/** Whether a command is installed; prints a message if not. */
export const isPresent = (command: string, ...args: readonly string[]): Promise<boolean> =>
  run(command, args, { timeout: 10_000 }).then(
    () => true,
    () => {
      process.stdout.write(`not run: ${command} is not on this machine\n`);
      return false;
    },
  );

/** The values of a field, in order. */
export const valuesOf = async (server: ServerProcess, dataset: string, field: string): Promise<readonly unknown[]> =>
  (await apl(server, `['${dataset}'] | extend m = ${field} | order by m asc | take 50000 | project m`)).tables[0]!
    .columns[0] ?? [];
