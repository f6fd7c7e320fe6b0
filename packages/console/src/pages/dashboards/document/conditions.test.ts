import { expect, it } from 'vitest';
import { conditionOf, conditionOn, conditionParam } from './conditions.js';

it.each([
  ['service', 'string', 'a b', 'include', "service == 'a b'"],
  ['my field, with \\ and =', 'integer', 5, 'exclude', "['my field, with \\\\ and ='] != 5"],
  ['level', 'string', null, 'include', 'isnull(level)'],
] as const)(
  'a click on a value of %s becomes a condition that round-trips through the address',
  (field, type, cell, how, text) => {
    const condition = conditionOn({ field, type, cell }, how)!;
    expect(condition).toEqual({ field, text });
    expect(conditionOf(conditionParam(condition))).toEqual(condition);
  },
);

it.each(['', 'field', '%E0%A4%A x'])('tolerates any address: %s', (param) =>
  expect(conditionOf(param)).toBeUndefined(),
);
