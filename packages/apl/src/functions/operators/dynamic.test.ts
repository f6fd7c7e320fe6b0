import { expect, it } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { testEngine } from '../../testing/engine.js';
import { catalogOf, createDataset } from '../../testing/events.js';

const engine = testEngine();

it('arrays are equal whatever white space they were sent with', () => {
  const events = ['[1, 2]', '[1,2]', '[ 1,\n2.0 ]', '[2, 1]'].map((tags, minute) => ({
    _time: `2024-06-15T11:0${minute}:00Z`,
    'tags#j': tags,
    'same#j': '[1,2]',
  }));
  const catalog = catalogOf(createDataset(engine, 'tagged', events));
  const rows = (apl: string): unknown => engine.rows(compileOrThrow(`tagged | ${apl} | count`, { catalog }).query);
  expect(rows('where tags == dynamic([1, 2])')).toEqual([[3]]);
  expect(rows('where tags == same')).toEqual([[3]]);
  expect(rows('where tags != same')).toEqual([[1]]);
});
