import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { besidePackages, complaints, isAssembly, packageOf, type Source, sources } from './sources.ts';

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
    [path.replace(/\.(tsx?|js)$/, ''), `@millrace/${name}`].some(
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
