import { expect, it } from 'vitest';
import { mayOccurIn, OTHER_COLUMNS, placeOf } from './column-hash.js';

it('knows columns with common names from one another, and never gives one another number', () => {
  const names = 'agent host ip level message method path service span_id trace_id user'.split(' ');
  // Stored in term indexes: with other numbers they would have to be rebuilt.
  expect(names.map((name) => placeOf(`${name}#s`))).toEqual([12, 5, 1, 2, 7, 9, 3, 14, 13, 10, 6]);
  for (let i = 0; i < 1000; i++) expect(placeOf(`${i} größe 日本#s`)).toBeLessThan(OTHER_COLUMNS);
});

it('finds words in a column if each is there, or where it may belong to any column', () => {
  const [here, there, any] = [placeOf('user#s'), placeOf('message#s'), OTHER_COLUMNS].map((place) => 1 << place);
  expect(mayOccurIn([here!], 'user#s')).toBe(true);
  expect(mayOccurIn([there!], 'user#s')).toBe(false);
  expect(mayOccurIn([here! | there!, here!], 'user#s')).toBe(true);
  expect(mayOccurIn([here!, there!], 'user#s')).toBe(false);
  expect(mayOccurIn([here!, any!], 'user#s')).toBe(true);
});
