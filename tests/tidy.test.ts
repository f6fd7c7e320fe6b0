import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Rules of this repository that no compiler checks: who may import whom, how large files may grow, and that links in documents lead somewhere. */

const root = join(import.meta.dirname, '..');

/** Package → the workspace packages it may import, and whether it may import `node:` modules. */
const layers: Readonly<Record<string, { readonly imports: readonly string[]; readonly node: boolean }>> = {
  sql: { imports: [], node: false },
  times: { imports: [], node: false },
  apl: { imports: ['sql', 'times'], node: false },
  events: { imports: ['times'], node: true },
  log: { imports: [], node: true },
  engine: { imports: ['sql'], node: true },
  server: { imports: ['sql', 'times', 'apl', 'events', 'log', 'engine'], node: true },
  client: { imports: [], node: false },
  sample: { imports: [], node: false },
  cli: { imports: ['apl', 'client', 'log', 'sample', 'server'], node: true },
  // The command finds the built console as a file; nothing imports it.
  console: { imports: ['apl', 'client', 'sample'], node: false },
};

/** The folder of the server that joins all the others: it may import everything, and nothing imports it. */
const compositionRoot = 'start';

/** Folder of the server → the folders beside it that it may import: layers, without a circle. The files beside the folders may be imported by all. */
const serverFolders: Readonly<Record<string, readonly string[]>> = {
  async: [],
  memory: [],
  settings: [],
  schemas: [],
  metadata: ['async', 'schemas'],
  access: ['metadata', 'schemas'],
  nodes: ['async', 'metadata'],
  datasets: ['async', 'metadata', 'schemas'],
  http: ['access', 'async', 'memory', 'metadata', 'schemas', 'settings'],
  storage: ['async', 'datasets', 'memory', 'metadata', 'schemas'],
  ingest: ['access', 'async', 'datasets', 'http', 'memory', 'metadata', 'schemas', 'settings', 'storage'],
  query: ['access', 'async', 'http', 'memory', 'metadata', 'schemas', 'settings', 'storage'],
  durability: ['async', 'http', 'metadata', 'query', 'schemas', 'storage'],
  alerts: ['access', 'async', 'datasets', 'metadata', 'nodes', 'query', 'schemas', 'settings'],
  routes: ['access', 'alerts', 'dashboards', 'datasets', 'http', 'metadata', 'nodes', 'schemas', 'settings'],
  reference: ['settings'],
  dashboards: ['http', 'metadata', 'schemas'],
  pages: ['http', 'settings'],
};

/** Folder of `query` → those that it may import. The files beside them join everything, and only `routes` may import these. */
const queryFolders: Readonly<Record<string, readonly string[]>> = {
  run: [],
  compile: ['run'],
  structured: ['compile'],
  answers: ['compile', 'run'],
  routes: ['', 'answers', 'compile', 'run', 'structured'],
};

/** Folder of the console → the folders beside it that it may import: downwards only, and `pages/one` never `pages/other`. */
const consoleFolders: Readonly<Record<string, readonly string[]>> = {
  look: [],
  data: ['look'],
  widgets: ['data', 'look'],
  editor: ['data', 'look', 'widgets'],
  charts: ['data', 'look', 'widgets'],
  rows: ['data', 'look', 'widgets'],
  traces: ['data', 'look', 'rows', 'widgets'],
  pages: ['charts', 'data', 'editor', 'look', 'rows', 'traces', 'widgets'],
  app: ['charts', 'data', 'editor', 'look', 'pages', 'rows', 'traces', 'widgets'],
};

/** Packages from the registry that only one of ours may import. */
const wardens: Readonly<Record<string, string>> = {
  chdb: 'engine',
  'ffi-rs': 'engine',
  libsql: 'server',
  kysely: 'server',
  pg: 'server',
  fastify: 'server',
  '@node-rs/crc32': 'log',
  assemblyscript: 'events',
  react: 'console',
  'playwright-core': 'console',
};

const longestFile = 400;
/**
 * Generated files, and the tests that fail when they are out of date. They may exceed the limit on lines, because nobody reads them from top to
 * bottom, and the files that generate them are held to it.
 */
const generated: Readonly<Record<string, string>> = {
  'packages/client/src/operations.ts': 'packages/server/src/pages/pages.test.ts',
};
/** For users, who read what they meet and not what was mended on the way. */
const longestRelease = 120;
/** Words, code included: lines can be made longer. */
const longestReadme = 650;

interface Source {
  readonly path: string;
  readonly package: string;
  readonly test: boolean;
  readonly text: string;
}

/** All hand-written files of a package: `src`, and those that build, start or measure it. */
const sources: readonly Source[] = Object.keys(layers).flatMap((name) =>
  readdirSync(join(root, 'packages', name), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|js|mjs)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => {
      const path = join(root, 'packages', name, file);
      const test = /\.test\.tsx?$/.test(file) || /(^|\/)testing\//.test(file);
      return { path: relative(root, path), package: name, test, text: readFileSync(path, 'utf8') };
    }),
);

/** Files outside the packages, which import from them. */
const besidePackages: readonly Pick<Source, 'path' | 'text'>[] = ['bench/src', 'tests'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => ({ path: join(folder, file), text: readFileSync(join(root, folder, file), 'utf8') })),
);

/** Whether a path of the repository is AssemblyScript: the source of a WebAssembly module, which `src` loads but cannot import. */
const isAssembly = (path: string): boolean => /^packages\/\w+\/assembly\//.test(path);

const importsOf = ({ text }: Source): readonly string[] =>
  [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );

/** `@scope/name/deep` → `@scope/name`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function complaints(check: (source: Source) => readonly string[]): readonly string[] {
  return sources.flatMap((source) => check(source).map((problem) => `${source.path}: ${problem}`));
}

/** The files of a folder, each with those of the folder that it imports, also later. */
const filesOf = (folder: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    sources
      .filter(({ path, test }) => path.startsWith(folder) && !test)
      .map((source) => [
        source.path,
        importsOf(source).map((from) => join(dirname(source.path), from).replace(/\.js$/, '.ts')),
      ]),
  );

/** Nodes of a graph that are in a circle or behind one. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const left = new Map(graph);
  for (;;) {
    const free = [...left].filter(([, nexts]) => nexts.every((next) => !left.has(next))).map(([name]) => name);
    if (free.length === 0) return [...left.keys()];
    for (const name of free) left.delete(name);
  }
}

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

  it('folders of the server import only the folders they are built on', () => {
    const root = 'packages/server/src/';
    const folderOf = (path: string): string | undefined =>
      path.slice(root.length).includes('/') ? path.slice(root.length).split('/')[0] : undefined;
    expect(
      complaints((source) => {
        const own = source.path.startsWith(root) && !source.test ? folderOf(source.path) : undefined;
        if (own === undefined || own === compositionRoot) return [];
        return importsOf(source)
          .filter((from) => from.startsWith('.'))
          .map((from) => folderOf(join(dirname(source.path), from)))
          .filter((folder) => folder !== undefined && folder !== own && !serverFolders[own]?.includes(folder))
          .map((folder) => `imports ${folder}/`);
      }),
    ).toEqual([]);
  });

  it.each([
    ['packages', new Map(Object.entries(layers).map(([name, { imports }]) => [name, imports]))],
    ['folders of the server', new Map(Object.entries(serverFolders))],
    ['folders of query', new Map(Object.entries(queryFolders))],
    ['folders of the console', new Map(Object.entries(consoleFolders))],
    ['files that start the server', filesOf(`packages/server/src/${compositionRoot}/`)],
  ])('%s import each other in one direction', (_, graph) => expect(circleIn(graph)).toEqual([]));

  it('folders of query import only the folders they are built on', () => {
    const root = 'packages/server/src/query/';
    const folderOf = (path: string): string =>
      path.slice(root.length).includes('/') ? path.slice(root.length).split('/')[0]! : '';
    expect(
      complaints((source) => {
        const own = source.path.startsWith(root) && !source.test ? folderOf(source.path) : '';
        if (own === '') return [];
        return importsOf(source)
          .filter((from) => from.startsWith('.'))
          .map((from) => join(dirname(source.path), from))
          .filter((path) => path.startsWith(root))
          .map(folderOf)
          .filter((folder) => folder !== own && !queryFolders[own]?.includes(folder))
          .map((folder) => `imports ${folder === '' ? 'a file beside the folders' : `${folder}/`}`);
      }),
    ).toEqual([]);
  });

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
        layers[source.package]!.node || source.test || /^packages\/\w+\/[\w.]+$/.test(source.path)
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

  it('native and large dependencies have one home', () =>
    expect(
      complaints((source) =>
        source.test
          ? []
          : importsOf(source)
              .filter((from) => (wardens[packageOf(from)] ?? source.package) !== source.package)
              .map((from) => `imports ${from}`),
      ),
    ).toEqual([]));
});

it('what a file exports, another one imports', () => {
  // `path#name`, or `@millrace/package#name`; `*` stands for all names.
  const imported = new Set(
    [...sources, ...besidePackages].flatMap(({ path, text }) =>
      [
        ...text.matchAll(/\b(?:import|export|const)\b([^;]*?)(?:\bfrom |= await import\()'([^']+)'/g),
        // A chunk that is loaded later: `import('./page.js').then(({ QueryPage }) => …)`.
        ...[...text.matchAll(/\bimport\('([^']+)'\)\.then\(\((\{[^{}]*\})\)/g)].map(([all, from, clause]) => [
          all,
          clause,
          from,
        ]),
      ].flatMap(([, clause = '', from = '']) => {
        const target = from.startsWith('.') ? join(dirname(path), from).replace(/\.js$/, '') : packageOf(from);
        const names = /\{([^{}]*)\}\s*$/.exec(clause)?.[1]?.split(',') ?? ['*'];
        return names.map(
          (name) =>
            `${target}#${
              name
                .trim()
                .replace(/^type /, '')
                .split(/ as |:/)[0]
            }`,
        );
      }),
    ),
  );
  const isImported = ({ path, package: name }: Source, exported: string): boolean =>
    [path.replace(/\.tsx?$/, ''), `@millrace/${name}`].some(
      (from) => imported.has(`${from}#${exported}`) || imported.has(`${from}#*`),
    );
  const exportsOf = ({ path, text }: Source): readonly string[] =>
    isAssembly(path)
      ? []
      : // Not those of the programs that a template writes.
        [
          ...text.replaceAll(/`[^`]*`/g, '').matchAll(/^export (?!default )(?:(?:abstract|async) )?[a-z]+\*? (\w+)/gm),
        ].map(([, name]) => name!);
  expect(
    complaints((source) =>
      exportsOf(source)
        .filter((name) => !isImported(source, name))
        .map((name) => `exports ${name}, which no other file imports`),
    ),
  ).toEqual([]);
});

describe('size', () => {
  it(`no source file has more than ${longestFile} lines`, () =>
    expect(
      complaints(({ path, text }) => {
        const lines = text.split('\n').length;
        return lines > longestFile && !(path in generated) ? [`${lines} lines`] : [];
      }),
    ).toEqual([]));

  it.each(Object.entries(generated))('%s says that it is generated, and %s knows when it is old', (path, test) => {
    expect(readFileSync(join(root, path), 'utf8')).toMatch(/^\/\*\* Generated from .* by `npm run docs`/);
    expect(readFileSync(join(root, test), 'utf8')).toMatch(new RegExp(`toMatchFileSnapshot\\(file\\('${path}'\\)\\)`));
  });

  it.each(Object.keys(layers))(`packages/%s has a README of at most ${longestReadme} words`, (name) => {
    const words = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8').split(/\s+/).length;
    expect(words).toBeLessThanOrEqual(longestReadme);
  });

  it(`CHANGELOG.md has at most ${longestRelease} lines for a release`, () => {
    const releases = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);
    expect(releases.length).toBeGreaterThan(0);
    for (const release of releases) expect(release.split('\n').length).toBeLessThanOrEqual(longestRelease);
  });

  it('no folder or file is a grab bag', () =>
    expect(
      complaints(({ path }) => (/\b(utils?|helpers?|common|misc)\b/.test(path) ? ['name it for what it is'] : [])),
    ).toEqual([]));
});

describe('documents', () => {
  const filesIn = (folder: string): readonly string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
      .map((file) => join(folder, file));
  const files = ['bench/src', 'docs', 'packages', 'tests'].flatMap(filesIn).concat(readdirSync(root));
  const documents = files
    .filter((file) => file.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

  /** The anchors of a document's headings: lower case, hyphens for spaces, numbered if they repeat. */
  function anchorsOf(text: string): ReadonlySet<string> {
    const seen = new Map<string, number>();
    const anchors = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = '']) => {
      const name = heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-');
      const times = seen.get(name) ?? 0;
      seen.set(name, times + 1);
      return times === 0 ? name : `${name}-${times}`;
    });
    return new Set(anchors);
  }

  it('links know headings by these names', () =>
    expect([...anchorsOf('# A `b`, c_d: É\n```sh\n# no heading\n```\n## Same\n## [Same](x.md)\n')]).toEqual([
      'a-b-c_d-é',
      'same',
      'same-1',
    ]));

  it('every link leads to a file, and to a heading of it if it names one', () => {
    const anchors = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
    expect(
      documents.flatMap(({ path, text }) =>
        [...text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)]
          .filter(([, target = '']) => !target.includes('://'))
          .filter(([, target = '', heading]) => {
            const file = target === '' ? path : join(dirname(path), target);
            return !existsSync(join(root, file)) || (heading !== undefined && !anchors.get(file)?.has(heading));
          })
          .map(([link]) => `${path}: ${link.slice(1)}`),
      ),
    ).toEqual([]);
  });

  /** Documents leave out `src/`. */
  const withoutSource = (file: string): string => file.replace('/src/', '/');

  it('every source file and test that is named is there', () =>
    expect(
      documents
        // Its `thing.ts` and `thing.test.ts` stand for any.
        .filter(({ path }) => path !== 'CONTRIBUTING.md')
        .flatMap(({ path, text }) =>
          [...text.matchAll(/`([\w./-]+\.ts)`/g)]
            .map(([, named = '']) => named)
            .filter(
              (named) =>
                !files.some((file) => `/${file}`.endsWith(`/${named}`) || withoutSource(file).endsWith(`/${named}`)),
            )
            .map((named) => `${path}: ${named}`),
        ),
    ).toEqual([]));
});
