import { expect, it } from 'vitest';
import { areIn, elsewhere, placeOf } from './places.js';

it('knows columns with common names from one another, and never gives one another number', () => {
  const names = 'agent host ip level message method path service span_id trace_id user'.split(' ');
  // Tables of words have these numbers in them: with others they would have to be made again.
  expect(names.map((name) => placeOf(`${name}#s`))).toEqual([12, 5, 1, 2, 7, 9, 3, 14, 13, 10, 6]);
  for (let i = 0; i < 1000; i++) expect(placeOf(`${i} größe 日本#s`)).toBeLessThan(elsewhere);
});

it('finds words in a column if each is there, or where it may belong to any column', () => {
  const [here, there, any] = [placeOf('user#s'), placeOf('message#s'), elsewhere].map((place) => 1 << place);
  expect(areIn([here!], 'user#s')).toBe(true);
  expect(areIn([there!], 'user#s')).toBe(false);
  expect(areIn([here! | there!, here!], 'user#s')).toBe(true);
  expect(areIn([here!, there!], 'user#s')).toBe(false);
  expect(areIn([here!, any!], 'user#s')).toBe(true);
});
