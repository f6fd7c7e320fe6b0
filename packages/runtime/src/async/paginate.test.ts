import { expect, test } from 'vitest';
import { inPages, collectPages } from './paginate.js';

const entries = (...lengths: readonly number[]) => lengths.map((length, key) => ({ key, length }));
const kibibyte = 1024;

test.each([
  ['short ones together', entries(10, 20, 30), [[0, 1, 2]]],
  ['no more than a quarter of a megabyte', entries(...Array.from({ length: 3 }, () => 100 * kibibyte)), [[0, 1], [2]]],
  ['a long one by itself', entries(10, 1000 * kibibyte, 10), [[0], [1], [2]]],
  ['none', [], []],
])('records are read in pages: %s', async (_, all, pages) => {
  const read: (readonly number[])[] = [];
  const keys = await collectPages(
    inPages(all, async (page) => {
      read.push(page);
      return page;
    }),
  );
  expect(read).toEqual(pages);
  expect(keys).toEqual(all.map(({ key }) => key));
});

test('a statement names a thousand of them at most', async () => {
  const sizes: number[] = [];
  const all = entries(...Array.from({ length: 2500 }, () => 1));
  await collectPages(inPages(all, async (page) => (sizes.push(page.length), page)));
  expect(sizes).toEqual([1000, 1000, 500]);
});
