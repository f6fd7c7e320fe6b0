import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { workspaceManifest } from './manifest.js';
import { root, workspaces } from './version.js';

/** What `@millrace/apl` exports: the parser and the functions for editors, not the compiler. */
const entry = 'apl/dist/editor/index';

const packages = join(root, 'packages');

/** Manifest of `@millrace/apl` as it is published: one entry, no dependencies. */
export function aplManifest() {
  return {
    ...workspaceManifest('apl'),
    description: 'Parser, completion, diagnostics and formatter of APL, the query language of Millrace',
    dependencies: {},
    exports: { '.': { types: `./dist/types/${entry}.d.ts`, default: './dist/index.js' } },
  };
}

/** Bundles the entry with the workspaces that it imports, for Node and browsers, and its types. */
export async function bundleApl(folder) {
  const made = await rolldown({ input: { index: join(packages, `${entry}.js`) }, platform: 'neutral' });
  await made.write({ dir: join(folder, 'dist'), format: 'esm' });
  copyTypes(`${entry}.d.ts`, join(folder, 'dist/types'));
}

/** Copies a declaration file and those that it imports; imports of workspaces become relative. */
function copyTypes(file, target, copied = new Set()) {
  if (copied.has(file)) return;
  copied.add(file);
  const text = readFileSync(join(packages, file), 'utf8').replace(/\n\/\/# sourceMappingURL.*/, '');
  const rewritten = text.replaceAll(/((?:from|import\()\s*')([^']+)'/g, (_, before, name) => {
    const imported = declarationOf(name, file);
    copyTypes(imported, target, copied);
    const path = relative(dirname(file), imported).replace(/\.d\.ts$/, '.js');
    return `${before}${path.startsWith('.') ? path : `./${path}`}'`;
  });
  mkdirSync(dirname(join(target, file)), { recursive: true });
  writeFileSync(join(target, file), rewritten);
}

/** The declaration file of an import, below `packages`. */
function declarationOf(name, importer) {
  if (name.startsWith('.')) return join(dirname(importer), name).replace(/\.js$/, '.d.ts');
  const [, folder, path] = /^@millrace\/([^/]+)(\/.*)?$/.exec(name);
  return join(folder, workspaces.get(folder).exports[`.${path ?? ''}`].types);
}
