import { single } from '../../../bind/values/coerce.js';
import { queryBounds } from '../../../model/query-limits.js';
import type { Plan } from '../../../plan/nodes.js';
import { constant } from '../../../plan/scalar.js';
import type { Scalar } from '../../../plan/scalar.js';
import { readingsOf } from '../../../plan/schema.js';
import type { Field } from '../../../plan/schema.js';
import { fieldOf, project } from '../../columns.js';
import type { PluginContext } from '../define.js';
import { bindOperators } from '../over.js';
import type { Pattern } from './select.js';

/**
 * The search for patterns that `basket`, `autocluster` and `diffpatterns` share: first the values
 * that are frequent on their own, then all combinations of them. The data is read while compiling,
 * because which combinations to count depends on it.
 */

/** The bits of a combination, which is an integer that must not be negative. */
const CODE_BITS = 62;

const MOST = queryBounds.patterns.max;

/** All rows in one cell: a lookup has as many rows as `evaluate` may make columns. */
const asOneCell = [`summarize rows = make_list(row, ${MOST})`, 'project tostring(rows)'];

interface Search {
  readonly plugin: string;
  /** Rows whose weights in the two sets are the columns `$a` and `$b`. */
  readonly rows: Plan;
  readonly fields: readonly Field[];
  /** The share of the rows of a set that a pattern must have in one of the sets. */
  readonly threshold: number;
  /** Most values of a pattern. */
  readonly dimensions: number;
}

interface PatternResult {
  readonly patterns: readonly Pattern[];
  /** The weight of all rows. */
  readonly total: { readonly a: number; readonly b: number };
}

/** The frequent patterns, most frequent first; undefined until the data is known. */
export function findPatterns(search: Search, context: PluginContext): PatternResult | undefined {
  const { rows, fields, threshold } = search;
  const { query } = context;
  const scope = context.scalarScope(rows.schema);
  const columns = fields.map((field, i) => fieldOf(`c${i}`, [single(readingsOf(field))], scope));
  const weights = rows.schema.fields.filter(({ name }) => name === '$a' || name === '$b');
  const input = project(
    { ...rows, schema: { fields: rows.schema.fields } },
    [...weights, ...columns.map(({ field }) => field)],
    columns.flatMap(({ computed }) => computed),
  );
  const ask = (operators: readonly string[], values: Readonly<Record<string, Scalar>> = {}) =>
    query.ask(() => bindOperators(input, operators.join(' | '), context, {}, values));
  const askRows = (...question: Parameters<typeof ask>): readonly (readonly string[])[] | undefined => {
    const [[cell] = []] = ask(...question) ?? [];
    return cell === undefined ? undefined : (JSON.parse(cell) as readonly (readonly string[])[]);
  };

  const [sums] = ask([`summarize a = sum(['$a']), b = sum(['$b'])`, 'project tostring(a), tostring(b)']) ?? [];
  if (sums === undefined) return undefined;
  const total = { a: Number(sums[0]), b: Number(sums[1]) };
  const isFrequent = `a > 0 and a >= ${threshold * total.a} or b > 0 and b >= ${threshold * total.b}`;
  const largest = `max_of(todouble(a) / ${total.a || 1}, todouble(b) / ${total.b || 1})`;
  const texts = fields.map((_, i) => `tostring(c${i})`).join(', ');
  const items = askRows([
    `project ['$a'], ['$b'], i = range(0, ${fields.length - 1}), v = pack_array(${texts})`,
    'mv-expand i to typeof(long), v to typeof(string)',
    'where isnotempty(v)',
    `summarize a = sum(['$a']), b = sum(['$b']) by i, v`,
    `where ${isFrequent}`,
    `top ${MOST} by ${largest} desc, i asc, v asc`,
    'project row = pack_array(tostring(i), v, tostring(a), tostring(b))',
    ...asOneCell,
  ]);
  if (items === undefined) return undefined;
  const chosen = chooseColumns(items, search, total, context);
  const { varying, fixed } = chosen;
  const always = fixedOnly(fields, fixed, total);
  if (varying.length === 0) return { patterns: always, total };
  const places = varying.map(({ column, values, shift }) => {
    const place = `coalesce(array_index_of(['$f${column}'], tostring(c${column})), -1) + 1`;
    return { set: `iff(${place} > 0, 1, 0)`, number: `(${place}) * ${2n ** BigInt(shift)}`, values };
  });
  const combined = askRows(
    [
      `project ['$a'], ['$b'], code = ${places.map(({ number }) => number).join(' + ')}, has = ${places.map(({ set }, i) => `${set} * ${2 ** i}`).join(' + ')}`,
      `summarize a = sum(['$a']), b = sum(['$b']) by code, has`,
      `mv-expand m = range(1, ${2 ** varying.length - 1}) to typeof(long)`,
      'where binary_and(m, has) == m',
      `where ${varying.map((_, i) => `iff(binary_and(m, ${2 ** i}) == 0, 0, 1)`).join(' + ')} <= ${Math.min(search.dimensions, varying.length)}`,
      `extend bits = ${varying.map(({ bits }, i) => `iff(binary_and(m, ${2 ** i}) == 0, 0, ${bits})`).join(' + ')}`,
      'summarize a = sum(a), b = sum(b) by code = binary_and(code, bits)',
      `where ${isFrequent}`,
      `top ${MOST} by ${largest} desc, code asc`,
      'project row = pack_array(tostring(code), tostring(a), tostring(b))',
      ...asOneCell,
    ],
    Object.fromEntries(varying.map(({ column, values }) => [`$f${column}`, constant('array', JSON.stringify(values))])),
  );
  if (combined === undefined) return undefined;
  const patterns = combined.map(([code = '0', a, b]): Pattern => {
    const values = fields.map((_, i) => fixed.get(i));
    for (const { column, values: all, shift, bits } of varying)
      values[column] = all[Number((BigInt(code) & bits) >> BigInt(shift)) - 1];
    return { values, a: Number(a), b: Number(b) };
  });
  return { patterns: [...always, ...patterns], total };
}

/** A column whose frequent values are numbered from 1 within some bits of a 64-bit integer. */
interface VaryingColumn {
  readonly column: number;
  readonly values: readonly string[];
  readonly shift: number;
  readonly bits: bigint;
}

interface Columns {
  /** Columns with several values, the most frequent first. */
  readonly varying: readonly VaryingColumn[];
  /** Columns that have the same value in every row, which belongs to every pattern. */
  readonly fixed: ReadonlyMap<number, string>;
}

/** The columns whose values are combined: as many as combinations can be counted for. */
function chooseColumns(
  items: readonly (readonly string[])[],
  { plugin, fields }: Search,
  total: PatternResult['total'],
  { query, span }: PluginContext,
): Columns {
  const fixed = new Map<number, string>();
  const several = new Map<number, string[]>();
  for (const [at, value = '', a, b] of items) {
    const isEverywhere = Number(a) === total.a && Number(b) === total.b;
    if (isEverywhere) fixed.set(Number(at), value);
    else several.set(Number(at), [...(several.get(Number(at)) ?? []), value]);
  }
  const varying: VaryingColumn[] = [];
  const left: string[] = [];
  let shift = 0;
  for (const [column, values] of several) {
    const width = values.length.toString(2).length;
    if (varying.length === queryBounds.patternColumns.max || shift + width > CODE_BITS) {
      left.push(fields[column]!.name);
      continue;
    }
    varying.push({ column, values, shift, bits: (2n ** BigInt(width) - 1n) << BigInt(shift) });
    shift += width;
  }
  if (left.length > 0) {
    const some = left.length > 5 ? `${left.slice(0, 5).join(', ')} and others` : left.join(', ');
    const message = `${plugin} combines ${varying.length} columns at most, here not ${some}; project those of interest first`;
    query.report.warning('note', span, message);
  }
  return { varying, fixed };
}

/** The pattern of the columns that have one value only, if there are any. */
const fixedOnly = (
  fields: readonly Field[],
  fixed: Columns['fixed'],
  total: PatternResult['total'],
): readonly Pattern[] => (fixed.size === 0 ? [] : [{ values: fields.map((_, i) => fixed.get(i)), ...total }]);
