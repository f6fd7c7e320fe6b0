import { atOnce } from '@millrace/events';
import { expect, it } from 'vitest';
import { fieldsWithRoom } from './column-capacity.js';

const dataset = (...names: readonly string[]) => ({ size: names.length, has: (name: string) => names.includes(name) });
const batch = (...names: readonly string[]) => ({
  rows: 1,
  uses: names.map((field) => ({ field, type: 'string' as const, count: 1, bytes: 1 })),
});

it.each([
  ['there is room', dataset('a'), batch('b', 'c'), undefined],
  ['nothing is new', dataset('a', 'b', 'c'), batch('a', 'b', 'c'), undefined],
  ['one is new', dataset('a', 'b', 'c'), batch('a', 'd'), ['a']],
  ['some are', dataset('a', 'b'), batch('c', 'a', 'd', 'c'), ['c', 'a']],
  ['the field of all others is', dataset('a', 'b', 'c'), batch('a', '_other'), undefined],
  ['there are more than there may be', dataset('a', 'b', 'c', 'd'), batch('e', 'd'), ['d']],
])('a dataset of at most three fields takes a batch where %s', (_, fields, uses, kept) =>
  expect(atOnce(fieldsWithRoom(fields, uses, 3))?.kept).toEqual(kept),
);
