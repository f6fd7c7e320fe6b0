/**
 * Publishes the packed packages, dependencies first:
 *
 *     npm run release -- --dry-run
 *
 * Arguments are passed to `npm publish`.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { releaseVersion } from './version.js';

const version = releaseVersion();
for (const name of ['millrace-client', 'millrace-apl', 'millrace', 'millrace-testing']) {
  const tarball = join(import.meta.dirname, 'dist', `${name}-${version}.tgz`);
  execFileSync('npm', ['publish', '--access', 'public', ...process.argv.slice(2), tarball], { stdio: 'inherit' });
}
