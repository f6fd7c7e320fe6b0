import { expect, it } from 'vitest';
import { readPath } from './json-path.js';
import type { PathStep } from './json-path.js';

const member = (name: string): PathStep => ({ kind: 'member', name });
const element = (place: number): PathStep => ({ kind: 'element', place });
const all: PathStep = { kind: 'all' };

it.each<readonly [string, readonly PathStep[]]>([
  ['$', []],
  ['$.a', [member('a')]],
  ['a.b', [member('a'), member('b')]],
  ['$[*].id', [all, member('id')]],
  ['$.*[0]', [all, element(0)]],
  ['$[-1][ 2 ]', [element(-1), element(2)]],
  [`$['a b']["c.d"]`, [member('a b'), member('c.d')]],
  [`$['it\\'s']`, [member(`it's`)]],
  ['$.größe.x-y', [member('größe'), member('x-y')]],
])('%s', (text, steps) => expect(readPath(text)).toEqual({ ok: true, steps }));

it.each([
  ['$..a', '..a'],
  ['$[1:2]', '[1:2]'],
  ['$.a[?(@.b)]', '[?(@.b)]'],
  ['$.a b', ' b'],
  ['$[', '['],
])('%s is refused from "%s" on', (text, rest) => {
  const reading = readPath(text);
  expect(reading.ok).toBe(false);
  expect(reading).toMatchObject({ message: expect.stringContaining(`at "${rest}"`) });
});
