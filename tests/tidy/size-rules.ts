import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layers } from './layers.ts';
import { besidePackages, complaints, documents, root, sources } from './sources.ts';

const longestFile = 400;
/**
 * Generated files, and the tests that fail when they are out of date. The line limit does not apply
 * to them: they are not read from top to bottom, and their generators do not exceed it.
 */
const generatedFiles: Readonly<Record<string, string>> = {
  'packages/client/src/operations.ts': 'packages/server/src/docs-gen/pages.test.ts',
};
/** Source files in one folder, tests and rooms not counted. */
const fullestFolder = 30;
/** Columns of a comment, and of a line of prose in a page. Code may be wider: oxfmt decides. */
const widestProse = 100;
/** Maximum lines per release, for users, who do not need intermediate fixes. */
const longestRelease = 150;
/** Maximum words, including code: long lines would not help. */
const longestReadme = 650;

/**
 * Tables, headings, grammars and other indented text have lines that mean something; a long word
 * cannot be broken.
 */
const isTooWide = (line: string, prose: string): boolean =>
  line.length > widestProse &&
  !/^( {4}|\||#|<|@ts-|eslint|oxlint)/.test(prose) &&
  /\s/.test(
    line
      .slice(0, widestProse)
      .trimStart()
      .replace(/^([-*]|\/\/|\*) /, ''),
  );

/** Hand-written pages; `npm run docs` generates the others. */
const pages = documents.filter(({ text }) => !text.includes('by `npm run docs'));

describe('size', () => {
  it(`no source file has more than ${longestFile} lines`, () =>
    expect(
      complaints(({ path, text }) => {
        const lines = text.split('\n').length;
        return lines > longestFile && !(path in generatedFiles) ? [`${lines} lines`] : [];
      }),
    ).toEqual([]));

  it(`no folder has more than ${fullestFolder} source files`, () => {
    const full = new Map<string, number>();
    for (const { path, test } of sources) if (!test) full.set(dirname(path), (full.get(dirname(path)) ?? 0) + 1);
    expect([...full].filter(([, count]) => count > fullestFolder)).toEqual([]);
  });

  it(`no comment is wider than ${widestProse} columns`, () =>
    expect(
      [...sources, ...besidePackages].flatMap(({ path, text }) =>
        path in generatedFiles
          ? []
          : text.split('\n').flatMap((line, i) => {
              const prose = /^\s*(?:\/\/|\/\*\*|\*) (.*)$/.exec(line)?.[1];
              return prose !== undefined && isTooWide(line, prose) ? `${path}:${i + 1}` : [];
            }),
      ),
    ).toEqual([]));

  it(`no page has prose wider than ${widestProse} columns`, () =>
    expect(
      pages.flatMap(({ path, text }) => {
        const code = /^\s*```[^]*?^\s*```/gm;
        return text
          .replace(code, (block) => block.replace(/[^\n]/g, ''))
          .split('\n')
          .flatMap((line, i) => (isTooWide(line, line) ? `${path}:${i + 1}` : []));
      }),
    ).toEqual([]));

  it.each(Object.entries(generatedFiles))('%s says that it is generated, and %s knows when it is old', (path, test) => {
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
