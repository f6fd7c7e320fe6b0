import { realOf } from './general.js';
import type { Plain } from '../functions.js';
import { asDynamic, isList, isNumber, order } from '../values.js';
import type { Value } from '../values.js';

/**
 * The number that an element is or contains as text, 1 for true and 0 for false, null if it is not
 * a number.
 */
export const elementNumber = (value: Value): number | null => {
  const found = realOf(value);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
};

const real = (value: number | boolean | null): Value => asDynamic(value, 'real');

const each = (of: (n: number) => number): readonly Plain[] => [
  {
    params: ['dynamic'],
    returns: 'dynamic',
    of: (series: Value) =>
      isList(series) ? series.map(elementNumber).map((n) => (n === null ? null : real(of(n)))) : null,
  },
];

/**
 * @param longest whether the result is as long as the longer series, with nulls where one has ended
 */
const defineElementwise = (longest: boolean, of: (a: number, b: number) => number | boolean): readonly Plain[] => [
  {
    params: ['dynamic', 'dynamic'],
    returns: 'dynamic',
    of: (a: Value, given: Value) => {
      if (!isList(a)) return null;
      const b = isNumber(given) ? a.map(() => given) : given;
      if (!isList(b)) return null;
      const length = longest ? Math.max(a.length, b.length) : Math.min(a.length, b.length);
      return Array.from({ length }, (_, i): Value => {
        const [x, y] = [elementNumber(a[i] ?? null), elementNumber(b[i] ?? null)];
        return x === null || y === null ? null : real(of(x, y));
      });
    },
  },
];

const defineFill = (fill: (series: readonly Value[]) => readonly Value[]): readonly Plain[] => [
  { params: ['dynamic'], returns: 'dynamic', of: (series: Value) => (isList(series) ? fill(series) : null) },
];

/** Every null replaced by the element before it. */
const forward = (series: readonly Value[]): readonly Value[] =>
  series.map((_, i) => series.slice(0, i + 1).findLast((value) => value !== null) ?? null);

const total = (of: (numbers: readonly number[]) => number | null): readonly Plain[] => [
  {
    params: ['dynamic'],
    returns: 'real',
    of: (series: Value) => (isList(series) ? of(series.map(elementNumber).filter((n) => n !== null)) : null),
  },
];

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Functions of arrays of numbers; other elements count as null. */
export const seriesFunctions: Readonly<Record<string, readonly Plain[]>> = {
  array_sum: total((numbers) => (numbers.length === 0 ? null : sum(numbers))),
  series_sum: total(sum),
  series_magnitude: total((numbers) => Math.sqrt(sum(numbers.map((n) => n * n)))),
  series_abs: each(Math.abs),
  series_sign: each(Math.sign),
  series_exp: each(Math.exp),
  series_log: each(Math.log),
  series_sin: each(Math.sin),
  series_cos: each(Math.cos),
  series_tan: each(Math.tan),
  series_asin: each(Math.asin),
  series_acos: each(Math.acos),
  series_atan: each(Math.atan),
  series_floor: each(Math.floor),
  series_ceiling: each(Math.ceil),
  series_add: defineElementwise(false, (a, b) => a + b),
  series_divide: defineElementwise(false, (a, b) => a / b),
  series_subtract: defineElementwise(true, (a, b) => a - b),
  series_multiply: defineElementwise(true, (a, b) => a * b),
  series_max: defineElementwise(true, Math.max),
  series_min: defineElementwise(true, Math.min),
  series_less: defineElementwise(true, (a, b) => order(a, b)! < 0),
  series_less_equals: defineElementwise(true, (a, b) => order(a, b)! <= 0),
  series_greater: defineElementwise(true, (a, b) => order(a, b)! > 0),
  series_greater_equals: defineElementwise(true, (a, b) => order(a, b)! >= 0),
  series_fill_forward: defineFill(forward),
  series_fill_backward: defineFill((series) => forward(series.toReversed()).toReversed()),
  series_fill_const: [
    {
      params: ['dynamic', 'dynamic'],
      returns: 'dynamic',
      of: (series: Value, fill: Value) => (isList(series) ? series.map((value) => value ?? fill) : null),
    },
  ],
  series_dot_product: [
    {
      params: ['dynamic', 'dynamic'],
      returns: 'real',
      of: (a: Value, b: Value) =>
        isList(a) && isList(b)
          ? sum(a.map((value, i) => (elementNumber(value) ?? 0) * (elementNumber(b[i] ?? null) ?? 0)))
          : null,
    },
  ],
};
