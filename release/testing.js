import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { workspaceManifest } from './manifest.js';
import { root } from './version.js';

/** The runners, which a test has anyway; each is needed for its own entry only. */
const runners = { '@jest/globals': '>=30', vitest: '>=3.2' };

/** Vitest cannot be loaded with `require`. */
const isDual = (entry) => entry !== './vitest';

/** `./dist/index.js` becomes `./dist/index.cjs`. */
const commonJs = (file) => file.replace(/\.(d\.)?[jt]s$/, (_, declaration) => (declaration ? '.d.cts' : '.cjs'));

/** Manifest of `@millrace/testing`, which brings the server, for `import` and `require`. */
export function testingManifest() {
  const { exports, dependencies, ...manifest } = workspaceManifest('testing');
  const entries = Object.entries(exports).map(([entry, files]) => {
    if (!isDual(entry)) return [entry, files];
    const required = Object.fromEntries(Object.entries(files).map(([condition, file]) => [condition, commonJs(file)]));
    return [entry, { import: files, require: required }];
  });
  return {
    ...manifest,
    exports: Object.fromEntries(entries),
    dependencies: { ...dependencies, millrace: manifest.version },
    peerDependencies: runners,
    peerDependenciesMeta: Object.fromEntries(Object.keys(runners).map((name) => [name, { optional: true }])),
  };
}

/**
 * Adds CommonJS to the `dist` of the package: jest runs tests as CommonJS by default, and its
 * `require` loads no ESM before Node 24.9.
 */
export async function addCommonJs(folder) {
  const source = join(root, 'packages/testing/dist');
  const entries = Object.entries(workspaceManifest('testing').exports).filter(([entry]) => isDual(entry));
  const made = await rolldown({
    input: entries.map(([, files]) => join(root, 'packages/testing', files.default)),
    platform: 'node',
    external: (id) => isBuiltin(id) || id in runners,
  });
  await made.write({
    dir: join(folder, 'dist'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
  });
  for (const name of readdirSync(source).filter(
    (file) => file.endsWith('.d.ts') && isDual(`./${file.slice(0, -'.d.ts'.length)}`),
  )) {
    const text = readFileSync(join(source, name), 'utf8').replaceAll(/(from '\.[^']*)\.js'/g, "$1.cjs'");
    writeFileSync(join(folder, 'dist', commonJs(name)), text.replace(/\n\/\/# sourceMappingURL.*/, ''));
  }
}
