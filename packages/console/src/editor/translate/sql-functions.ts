import { durationText, startOfUnit } from './durations.js';
import { atom, type Call, callOf, type Expression } from './expressions.js';
import type { TokenReader } from './tokens.js';

/** Functions of SQL dialects in APL. Adding one is a line. */

/** Functions with the same arguments. */
const SAME: Readonly<Record<string, string>> = {
  lower: 'tolower',
  upper: 'toupper',
  length: 'strlen',
  char_length: 'strlen',
  coalesce: 'coalesce',
  ifnull: 'coalesce',
  round: 'round',
  floor: 'floor',
  ceil: 'ceiling',
  ceiling: 'ceiling',
  abs: 'abs',
  sqrt: 'sqrt',
  power: 'pow',
  pow: 'pow',
  exp: 'exp',
  ln: 'log',
  log10: 'log10',
  concat: 'strcat',
  tostring: 'tostring',
  toint64: 'tolong',
  tofloat64: 'todouble',
  if: 'iff',
  iff: 'iff',
  now: 'now',
  max: 'max_of',
  min: 'min_of',
};

/** Aggregates of one value, and their variant with a condition. */
const AGGREGATES: Readonly<Record<string, readonly [plain: string, filtered: string]>> = {
  avg: ['avg', 'avgif'],
  mean: ['avg', 'avgif'],
  sum: ['sum', 'sumif'],
  min: ['min', 'minif'],
  max: ['max', 'maxif'],
  stddev: ['stdev', 'stdevif'],
  stddev_samp: ['stdev', 'stdevif'],
  stddev_pop: ['stdevp', 'stdevpif'],
  variance: ['variance', 'varianceif'],
  var_samp: ['variance', 'varianceif'],
  approx_count_distinct: ['dcount', 'dcountif'],
  approx_distinct: ['dcount', 'dcountif'],
  uniq: ['dcount', 'dcountif'],
  uniqexact: ['count_distinct', 'count_distinctif'],
  array_agg: ['make_list', 'make_list_if'],
  grouparray: ['make_list', 'make_list_if'],
  groupuniqarray: ['make_set', 'make_set_if'],
  any_value: ['take_any', 'take_anyif'],
  any: ['take_any', 'take_anyif'],
};

type Special = (reader: TokenReader, call: Call) => Expression | undefined;

const aggregate = (apl: string): Expression => atom(apl, { aggregates: true });
const percent = (fraction: string | undefined): string => String(Number((Number(fraction) * 100).toFixed(6)));
const time = (apl: string | undefined): Expression | undefined =>
  apl === undefined ? undefined : atom(apl, { isTime: true });

/** `FILTER (WHERE condition)` after an aggregate. */
function filterAfter(reader: TokenReader, read: (level?: number) => Expression): string | undefined {
  if (!reader.accept('filter')) return undefined;
  reader.expect('(', 'where');
  const condition = read();
  reader.expect(')');
  return condition.apl;
}

const bucket = (size: Expression | undefined, of: Expression | undefined): Expression | undefined => {
  const width = size?.literal === undefined ? size?.apl : durationText(size.literal);
  if (width === undefined || of === undefined) return undefined;
  // Grafana's $__interval follows the chart.
  return time(width.includes('$__') ? `bin_auto(${of.apl})` : `bin(${of.apl}, ${width})`);
};

const bins =
  (size: string): Special =>
  (_reader, { args: [of] }) =>
    of && time(`bin(${of.apl}, ${size})`);

const SPECIAL: Readonly<Record<string, Special>> = {
  date_trunc: (_reader, { args: [unit, of] }) => time(of && startOfUnit(unit?.literal ?? '', of)),
  time_bucket: (_reader, { args: [size, of] }) => bucket(size, of),
  date_bin: (_reader, { args: [size, of] }) => bucket(size, of),
  tostartofinterval: (_reader, { args: [of, size] }) => bucket(size, of),
  tostartofminute: bins('1m'),
  tostartoffiveminutes: bins('5m'),
  tostartoffiveminute: bins('5m'),
  tostartoftenminutes: bins('10m'),
  tostartoffifteenminutes: bins('15m'),
  tostartofhour: bins('1h'),
  tostartofday: bins('1d'),
  date: bins('1d'),
  todate: bins('1d'),
  // Macros of Grafana: the page has the range.
  $__timefilter: () => atom('true'),
  $__timegroup: (_reader, { args: [of, size] }) => bucket(size, of),
  $__timegroupalias: (_reader, { args: [of, size] }) => bucket(size, of),
  $__timeinterval: (_reader, { args: [of] }) => of && time(`bin_auto(${of.apl})`),
  nullif: (_reader, { args: [a, b] }) => a && b && callOf('iff', [atom(`${a.apl} == ${b.apl}`), atom('null'), a]),
  countif: (_reader, { args: [condition] }) => condition && aggregate(`countif(${condition.apl})`),
  quantile: (reader, { args: [fraction] }) => {
    // ClickHouse: quantile(0.95)(x).
    if (!reader.accept('(')) return undefined;
    const of = reader.takeKind('name', 'quoted-name').text;
    reader.expect(')');
    return aggregate(`percentile(${of}, ${percent(fraction?.literal)})`);
  },
  percentile_cont: (reader, { args: [fraction] }) => {
    reader.expect('within', 'group', '(', 'order', 'by');
    const of = reader.takeKind('name', 'quoted-name').text;
    reader.expect(')');
    return aggregate(`percentile(${of}, ${percent(fraction?.literal)})`);
  },
  approx_percentile: (_reader, { args: [of, fraction] }) =>
    of && aggregate(`percentile(${of.apl}, ${percent(fraction?.literal)})`),
  median: (_reader, { args: [of] }) => of && aggregate(`percentile(${of.apl}, 50)`),
};

/** A call in APL; undefined if the function has no counterpart. */
export function sqlCall(
  reader: TokenReader,
  name: string,
  call: Call,
  read: (level?: number) => Expression,
): Expression | undefined {
  const found = callIn(reader, name, call, read);
  // A window function is computed over other rows.
  if (reader.at('over')) reader.fail();
  return found;
}

function callIn(
  reader: TokenReader,
  name: string,
  call: Call,
  read: (level?: number) => Expression,
): Expression | undefined {
  const [first] = call.args;
  if (name === 'count') {
    const filter = filterAfter(reader, read);
    if (call.isDistinct)
      return first && aggregate(filter ? `dcountif(${first.apl}, ${filter})` : `dcount(${first.apl})`);
    const condition =
      filter ?? first?.counted ?? (first && first.literal === undefined ? `isnotnull(${first.apl})` : undefined);
    return aggregate(condition === undefined ? 'count()' : `countif(${condition})`);
  }
  if (Object.hasOwn(SPECIAL, name)) return SPECIAL[name]!(reader, call);
  if (Object.hasOwn(AGGREGATES, name)) {
    if (first === undefined || call.isDistinct) return undefined;
    if (name === 'sum' && first.counted !== undefined) return aggregate(`countif(${first.counted})`);
    const filter = filterAfter(reader, read);
    const [plain, filtered] = AGGREGATES[name]!;
    return aggregate(filter === undefined ? `${plain}(${first.apl})` : `${filtered}(${first.apl}, ${filter})`);
  }
  return Object.hasOwn(SAME, name) ? callOf(SAME[name]!, call.args) : undefined;
}
