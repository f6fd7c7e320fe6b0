import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layers } from './layers.ts';
import { complaints, root } from './sources.ts';

const longestFile = 400;
/**
 * Generated files, and the tests that fail when they are out of date. They may exceed the limit on
 * lines, because nobody reads them from top to bottom, and the files that generate them are held to
 * it.
 */
const generated: Readonly<Record<string, string>> = {
  'packages/client/src/operations.ts': 'packages/server/src/pages/pages.test.ts',
};
/** For users, who read what they meet and not what was mended on the way. */
const longestRelease = 120;
/** Words, code included: lines can be made longer. */
const longestReadme = 650;

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
