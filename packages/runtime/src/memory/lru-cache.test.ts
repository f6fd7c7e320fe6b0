import { expect, it } from 'vitest';
import { LruCache } from './lru-cache.js';

const keysOf = (recent: LruCache<string, string>): string => [...'abcdef'].filter((key) => recent.get(key)).join('');

it('keeps the most recently used entries', () => {
  const recent = new LruCache<string, string>(2);
  recent.set('a', 'x');
  recent.set('b', 'x');
  recent.get('a');
  recent.set('c', 'x');
  expect(keysOf(recent)).toBe('ac');
});

it('counts what its values take, and what replaced ones took no more', () => {
  const recent = new LruCache<string, string>(10, ({ length }) => length);
  recent.set('a', 'xxxx');
  recent.set('b', 'xxxx');
  recent.set('a', 'x');
  expect([keysOf(recent), recent.size]).toEqual(['ab', 5]);
  recent.set('c', 'xxxxxx');
  expect([keysOf(recent), recent.size]).toEqual(['bc', 10]);
  recent.delete('b');
  recent.delete('b');
  expect([keysOf(recent), recent.size]).toEqual(['c', 6]);
});

it('keeps nothing that alone is too large', () => {
  const recent = new LruCache<string, string>(3, ({ length }) => length);
  recent.set('a', 'xxxx');
  expect([keysOf(recent), recent.size]).toEqual(['', 0]);
});
