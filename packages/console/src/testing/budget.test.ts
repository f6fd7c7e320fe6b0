import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

/** Download budget of the Query page: entry and shell, without editor and charts. */

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

const site = join(import.meta.dirname, '../../dist/site');
const manifest = JSON.parse(readFileSync(join(site, '.vite/manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>;

/** A chunk with its static imports. */
function loadedWith(names: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const { file, imports = [], css = [] } = manifest[name]!;
    if (files.has(file)) return;
    for (const each of [file, ...css]) files.add(each);
    for (const each of imports) visit(each);
  };
  for (const name of names) visit(name);
  return files;
}

const sizeOf = (files: Iterable<string>, ending: string): number =>
  [...files]
    .filter((file) => file.endsWith(ending))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(site, file)), { level: 9 }).length, 0);

const firstLoad = loadedWith(['index.html', 'src/pages/query/page.tsx']);

it('the first load has at most 260 kB of JavaScript', () =>
  expect(sizeOf(firstLoad, '.js')).toBeLessThanOrEqual(260_000));

it('and at most 20 kB of CSS', () => expect(sizeOf(firstLoad, '.css')).toBeLessThanOrEqual(20_000));

it.each(['src/editor/apl-editor.tsx', 'src/pages/query/result/chart-view.tsx'])('%s is not part of it', (name) =>
  expect(firstLoad.has(manifest[name]!.file)).toBe(false),
);

it('compressible files are stored compressed', () => {
  const large = [...firstLoad].filter(
    (file) => /\.(js|css)$/.test(file) && readFileSync(join(site, file)).length >= 1024,
  );
  const missing = large.flatMap((file) => [`${file}.br`, `${file}.gz`]).filter((file) => !existsSync(join(site, file)));
  expect(missing).toEqual([]);
});
