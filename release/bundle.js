import { isBuiltin } from 'node:module';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { absentPackages, externalPackages } from '../packages/cli/external-packages.js';
import { locatedFiles } from './located-files.js';
import { root } from './version.js';

const isExternal = (id) => isBuiltin(id) || [...externalPackages, ...absentPackages].includes(id);

/**
 * Bundles the built command, with its threads, child processes and files, into `dist` of a package.
 *
 * Packages from the registry are included, in the versions that were tested: npm applies neither
 * the lock file nor `overrides` of a dependency, and a start takes a third less CPU.
 * @returns paths of the bundled modules
 */
export async function bundleCommand(packageFolder) {
  const folders = new Map();
  const made = await rolldown({
    input: { millrace: join(root, 'packages/cli/dist/main.js') },
    platform: 'node',
    external: isExternal,
    plugins: [locatedFiles(folders)],
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await made.write({
    dir: join(packageFolder, 'dist/bundle'),
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
  });
  for (const [name, source] of folders) cpSync(source, join(packageFolder, 'dist', name), { recursive: true });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
