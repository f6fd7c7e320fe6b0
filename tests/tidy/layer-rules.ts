import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consoleFolders, dependencyOwners, folderLayers, layers } from './layers.ts';
import { circleIn, complaints, filesOf, importsOf, isAssembly, packageOf } from './sources.ts';

it('circles are found', () => {
  const circle = (last: readonly string[]): readonly string[] =>
    circleIn(new Map(Object.entries({ a: ['b'], b: ['c'], c: last })));
  expect([circle([]), circle(['b'])]).toEqual([[], ['a', 'b', 'c']]);
});

describe('layers', () => {
  it('packages import only the layers below them', () =>
    expect(
      complaints((source) =>
        importsOf(source)
          .filter((from) => from.startsWith('@millrace/'))
          .map((from) => from.slice('@millrace/'.length).split('/')[0]!)
          .filter((name) => name !== source.package && !layers[source.package]!.imports.includes(name) && !source.test)
          .map((name) => `imports ${name}`),
      ),
    ).toEqual([]));

  it.each(Object.entries(folderLayers))('folders of %s import only the folders below them', (name, folders) => {
    const folderRoot = `packages/${name}/src/`;
    const folderOf = (path: string): string =>
      path.slice(folderRoot.length).includes('/') ? path.slice(folderRoot.length).split('/')[0]! : '';
    expect(
      complaints((source) => {
        const own = source.path.startsWith(folderRoot) && !source.test ? folderOf(source.path) : '';
        if (own === '') return [];
        return importsOf(source)
          .filter((from) => from.startsWith('.'))
          .map((from) => join(dirname(source.path), from))
          .filter((path) => path.startsWith(folderRoot))
          .map(folderOf)
          .filter((folder) => folder !== own && !folders[own]?.includes(folder))
          .map((folder) => `imports ${folder === '' ? 'a file next to the folders' : `${folder}/`}`);
      }),
    ).toEqual([]);
  });

  const graphs: readonly (readonly [string, ReadonlyMap<string, readonly string[]>])[] = [
    ['packages', new Map(Object.entries(layers).map(([name, { imports }]) => [name, imports]))],
    ...Object.entries(folderLayers).map(
      ([name, folders]) => [`folders of ${name}`, new Map(Object.entries(folders))] as const,
    ),
    ['folders of the console', new Map(Object.entries(consoleFolders))],
    ['files that start the server', filesOf('packages/server/src/startup/')],
  ];
  it.each(graphs)('%s import each other in one direction', (_, graph) => expect(circleIn(graph)).toEqual([]));

  it('folders of the console import only the folders below them, and pages not each other', () => {
    const root = 'packages/console/src/';
    const placeOf = (path: string): readonly string[] => path.slice(root.length).split('/').slice(0, -1);
    expect(
      complaints((source) => {
        const [own, page] = source.path.startsWith(root) && !source.test ? placeOf(source.path) : [];
        if (own === undefined) return [];
        return importsOf(source)
          .filter((from) => from.startsWith('.'))
          .map((from) => placeOf(join(dirname(source.path), from)))
          .filter(([folder, other]) =>
            folder === own
              ? own === 'pages' && other !== undefined && other !== page
              : !consoleFolders[own]?.includes(folder ?? ''),
          )
          .map((place) => `imports ${place.join('/')}/`);
      }),
    ).toEqual([]);
  });

  it('nothing in the console makes elements out of text', () =>
    expect(
      complaints((source) =>
        source.package === 'console' && !source.test && source.path.includes('/src/')
          ? [
              ...source.text.matchAll(
                /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write)\b/g,
              ),
            ].map(([name]) => `uses ${name}`)
          : [],
      ),
    ).toEqual([]));

  it('the language, SQL and the client see no Node', () =>
    expect(
      complaints((source) =>
        layers[source.package]!.node || source.test || /^packages\/[\w-]+\/[\w.]+$/.test(source.path)
          ? []
          : importsOf(source)
              .filter((from) => from.startsWith('node:'))
              .map((from) => `imports ${from}`),
      ),
    ).toEqual([]));

  it('AssemblyScript and TypeScript do not import each other', () =>
    expect(
      complaints((source) =>
        importsOf(source)
          .filter((from) => isAssembly(source.path) !== isAssembly(join(dirname(source.path), from)))
          .map((from) => `imports ${from}`),
      ),
    ).toEqual([]));

  it('only the owners of a dependency import it', () =>
    expect(
      complaints((source) =>
        source.test
          ? []
          : importsOf(source)
              .filter((from) => dependencyOwners[packageOf(from)]?.includes(source.package) === false)
              .map((from) => `imports ${from}`),
      ),
    ).toEqual([]));
});
