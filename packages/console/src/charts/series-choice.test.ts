import { expect, it } from 'vitest';
import { allSeries, isolated, isShown, toggled } from './series-choice.js';

const names = ['a', 'b', 'c'];
const shown = (choice: typeof allSeries): readonly string[] => names.filter((name) => isShown(choice, name));

it('isolates one series, then another, then shows all again', () => {
  const one = isolated(allSeries, 'b');
  expect(shown(one)).toEqual(['b']);
  expect(shown(isolated(one, 'c'))).toEqual(['c']);
  expect(shown(isolated(one, 'b'))).toEqual(names);
  // Series of the next result stay hidden.
  expect(isShown(one, 'new')).toBe(false);
});

it('hides series one by one; hiding the last shows all', () => {
  const two = toggled(allSeries, names, 'a');
  expect(shown(two)).toEqual(['b', 'c']);
  expect(shown(toggled(two, names, 'a'))).toEqual(names);
  expect(shown(toggled(toggled(two, names, 'b'), names, 'c'))).toEqual(names);
});

it('adds a series to an isolated one', () =>
  expect(shown(toggled(isolated(allSeries, 'b'), names, 'c'))).toEqual(['b', 'c']));
