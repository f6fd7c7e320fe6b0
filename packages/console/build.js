/**
 * Builds the console into `dist/site`, unless it is up to date:
 *
 *     node packages/console/build.js
 *     node packages/console/build.js --check   # only says whether it is
 *
 * The hash of the input files is stored next to it. `npm run build` runs often, and most changes do
 * not affect the console.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const directory = import.meta.dirname;
const packages = join(directory, '..');
const site = join(directory, 'dist/site');
const stamp = join(directory, 'dist/made-from');

/** Folders and files it is made from; tests are left out. */
const ingredients = [
  ...[
    'console/src',
    'console/public',
    'apl/src',
    'client/src',
    'mpl/src',
    'sample-data/src',
    'sql/src',
    'timestamps/src',
  ].map((name) => join(packages, name)),
  ...['console/index.html', 'console/vite.config.ts', 'console/build.js'].map((name) => join(packages, name)),
  join(packages, '../package-lock.json'),
];

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\.test\.tsx?$|\.cases$|\/testing\/|\/differential\//.test(file))
    .sort();
}

function hashOfIngredients() {
  const hash = createHash('sha256');
  for (const file of ingredients.flatMap(filesOf))
    hash.update(`${relative(packages, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/**
 * Compressed twins of what compresses well: the server sends them as they are. Fonts are compressed
 * already.
 */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const path = join(folder, name);
    const content = readFileSync(path);
    if (content.length < 1024) continue;
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    const options = {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    };
    writeFileSync(`${path}.br`, brotliCompressSync(content, options));
  }
}

const currentHash = hashOfIngredients();
const present = existsSync(join(site, 'index.html')) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
if (process.argv.includes('--check')) process.exit(present === currentHash ? 0 : 1);
if (present !== currentHash) {
  const { build } = await import('vite');
  // Elsewhere first: a server that runs has the old files until the new ones are whole.
  const fresh = join(directory, `dist/site.${process.pid}`);
  rmSync(stamp, { force: true });
  mkdirSync(join(directory, 'dist'), { recursive: true });
  try {
    await build({ root: directory, logLevel: 'warn', build: { outDir: fresh } });
    compress(fresh);
    rmSync(site, { recursive: true, force: true });
    renameSync(fresh, site);
    writeFileSync(stamp, currentHash);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
