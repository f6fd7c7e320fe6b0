import { expect, test } from 'vitest';
import { viewOf } from '../bytes/json-bytes.js';
import type { Series } from './row-writer.js';
import { type LabelSource, SeriesCache } from './series-cache.js';

const sourceOf = (text: string): LabelSource => {
  const body = Buffer.from(text);
  return { body, words: viewOf(body) };
};
const seriesOf = (idLow: number): Series => ({ metric: 'm', idLow, idHigh: 0, describedDay: NaN });

function cacheOf(texts: readonly string[]): SeriesCache {
  const cache = new SeriesCache();
  for (const [i, text] of texts.entries()) cache.add(1, sourceOf(text), 0, Buffer.byteLength(text), seriesOf(i));
  return cache;
}

const find = (cache: SeriesCache, text: string, space = 1): number | undefined =>
  cache.find(space, sourceOf(text), 0, Buffer.byteLength(text))?.idLow;

test('series are found by all bytes of their labels, also in a cache that grew', () => {
  const texts = Array.from({ length: 5000 }, (_, i) => `instance=node-${i}`);
  const cache = cacheOf(texts);
  // A few may find no free slot near their own.
  expect(texts.filter((text, i) => find(cache, text) === i).length).toBeGreaterThan(4900);
  expect(texts.every((text, i) => [i, undefined].includes(find(cache, text)))).toBe(true);
  for (const text of ['instance=node-', 'instance=node-50000', 'Instance=node-1', ''])
    expect(find(cache, text)).toBe(undefined);
});

test('a part of a body is looked up, and equal bytes of another dataset are other series', () => {
  const cache = cacheOf(['up']);
  const source = sourceOf('xxupxx');
  expect(cache.find(1, source, 2, 4)?.idLow).toBe(0);
  expect(cache.find(2, source, 2, 4)).toBe(undefined);
});

test('a full cache starts again', () => {
  const long = (i: number): string => `${i}`.padEnd(2 ** 20, 'x');
  const cache = cacheOf(Array.from({ length: 70 }, (_, i) => long(i)));
  expect(find(cache, long(0))).toBe(undefined);
  expect(find(cache, long(69))).toBe(69);
});
