/**
 * Bundles the command into `dist/bundle`, unless it is up to date:
 *
 *     node packages/cli/build.js
 *
 * A process then loads some dozen files instead of a thousand, which saves a second of CPU per
 * start. Threads, child processes and files that are not JavaScript keep their locations: URLs that
 * a module derives from its own location resolve as without the bundle. `dist/main.js` runs the
 * same command without the bundle.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { absentPackages, externalPackages } from './external-packages.js';

const directory = import.meta.dirname;
const bundle = join(directory, 'dist/bundle');
const stamp = join(directory, 'dist/bundled-from.json');
const entry = 'millrace.js';

const hashOf = (files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(directory, file)));
  return hash.digest('hex');
};

function isCurrent() {
  if (!existsSync(join(bundle, entry)) || !existsSync(stamp)) return false;
  const { files, hash } = JSON.parse(readFileSync(stamp, 'utf8'));
  return files.every((file) => existsSync(join(directory, file))) && hashOf(files) === hash;
}

/** An external package must be the same file from the bundle as from the module that imports it. */
function isExternal(id, importer) {
  if (isBuiltin(id)) return true;
  if (absentPackages.includes(id)) return true;
  if (!externalPackages.includes(id)) return false;
  if (importer === undefined) return true;
  const [wanted, found] = [importer, join(bundle, entry)].map((from) => createRequire(from).resolve(id));
  if (wanted !== found) throw new Error(`${importer} imports ${wanted}, the bundle would import ${found}`);
  return true;
}

/** Keeps the URL of each module, and collects the files that are read. */
const moduleUrls = (files) => ({
  name: 'module-urls',
  transform(code, id) {
    // Modules of the bundler itself have no file.
    if (!existsSync(id)) return undefined;
    files.add(relative(directory, id));
    if (!code.includes('import.meta.url')) return undefined;
    const path = JSON.stringify(relative(bundle, id));
    return { code: code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`), map: null };
  },
});

async function write(fresh) {
  const { rolldown } = await import('rolldown');
  const files = new Set([relative(directory, import.meta.filename), '../../package-lock.json']);
  const made = await rolldown({
    input: { millrace: join(directory, 'dist/main.js') },
    platform: 'node',
    external: isExternal,
    plugins: [moduleUrls(files)],
    checks: { ineffectiveDynamicImport: false },
  });
  await made.write({ dir: fresh, format: 'esm', chunkFileNames: '[name]-[hash].js' });
  return [...files].sort();
}

/** Running servers load chunks late: those of earlier builds stay for a day. */
function removeOldChunks(current) {
  const oldest = Date.now() - 24 * 3_600_000;
  for (const name of readdirSync(bundle))
    if (!current.includes(name) && statSync(join(bundle, name)).mtimeMs < oldest) rmSync(join(bundle, name));
}

if (!isCurrent()) {
  // Built in a temporary directory: processes may start during the build.
  const fresh = join(directory, `dist/bundle.${process.pid}`);
  rmSync(stamp, { force: true });
  try {
    const files = await write(fresh);
    mkdirSync(bundle, { recursive: true });
    const names = readdirSync(fresh);
    // The entry is last, after the chunks that it imports.
    for (const name of [...names.filter((name) => name !== entry), entry])
      renameSync(join(fresh, name), join(bundle, name));
    removeOldChunks(names);
    writeFileSync(stamp, JSON.stringify({ files, hash: hashOf(files) }));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
