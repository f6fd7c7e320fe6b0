import { convert } from './conversions.js';
import type { Special } from './functions.js';
import type { Scalar } from './scalar.js';
import { asDynamic, identity, isList, isNumber, order, wrap } from './values.js';
import type { Row, Type, Value } from './values.js';

type Over = (values: readonly Value[], type: Type) => Value;

/** An aggregate of the values that are not null, and its conditional twin. */
function pair(name: string, twin: string, returns: (type: Type) => Type, of: Over): Readonly<Record<string, Special>> {
  const make: Special = ([value, condition]) => {
    const number =
      value!.type === 'dynamic' && returns('dynamic') !== 'dynamic' && numeric.has(name)
        ? convert(value!, 'real')
        : value!;
    return {
      type: returns(number.type),
      at: (rows) =>
        of(
          rows
            .filter((_, i) => condition === undefined || condition.at(rows, i) === true)
            .map((row) => number.at([row], 0))
            .filter((v) => v !== null),
          number.type,
        ),
    };
  };
  return { [name]: make, [twin]: make };
}
const numeric = new Set(['sum', 'avg', 'stdev', 'variance']);

const same = (type: Type): Type => type;
const numbers = (values: readonly Value[]): readonly number[] => values.filter(isNumber).map(Number);
const mean = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0) / all.length;

function variance(values: readonly Value[]): number | null {
  const all = numbers(values);
  const middle = mean(all);
  return all.length < 2 ? null : all.reduce((sum, n) => sum + (n - middle) ** 2, 0) / (all.length - 1);
}

function populationVariance(values: readonly Value[]): number | null {
  const all = numbers(values);
  const middle = mean(all);
  return all.length === 0 ? null : mean(all.map((n) => (n - middle) ** 2));
}

function sum(values: readonly Value[], type: Type): Value {
  if (type === 'real') return numbers(values).reduce((a, b) => a + b, 0);
  return wrap(values.reduce<bigint>((a, b) => a + (b as bigint), 0n));
}

/** Exact to the last bit: the sum of bigints is a bigint. */
function average(values: readonly Value[], type: Type): Value {
  if (values.length === 0) return null;
  if (type === 'real') return mean(numbers(values));
  const total = values.reduce<bigint>((a, b) => a + (b as bigint), 0n);
  const count = BigInt(values.length);
  return type === 'timespan' ? total / count : Number(total / count) + Number(total % count) / values.length;
}

const extreme =
  (sign: 1 | -1): Over =>
  (values) =>
    values.reduce<Value>((best, value) => (best === null || (order(value, best) ?? 0) * sign > 0 ? value : best), null);

const different = (values: readonly Value[]): readonly Value[] => [
  ...new Map(values.map((v) => [identity(v), v])).values(),
];

const best =
  (sign: 1 | -1): Special =>
  ([by, field]) => ({
    type: (field ?? by!).type,
    at: (rows) => {
      const found = rows.reduce<number | undefined>((so, _, i) => {
        const value = by!.at(rows, i);
        if (value === null) return so;
        return so === undefined || (order(value, by!.at(rows, so)) ?? 0) * sign > 0 ? i : so;
      }, undefined);
      return found === undefined ? null : (field ?? by!).at(rows, found);
    },
  });

const percentileOf = (values: readonly Value[], percent: number): Value => {
  const sorted = values.filter(isNumber).toSorted((a, b) => order(a, b) ?? 0);
  return sorted[Math.max(1, Math.ceil((percent * sorted.length) / 100)) - 1] ?? null;
};

/** The rows for which a condition is true, all without one. */
const where = (rows: readonly Row[], condition: Scalar | undefined): readonly Row[] =>
  rows.filter((_, i) => condition === undefined || condition.at(rows, i) === true);

const valuesOf = (rows: readonly Row[], value: Scalar): readonly Value[] =>
  rows.map((row) => value.at([row], 0)).filter((v) => v !== null);

/** Several percentiles, as numbers one after the other or in an array. */
const percentiles =
  (conditional: boolean): Special =>
  ([value, ...rest]) => {
    const condition = conditional ? rest.at(-1) : undefined;
    const percents = conditional ? rest.slice(0, -1) : rest;
    return {
      type: 'dynamic',
      at: (rows) => {
        const values = valuesOf(where(rows, condition), value!);
        const wanted = percents.flatMap((percent): readonly Value[] => {
          const given = percent.at([[]], 0);
          return isList(given) ? given : [given];
        });
        return wanted.map((percent) => asDynamic(percentileOf(values, Number(percent)), value!.type));
      },
    };
  };

/** How often each value occurs. */
const frequencies =
  (conditional: boolean): Special =>
  ([value, ...rest]) => ({
    type: 'dynamic',
    at: (rows) => {
      const values = valuesOf(where(rows, conditional ? rest[1] : undefined), value!);
      return different(values).map((key) => ({
        key: asDynamic(key, value!.type),
        count: BigInt(values.filter((other) => identity(other) === identity(key)).length),
        error: 0n,
      }));
    },
  });

/** A set has the elements of arrays. */
const elements = (values: readonly Value[]): readonly Value[] =>
  values.flatMap((value) => (isList(value) ? value.filter((element) => element !== null) : [value]));

/** At most so many of the values. */
const collectValues =
  (of: (values: readonly Value[]) => readonly Value[]): Special =>
  ([value, max]) => ({
    type: 'dynamic',
    at: (rows) =>
      of(valuesOf(rows, value!))
        .slice(0, max === undefined ? undefined : Number(max.at(rows, 0)))
        .map((v) => asDynamic(v, value!.type)),
  });

const percentile: Special = ([value, percent]) => ({
  type: value!.type === 'timespan' ? 'timespan' : 'real',
  at: (rows) => {
    const all = rows.map((row) => value!.at([row], 0)).filter(isNumber);
    const sorted = all.toSorted((a, b) => order(a, b) ?? 0);
    const place = Math.max(1, Math.ceil((Number(percent!.at(rows, 0)) * all.length) / 100));
    const found = sorted[place - 1];
    return found === undefined ? null : value!.type === 'timespan' ? found : Number(found);
  },
});

const countOf = (condition?: Scalar): Scalar => ({
  type: 'long',
  at: (rows) => BigInt(rows.filter((_, i) => condition === undefined || condition.at(rows, i) === true).length),
});

const bitwise = (join: (a: bigint, b: bigint) => bigint): Special =>
  pair(
    'all',
    'allif',
    () => 'long',
    (values) => {
      const [first = null, ...others] = values as readonly bigint[];
      return first === null ? null : others.reduce(join, first);
    },
  )['all']!;

/** Aggregates: their value is equal at every row of a group. */
export const aggregateFunctions: Readonly<Record<string, Special>> = {
  count: () => countOf(),
  countif: ([condition]) => countOf(condition),
  ...pair('sum', 'sumif', same, sum),
  ...pair('avg', 'avgif', (type) => (type === 'timespan' ? type : 'real'), average),
  ...pair('min', 'minif', same, extreme(-1)),
  ...pair('max', 'maxif', same, extreme(1)),
  ...pair(
    'stdev',
    'stdevif',
    () => 'real',
    (values) => {
      const spread = variance(values);
      return spread === null ? null : Math.sqrt(spread);
    },
  ),
  ...pair('variance', 'varianceif', () => 'real', variance),
  ...pair(
    'stdevp',
    'stdevpif',
    () => 'real',
    (values) => {
      const spread = populationVariance(values);
      return spread === null ? null : Math.sqrt(spread);
    },
  ),
  ...pair('variancep', 'variancepif', () => 'real', populationVariance),
  binary_all_and: bitwise((a, b) => a & b),
  binary_all_or: bitwise((a, b) => a | b),
  binary_all_xor: bitwise((a, b) => a ^ b),
  ...pair('take_any', 'take_anyif', same, (values) => values[0] ?? null),
  ...pair(
    'dcount',
    'dcountif',
    () => 'long',
    (values) => BigInt(different(values).length),
  ),
  ...pair(
    'count_distinct',
    'count_distinctif',
    () => 'long',
    (values) => BigInt(different(values).length),
  ),
  ...pair(
    'make_list',
    'make_list_if',
    () => 'dynamic',
    (values, type) => values.map((v) => asDynamic(v, type)),
  ),
  ...pair(
    'make_set',
    'make_set_if',
    () => 'dynamic',
    (values, type) => different(elements(values)).map((v) => asDynamic(v, type)),
  ),
  make_list: collectValues((values) => values),
  make_set: collectValues((values) => different(elements(values))),
  percentile,
  percentileif: ([value, percent, condition]) => ({
    type: value!.type === 'timespan' ? 'timespan' : 'real',
    at: (rows) => percentile([value!, percent!]).at(where(rows, condition), 0),
  }),
  percentiles_array: percentiles(false),
  percentiles_arrayif: percentiles(true),
  topk: frequencies(false),
  topkif: frequencies(true),
  arg_max: best(1),
  arg_min: best(-1),
};
