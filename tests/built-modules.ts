import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'vitest/config';

const packages = join(import.meta.dirname, '..', 'packages');

/** Bundled by Vite; its tests import sources. */
const withoutModules = 'console';

/** A source file that the build compiles: no test, no test helper. */
const compiledFile = /^(?!.*\.test\.ts$)(?!(?:.*\/)?testing\/).+\.ts$/;

interface Entry {
  readonly 'millrace-source'?: string;
}

const exportsOf = new Map<string, Readonly<Record<string, Entry>>>();

function readExports(name: string): Readonly<Record<string, Entry>> {
  const known = exportsOf.get(name);
  if (known !== undefined) return known;
  const manifest = join(packages, name, 'package.json');
  const { exports = {} } = (existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}) as {
    readonly exports?: Readonly<Record<string, Entry>>;
  };
  exportsOf.set(name, exports);
  return exports;
}

/** The TypeScript file that a relative import or an import of a package refers to. */
function sourceOf(id: string, importer: string): string | undefined {
  if (/^\.\.?\/.*\.[jt]s$/.test(id)) return join(dirname(importer), id.replace(/\.js$/, '.ts'));
  const [, name, path] = /^@millrace\/([^/]+)(?:\/(.+))?$/.exec(id) ?? [];
  if (name === undefined) return undefined;
  const exports = readExports(name);
  const own = exports[path === undefined ? '.' : `./${path}`]?.['millrace-source'];
  const target = own ?? exports['./*']?.['millrace-source']?.replace('*', path ?? 'index');
  return target === undefined ? undefined : join(packages, name, target);
}

/** The compiled file of a source. */
function builtFrom(source: string): string | undefined {
  const [name = '', folder, ...path] = relative(packages, source).split(sep);
  const file = path.join('/');
  if (folder !== 'src' || name === withoutModules || !compiledFile.test(file)) return undefined;
  const built = join(packages, name, 'dist', file.replace(/\.ts$/, '.js'));
  return existsSync(built) ? built : undefined;
}

/** Whether the compiler has run since the last change of a source. */
export function isBuildCurrent(): boolean {
  return readdirSync(packages).every((name) => {
    const sources = join(packages, name, 'src');
    const build = join(packages, name, 'dist/.tsbuildinfo');
    if (name === withoutModules || !existsSync(sources)) return true;
    if (!existsSync(build)) return false;
    const built = statSync(build).mtimeMs;
    return readdirSync(sources, { recursive: true, encoding: 'utf8' }).every(
      (file) => !compiledFile.test(file) || statSync(join(sources, file)).mtimeMs <= built,
    );
  });
}

/** The file that an import of a package's code loads; undefined for other imports. */
export function resolveModule(id: string, importer: string, usesBuild: boolean): string | undefined {
  const source = sourceOf(id, importer);
  if (source === undefined || !existsSync(source)) return undefined;
  return (usesBuild ? builtFrom(source) : undefined) ?? source;
}

/**
 * Resolves imports of the packages. Vitest compiles the sources; with `prefersBuild`, Node loads
 * the compiled modules, unless a source is newer than the build or tests run again after each
 * change. That saves a quarter of the CPU (`lab/performance/tests.md`).
 *
 * The run of all tests does not use it: one of its workers loaded some modules twice, so that
 * `instanceof` failed for their errors. The cause is not known.
 */
export function packageModules({ prefersBuild }: { readonly prefersBuild: boolean }): Plugin {
  let usesBuild: boolean | undefined;
  let isWatching = false;
  return {
    name: 'package-modules',
    enforce: 'pre',
    configureVitest: ({ vitest }) => {
      isWatching = vitest.config.watch;
    },
    resolveId(id, importer) {
      // At the first import: the global setup builds after the configuration is read.
      usesBuild ??= prefersBuild && !isWatching && isBuildCurrent();
      const file = importer === undefined ? undefined : resolveModule(id, importer, usesBuild);
      return file === undefined ? undefined : { id: file, external: file.endsWith('.js') };
    },
  };
}
