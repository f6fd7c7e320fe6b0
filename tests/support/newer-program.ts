import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { executedFirst } from './executed-first.ts';
import { root } from './root.ts';

const migrations = pathToFileURL(join(root, 'packages', 'metadata', 'dist', 'migrations.js'));

/**
 * A newer version of a server: it has one more migration of the metadata, which adds a column. It
 * runs without the bundle, which has its own copy of the list of migrations.
 */
export const newerVersion = {
  program: join(root, 'packages', 'cli', 'dist', 'main.js'),
  settings: executedFirst(
    `import { migrations } from '${migrations}'; migrations.push(['ALTER TABLE org ADD COLUMN later TEXT']);`,
  ),
};
