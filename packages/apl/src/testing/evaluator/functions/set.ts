import type { Plain } from '../functions.js';
import { isBag, isList, jsonText } from '../values.js';
import type { Bag, Value } from '../values.js';

/** Whether elements are equal: 2 and 2.0 are, 1 and "1" are not. */
const same = (a: Value, b: Value): boolean => jsonText(a) === jsonText(b);
const has = (list: readonly Value[], value: Value): boolean => list.some((other) => same(other, value));
const distinct = (list: readonly Value[]): readonly Value[] => list.filter((value, i) => !has(list.slice(0, i), value));

const ofTwo = (of: (a: readonly Value[], b: readonly Value[]) => readonly Value[]): readonly Plain[] => [
  {
    params: ['dynamic', 'dynamic'],
    returns: 'dynamic',
    of: (a: Value, b: Value) => (isList(a) && isList(b) ? distinct(of(a, b)) : null),
  },
];

const without = (bag: Bag, keys: readonly Value[]): Bag =>
  Object.fromEntries(Object.entries(bag).filter(([key]) => !keys.includes(key)));

/** Functions of arrays as sets, and of objects. */
export const setFunctions: Readonly<Record<string, readonly Plain[]>> = {
  set_union: ofTwo((a, b) => [...a, ...b]),
  set_intersect: ofTwo((a, b) => a.filter((value) => has(b, value))),
  set_difference: ofTwo((a, b) => a.filter((value) => !has(b, value))),
  set_has_element: [
    {
      params: ['dynamic', 'dynamic'],
      returns: 'bool',
      of: (list: Value, value: Value) => (isList(list) ? has(list, value) : null),
    },
  ],
  zip: [
    {
      params: ['dynamic', 'dynamic'],
      returns: 'dynamic',
      of: (a: Value, b: Value) =>
        isList(a) && isList(b)
          ? Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [a[i] ?? null, b[i] ?? null])
          : null,
    },
  ],
  jaccard_index: [
    {
      params: ['dynamic', 'dynamic'],
      returns: 'real',
      of: (a: Value, b: Value) => {
        if (!isList(a) || !isList(b)) return null;
        const either = distinct([...a, ...b]).length;
        return either === 0 ? null : distinct(a).filter((value) => has(b, value)).length / either;
      },
    },
  ],
  bag_set_key: [
    {
      params: ['dynamic', 'string', 'dynamic'],
      returns: 'dynamic',
      of: (bag: Value, key: string, value: Value) => (isBag(bag) ? { ...without(bag, [key]), [key]: value } : null),
    },
  ],
  bag_remove_keys: [
    {
      params: ['dynamic', 'dynamic'],
      returns: 'dynamic',
      of: (bag: Value, keys: Value) => (isBag(bag) && isList(keys) ? without(bag, keys) : null),
    },
  ],
  bag_zip: [
    {
      params: ['dynamic', 'dynamic'],
      returns: 'dynamic',
      of: (keys: Value, values: Value) => {
        if (!isList(keys) || !isList(values)) return null;
        const entries = keys
          .slice(0, values.length)
          .flatMap((key, i) =>
            key === null ? [] : [[typeof key === 'string' ? key : jsonText(key), values[i]!] as const],
          );
        return Object.fromEntries(entries.filter(([key], i) => entries.findIndex(([other]) => other === key) === i));
      },
    },
  ],
};
