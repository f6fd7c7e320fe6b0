import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Tests run the packages' sources, but threads, child processes and the command load the build,
 * which could be outdated: so changed sources are built first, also for `npx vitest run`. Without
 * changes this takes a second.
 */
export function setup(): void {
  const root = join(import.meta.dirname, '../..');
  const run = (...args: readonly string[]): unknown =>
    execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  run('packages/events/build-encoder.js');
  try {
    run('node_modules/typescript/bin/tsc', '-b');
  } catch {
    throw new Error(
      'the sources do not compile (above), so threads and child processes would run what was built before',
    );
  }
  run('packages/cli/build.js');
}
