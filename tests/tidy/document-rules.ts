import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, files, root } from './sources.ts';

describe('documents', () => {
  /**
   * The anchors of a document's headings: lower case, hyphens for spaces, numbered if they repeat.
   */
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
