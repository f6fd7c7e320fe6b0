import type { Plain, Special } from '../functions.js';
import { isBag, isList, isNumber, jsonText, order } from '../values.js';
import type { Type, Value } from '../values.js';

/** Numbers come before strings, and strings before all others. */
const kindOf = (value: Value): number => (isNumber(value) ? 1 : typeof value === 'string' ? 2 : 3);
const compare = (a: Value, b: Value): number => kindOf(a) - kindOf(b) || (order(a, b) ?? 0);

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

const rotate = (array: readonly Value[], count: bigint): readonly Value[] =>
  array.map((_, i) => array.at(Number((BigInt(i) + count) % BigInt(array.length)))!);

const shift = (array: readonly Value[], count: bigint, fill: Value): readonly Value[] =>
  array.map((_, i) => {
    const from = Number(BigInt(i) + count);
    return from in array ? array[from]! : fill;
  });

const nullsLast = (values: readonly Value[], sorted: readonly Value[]): readonly Value[] => [
  ...sorted,
  ...values.filter((value) => value === null),
];

/** Anything but an array, null included, gives an empty array. */
const sortArray =
  (compare: (a: Value, b: Value) => number): Special =>
  ([array]) => ({
    type: 'dynamic',
    at: (rows, i) => {
      const values = array!.at(rows, i);
      if (!isList(values)) return [];
      return nullsLast(values, values.filter((value) => value !== null).toSorted(compare));
    },
  });

export const sortFunctions: Readonly<Record<string, Special>> = {
  array_sort_asc: sortArray(compare),
  array_sort_desc: sortArray((a, b) => -compare(a, b)),
  sort_array: ([array, order]) =>
    sortArray((a, b) => (order?.at([[]], 0) === 'desc' ? -compare(a, b) : compare(a, b)))([array!]),
};

/** Functions of arrays and objects; null for any other value. */
export const arrayFunctions: Readonly<Record<string, readonly Plain[]>> = {
  array_length: ofArray([], 'long', (array) => BigInt(array.length)),
  array_reverse: ofArray([], 'dynamic', (array) => array.toReversed()),
  array_rotate_left: ofArray(['long'], 'dynamic', (array, count: bigint) => rotate(array, count)),
  array_rotate_right: ofArray(['long'], 'dynamic', (array, count: bigint) => rotate(array, -count)),
  array_shift_left: [
    ...ofArray(['long'], 'dynamic', (array, count: bigint) => rotate(array, count)),
    ...ofArray(['long', 'dynamic'], 'dynamic', (array, count: bigint, fill: Value) => shift(array, count, fill)),
  ],
  array_shift_right: [
    ...ofArray(['long'], 'dynamic', (array, count: bigint) => rotate(array, -count)),
    ...ofArray(['long', 'dynamic'], 'dynamic', (array, count: bigint, fill: Value) => shift(array, -count, fill)),
  ],
  array_split: ofArray(['long'], 'dynamic', (array, at: bigint) => {
    const cut = place(array.length, at);
    return [array.slice(0, cut), array.slice(cut)];
  }),
  array_select_dict: [
    {
      params: ['dynamic', 'string', 'dynamic'],
      returns: 'dynamic',
      of: (array: Value, key: string, value: Value) =>
        (isList(array) ? array : []).find(
          (item) => isBag(item) && Object.hasOwn(item, key) && jsonText(item[key]!) === jsonText(value),
        ) ?? null,
    },
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
