import { common, convert, instantOf } from '../conversions.js';
import { type Special } from '../functions.js';
import type { Scalar } from '../scalar.js';
import { asDynamic, isBag, isList, jsonOf, order, textOf, truncate } from '../values.js';
import type { Type, Value } from '../values.js';

const test = (of: (value: Value, type: Type) => boolean): Special => {
  return ([value]) => ({ type: 'bool', at: (rows, i) => of(value!.at(rows, i), value!.type) });
};

const to = (type: Type, of: (value: Value, from: Type) => Value): Special => {
  return ([value]) => ({
    type,
    at: (rows, i) => {
      const given = value!.at(rows, i);
      return given === null ? null : of(given, value!.type);
    },
  });
};

/** Values converted to their common type. */
function unify(values: readonly Scalar[]): { readonly type: Type; readonly values: readonly Scalar[] } {
  const type = common(values);
  return { type, values: values.map((value) => convert(value, type)) };
}

const texts =
  (join: (texts: readonly string[]) => string): Special =>
  (args) => ({ type: 'string', at: (rows, i) => join(args.map((arg) => textOf(arg.at(rows, i), arg.type) ?? '')) });

const toLong = to('long', (value) => {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return truncate(value);
  const whole = typeof value === 'string' && /^[+-]?\d+$/.test(value) ? BigInt(value.replace('+', '')) : value;
  return typeof whole === 'bigint' && whole === BigInt.asIntN(64, whole) ? whole : null;
});
const isEmpty = (value: Value): boolean =>
  value === null || value === '' || (isBag(value) && Object.keys(value).length === 0);

/** The number that a value is or spells. */
export const realOf = (value: Value): Value => {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : null;
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : null;
};
const toReal = to('real', realOf);
const toBool = to('bool', (value) => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return value !== 0n;
  if (typeof value === 'number') return value !== 0;
  if (typeof value !== 'string') return null;
  return ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value)
    ? true
    : ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(value)
      ? false
      : null;
});

function typeName(value: Value, type: Type): string {
  if (value === null) return 'null';
  if (type !== 'dynamic' && type !== 'mixed') return type;
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'long';
  if (typeof value === 'number') return 'real';
  return typeof value === 'string' ? 'string' : isList(value) ? 'array' : 'dictionary';
}

const isPlainNumber = (type: Type): boolean => type !== 'datetime' && type !== 'timespan';

/** The greatest or smallest of the values that are not null. */
const extreme =
  (sign: 1 | -1): Special =>
  (args) => {
    const { type, values } = unify(args);
    return {
      type,
      at: (rows, i) =>
        values
          .map((value) => value.at(rows, i))
          .reduce((best, value) =>
            best === null || (value !== null && (order(value, best) ?? 0) * sign > 0) ? value : best,
          ),
    };
  };

const iff: Special = ([condition, ...values]) => {
  const { type, values: both } = unify(values);
  const when = convert(condition!, 'bool');
  return { type, at: (rows, i) => (when.at(rows, i) === true ? both[0]! : both[1]!).at(rows, i) };
};

/**
 * Functions that handle null themselves, depend on the types of their arguments, or evaluate only
 * some of them.
 */
export const generalFunctions: Readonly<Record<string, Special>> = {
  isnull: test((value) => value === null),
  isnotnull: test((value) => value !== null),
  isempty: test(isEmpty),
  isnotempty: test((value) => !isEmpty(value)),
  isarray: test(isList),
  ismap: test(isBag),
  isbool: test((value) => typeof value === 'boolean'),
  isstring: test((value, type) => typeof value === 'string' && type !== 'datetime'),
  isint: test((value, type) => typeof value === 'bigint' && isPlainNumber(type)),
  isreal: test((value, type) => typeof value === 'number' && isPlainNumber(type)),
  len: ([value]) => ({
    type: 'long',
    at: (rows, i) => {
      const given = value!.at(rows, i);
      if (typeof given === 'string') return BigInt([...given].length);
      if (isList(given)) return BigInt(given.length);
      return isBag(given) ? BigInt(Object.keys(given).length) : null;
    },
  }),
  gettype: ([value]) => ({ type: 'string', at: (rows, i) => typeName(value!.at(rows, i), value!.type) }),
  not: ([value]) => ({
    type: 'bool',
    at: (rows, i) => {
      const given = value!.at(rows, i);
      return typeof given === 'boolean' ? !given : null;
    },
  }),
  tostring: ([value]) => ({ type: 'string', at: (rows, i) => textOf(value!.at(rows, i), value!.type) ?? '' }),
  toint: toLong,
  tolong: toLong,
  toreal: toReal,
  todouble: toReal,
  tobool: toBool,
  todatetime: to('datetime', (value) => (typeof value === 'string' ? instantOf(value) : value)),
  totimespan: to('timespan', (value) => value),
  strcat: texts((all) => all.join('')),
  strcat_delim: texts(([delimiter = '', ...all]) => all.join(delimiter)),
  max_of: extreme(1),
  min_of: extreme(-1),
  todynamic: to('dynamic', (value) => (typeof value === 'string' ? jsonOf(value) : value)),
  parse_json: to('dynamic', (value, from) =>
    typeof value === 'string' ? (jsonOf(value) ?? (value.trim() === 'null' ? null : value)) : asDynamic(value, from),
  ),
  iff,
  iif: iff,
  case: (args) => {
    const otherwise: Scalar = args.length % 2 === 1 ? args.at(-1)! : { type: 'dynamic', at: () => null, isNull: true };
    const pairs = args.slice(0, args.length - (args.length % 2));
    const { type, values } = unify([...pairs.filter((_, k) => k % 2 === 1), otherwise]);
    return {
      type,
      at: (rows, i) => {
        const k = pairs.findIndex((arg, n) => n % 2 === 0 && arg.at(rows, i) === true);
        return (k < 0 ? values.at(-1)! : values[k / 2]!).at(rows, i);
      },
    };
  },
  coalesce: (args) => {
    const { type, values } = unify(args);
    return {
      type,
      at: (rows, i) => {
        const all = values.map((value) => value.at(rows, i));
        return all.find((value) => value !== null && value !== '') ?? all.at(-1)!;
      },
    };
  },
};
