import { atom, type Call, callOf, type Expression, likeOf } from './expressions.js';
import type { TokenReader } from './tokens.js';

/** Functions of SPL in APL. Adding one is a line. */

const SAME: Readonly<Record<string, string>> = {
  if: 'iff',
  isnull: 'isnull',
  isnotnull: 'isnotnull',
  lower: 'tolower',
  upper: 'toupper',
  len: 'strlen',
  round: 'round',
  coalesce: 'coalesce',
  floor: 'floor',
  ceil: 'ceiling',
  ceiling: 'ceiling',
  abs: 'abs',
  sqrt: 'sqrt',
  pow: 'pow',
  exp: 'exp',
  ln: 'log',
  log: 'log10',
  tonumber: 'todouble',
  tostring: 'tostring',
  now: 'now',
  replace: 'replace_regex',
  split: 'split',
  mvcount: 'array_length',
  max: 'max_of',
  min: 'min_of',
};

type Special = (args: readonly Expression[]) => Expression | undefined;

const SPECIAL: Readonly<Record<string, Special>> = {
  like: ([field, pattern]) =>
    field && pattern?.isText === true ? likeOf(field, pattern.literal ?? '', true) : undefined,
  match: ([field, regex]) => field && regex && { ...atom(`${field.apl} matches regex ${regex.apl}`), level: 4 },
  substr: ([field, start, length]) =>
    field && start?.literal !== undefined
      ? callOf('substring', [field, atom(String(Number(start.literal) - 1)), ...(length ? [length] : [])])
      : undefined,
  cidrmatch: ([range, address]) => range && address && callOf('ipv4_is_in_range', [address, range]),
  case: (args) => {
    // `true()` as the last condition is the default of APL.
    const isDefault = args.length % 2 === 0 && /^(true|1 == 1)$/.test(args.at(-2)?.apl ?? '');
    if (args.length % 2 !== 0 || args.length === 0) return undefined;
    return callOf('case', isDefault ? [...args.slice(0, -2), args.at(-1)!] : [...args, atom('null')]);
  },
  true: () => atom('true'),
  false: () => atom('false'),
  null: () => atom('null'),
};

/** A call in `eval` and `where`; undefined if the function has no counterpart. */
export function splCall(_reader: TokenReader, name: string, { args }: Call): Expression | undefined {
  if (Object.hasOwn(SPECIAL, name)) return SPECIAL[name]!(args);
  return Object.hasOwn(SAME, name) ? callOf(SAME[name]!, args) : undefined;
}

/** Aggregates of `stats`, over a field. */
const AGGREGATES: Readonly<Record<string, (field: string) => string>> = {
  c: (field) => `countif(isnotnull(${field}))`,
  count: (field) => `countif(isnotnull(${field}))`,
  dc: (field) => `dcount(${field})`,
  distinct_count: (field) => `dcount(${field})`,
  estdc: (field) => `dcount(${field})`,
  avg: (field) => `avg(${field})`,
  mean: (field) => `avg(${field})`,
  sum: (field) => `sum(${field})`,
  min: (field) => `min(${field})`,
  max: (field) => `max(${field})`,
  range: (field) => `max(${field}) - min(${field})`,
  stdev: (field) => `stdev(${field})`,
  stdevp: (field) => `stdevp(${field})`,
  var: (field) => `variance(${field})`,
  median: (field) => `percentile(${field}, 50)`,
  values: (field) => `make_set(${field})`,
  list: (field) => `make_list(${field})`,
  per_second: (field) => `rate(${field})`,
};

/** An aggregate over a field; undefined if it has no counterpart. */
export function splAggregate(name: string, field: string): string | undefined {
  const percentile = /^(?:p|perc|exactperc|upperperc)(\d+)$/.exec(name)?.[1];
  if (percentile !== undefined) return `percentile(${field}, ${percentile})`;
  return Object.hasOwn(AGGREGATES, name) ? AGGREGATES[name]!(field) : undefined;
}
