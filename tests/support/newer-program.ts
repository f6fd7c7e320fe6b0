import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { executedFirst } from './executed-first.ts';
import { root } from './root.ts';

const migrations = pathToFileURL(join(root, 'packages', 'server', 'dist', 'metadata', 'migrations.js'));

/** What makes a newer version of a server: one more step for the metadata, which adds something. */
export const oneStepMore = executedFirst(
  `import { migrations } from '${migrations}'; migrations.push(['ALTER TABLE org ADD COLUMN later TEXT']);`,
);
