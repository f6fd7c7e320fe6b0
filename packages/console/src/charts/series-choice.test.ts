import { expect, it } from 'vitest';
import { allSeries, isolated, isShown, toggled } from './series-choice.js';

const names = ['a', 'b', 'c'];
const shown = (choice: typeof allSeries): readonly string[] => names.filter((name) => isShown(choice, name));

it('one series is alone, another one then, and all are there again', () => {
  const one = isolated(allSeries, 'b');
  expect(shown(one)).toEqual(['b']);
  expect(shown(isolated(one, 'c'))).toEqual(['c']);
  expect(shown(isolated(one, 'b'))).toEqual(names);
  // What comes with the next answer is not drawn beside it.
  expect(isShown(one, 'new')).toBe(false);
});

it('series are hidden one by one, and the last one brings all back', () => {
  const two = toggled(allSeries, names, 'a');
  expect(shown(two)).toEqual(['b', 'c']);
  expect(shown(toggled(two, names, 'a'))).toEqual(names);
  expect(shown(toggled(toggled(two, names, 'b'), names, 'c'))).toEqual(names);
});

it('beside one that is alone another one is added', () =>
  expect(shown(toggled(isolated(allSeries, 'b'), names, 'c'))).toEqual(['b', 'c']));
