import { describe, expect, it } from 'vitest';
import { besidePackages, files, type Source, sources } from './sources.ts';

const all: readonly Pick<Source, 'path' | 'text'>[] = [...sources, ...besidePackages];

/** Comments name things of the code by their current names, so that a search finds them. */
describe('comments', () => {
  const commentPattern = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

  const namesInCode = new Set(
    all.flatMap(({ text }) => text.replaceAll(commentPattern, ' ').match(/[A-Za-z_$][\w$]*/g) ?? []),
  );

  const complaints = (find: (comment: string) => readonly string[]): readonly string[] =>
    all.flatMap(({ path, text }) =>
      (text.match(commentPattern) ?? []).flatMap(find).map((complaint) => `${path}: ${complaint}`),
    );

  it('errors of @throws are in the code', () =>
    expect(
      complaints((comment) =>
        [...comment.matchAll(/@throws ([^\n*]*)/g)]
          .flatMap(([, errors = '']) => errors.match(/\b[A-Z]\w*[a-z]\w*(?=[ ,;.]|$)/g) ?? [])
          .filter((name) => !namesInCode.has(name))
          .map((name) => `@throws ${name}, which is not declared`),
      ),
    ).toEqual([]));

  it('named files are there', () => {
    const paths = files.map((file) => `/${file}`).flatMap((path) => [path, path.replace('/src/', '/')]);
    expect(
      complaints((comment) =>
        [...comment.matchAll(/`(?:\.{0,2}\/)*([\w/-]+\.tsx?)`/g)]
          .map(([, named = '']) => named)
          // An example in a rule.
          .filter((named) => named !== 'thing.ts' && !paths.some((path) => path.endsWith(`/${named}`)))
          .map((named) => `names ${named}, which does not exist`),
      ),
    ).toEqual([]);
  });
});

it('an error has the name of its class', () =>
  expect(
    all.flatMap(({ path, text }) =>
      [...text.matchAll(/\bclass (\w+)(?:<[^>{]*>)? extends [^{]*\{[^{}]*?\boverride readonly name = '(\w+)'/g)]
        .filter(([, declared, name]) => declared !== name)
        .map(([, declared, name]) => `${path}: ${declared} has the name ${name}`),
    ),
  ).toEqual([]));
