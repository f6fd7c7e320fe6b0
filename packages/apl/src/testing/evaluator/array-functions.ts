import type { Plain } from './functions.js';
import { isBag, isList, order } from './values.js';
import type { Type, Value } from './values.js';

/** Numbers come before texts, nulls last; values without an order keep their places. */
function compare(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (typeof a === 'string') === (typeof b === 'string') ? (order(a, b) ?? 0) : typeof a === 'string' ? 1 : -1;
}

const ofArray = (
  params: readonly Type[],
  returns: Type,
  of: (array: readonly Value[], ...more: never[]) => Value,
  optional?: number,
): readonly Plain[] => [
  {
    params: ['dynamic', ...params],
    returns,
    ...(optional === undefined ? {} : { optional }),
    of: (array: Value, ...more: never[]) => (isList(array) ? of(array, ...more) : null),
  },
];

const place = (size: number, at: bigint): number =>
  at < 0n ? Math.max(0, size + Number(at)) : Math.min(size, Number(at));

/** Functions of arrays and objects; null for any other value. */
export const arrayFunctions: Readonly<Record<string, readonly Plain[]>> = {
  array_length: ofArray([], 'long', (array) => BigInt(array.length)),
  array_reverse: ofArray([], 'dynamic', (array) => array.toReversed()),
  array_sort_asc: [
    { params: ['dynamic'], returns: 'dynamic', of: (array: Value) => (isList(array) ? array.toSorted(compare) : []) },
  ],
  array_concat: ofArray(['dynamic'], 'dynamic', (a, b: Value) => (isList(b) ? [...a, ...b] : null)),
  array_slice: ofArray(
    ['long', 'long'],
    'dynamic',
    (array, start: bigint, end?: bigint) =>
      array.slice(place(array.length, start), end === undefined ? array.length : place(array.length, end)),
    2,
  ),
  bag_keys: [{ params: ['dynamic'], returns: 'dynamic', of: (bag: Value) => (isBag(bag) ? Object.keys(bag) : null) }],
  bag_has_key: [
    {
      params: ['dynamic', 'string'],
      returns: 'bool',
      of: (bag: Value, key: string) => (isBag(bag) ? Object.hasOwn(bag, key) : null),
    },
  ],
};
