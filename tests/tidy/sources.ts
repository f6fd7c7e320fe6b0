import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { layers } from './layers.ts';

/** The sources of this repository as the rules see them: paths, texts and imports. */

export const root = join(import.meta.dirname, '../..');

export interface Source {
  readonly path: string;
  readonly package: string;
  readonly test: boolean;
  readonly text: string;
}

/** All hand-written files of a package: `src`, and build, start and benchmark scripts. */
export const sources: readonly Source[] = Object.keys(layers).flatMap((name) =>
  readdirSync(join(root, 'packages', name), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|js|mjs)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => {
      const path = join(root, 'packages', name, file);
      const test = /\.test\.tsx?$/.test(file) || /(^|\/)testing\//.test(file);
      return { path: relative(root, path), package: name, test, text: readFileSync(path, 'utf8') };
    }),
);

/** Files outside the packages, which import from them. */
export const besidePackages: readonly Pick<Source, 'path' | 'text'>[] = ['bench/src', 'release', 'tests'].flatMap(
  (folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|js)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
      .map((file) => ({ path: join(folder, file), text: readFileSync(join(root, folder, file), 'utf8') })),
);

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => join(folder, file));

/** Paths of everything that documents may name. */
export const files = ['bench/src', 'docs', 'lab', 'packages', 'release', 'tests']
  .flatMap(filesIn)
  .concat(readdirSync(root));

/** Markdown pages of the repository. */
export const documents: readonly Pick<Source, 'path' | 'text'>[] = files
  .filter((file) => file.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/**
 * Whether a path of the repository is AssemblyScript: the source of a WebAssembly module, which
 * `src` loads but cannot import.
 */
export const isAssembly = (path: string): boolean => /^packages\/\w+\/assembly\//.test(path);

export const importsOf = ({ text }: Source): readonly string[] =>
  [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );

/** `@scope/name/deep` → `@scope/name`. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

export function complaints(check: (source: Source) => readonly string[]): readonly string[] {
  return sources.flatMap((source) => check(source).map((problem) => `${source.path}: ${problem}`));
}

/** The files of a folder, each with those of the folder that it imports, also later. */
export const filesOf = (folder: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    sources
      .filter(({ path, test }) => path.startsWith(folder) && !test)
      .map((source) => [
        source.path,
        importsOf(source).map((from) => join(dirname(source.path), from).replace(/\.js$/, '.ts')),
      ]),
  );

/** Nodes of a graph that are in a cycle or after one. */
export function circleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const left = new Map(graph);
  for (;;) {
    const free = [...left].filter(([, nexts]) => nexts.every((next) => !left.has(next))).map(([name]) => name);
    if (free.length === 0) return [...left.keys()];
    for (const name of free) left.delete(name);
  }
}
