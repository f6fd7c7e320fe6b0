import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { root } from './version.js';

const packages = join(root, 'packages');
const pattern = /new URL\(\s*(['"])([^'"]+)\1,\s*import\.meta\.url\)/g;

/** `engine/dist/child/main.js` becomes `engine-child-main.js`. */
const nameOf = (path) => relative(packages, path).replace('/dist/', '/').replaceAll('/', '-');

/**
 * Rolldown plugin: includes the files that a workspace's module finds relative to itself, and
 * rewrites the URL for the flat folder of the bundle.
 *
 * A script of a thread or child process becomes an entry of the bundle, another file an asset, a
 * folder a copy next to the bundle. A manifest becomes the manifest of the published package, two
 * levels up.
 * @param folders filled with the folders to copy: name to source
 */
export const locatedFiles = (folders) => ({
  name: 'located-files',
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return undefined;
    const place = (url) => {
      const path = join(dirname(id), url);
      if (!existsSync(path)) throw new Error(`${id} locates ${path}, which does not exist; run npm run build`);
      if (basename(path) === 'package.json') return '../../package.json';
      if (url.endsWith('/')) {
        folders.set(basename(path), path);
        return `../${basename(path)}/`;
      }
      const fileName = nameOf(path);
      if (path.endsWith('.js')) this.emitFile({ type: 'chunk', id: path, fileName });
      else this.emitFile({ type: 'asset', fileName, source: readFileSync(path) });
      return `./${fileName}`;
    };
    return {
      code: code.replaceAll(pattern, (_, quote, url) => `new URL(${quote}${place(url)}${quote}, import.meta.url)`),
      map: null,
    };
  },
});
