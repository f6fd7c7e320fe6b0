import { expect, it } from 'vitest';
import { allSeries, isolate, isShown, toggleSeries } from './series-choice.js';

const names = ['a', 'b', 'c'];
const shownNames = (choice: typeof allSeries): readonly string[] => names.filter((name) => isShown(choice, name));

it('isolates one series, then another, then shows all again', () => {
  const one = isolate(allSeries, 'b');
  expect(shownNames(one)).toEqual(['b']);
  expect(shownNames(isolate(one, 'c'))).toEqual(['c']);
  expect(shownNames(isolate(one, 'b'))).toEqual(names);
  // Series of the next result stay hidden.
  expect(isShown(one, 'new')).toBe(false);
});

it('hides series one by one; hiding the last shows all', () => {
  const two = toggleSeries(allSeries, names, 'a');
  expect(shownNames(two)).toEqual(['b', 'c']);
  expect(shownNames(toggleSeries(two, names, 'a'))).toEqual(names);
  expect(shownNames(toggleSeries(toggleSeries(two, names, 'b'), names, 'c'))).toEqual(names);
});

it('adds a series to an isolated one', () =>
  expect(shownNames(toggleSeries(isolate(allSeries, 'b'), names, 'c'))).toEqual(['b', 'c']));
