import { single } from '../../../bind/values/coerce.js';
import { readerOf } from '../../../bind/values/read-text.js';
import type { Plan } from '../../../plan/nodes.js';
import { constant } from '../../../plan/scalar.js';
import type { ConstantScalar, Scalar } from '../../../plan/scalar.js';
import { readingsOf } from '../../../plan/schema.js';
import type { Field } from '../../../plan/schema.js';
import { isDynamic } from '../../../model/types.js';
import { quoteName } from '../../../syntax/names.js';
import { freeName } from '../define.js';
import type { PluginContext } from '../define.js';
import { bindOperators } from '../over.js';
import type { Pattern } from './select.js';

/** A column that measures patterns; whole numbers are integers. */
interface Measure {
  readonly name: string;
  readonly type: 'long' | 'real';
  readonly of: (pattern: Pattern) => number;
}

/** The percentage of a part, with as many decimals as Kusto shows. */
export const percent = (part: number, all: number, decimals: number): number =>
  all === 0 ? 0 : Number(((100 * part) / all).toFixed(decimals));

/**
 * Patterns as a table: their number, their measures, and a column for each field with its value or,
 * where any value will do, a wildcard: an empty text, or null for other types.
 */
export function patternTable(
  patterns: readonly Pattern[],
  fields: readonly Field[],
  measures: readonly Measure[],
  wildcards: ReadonlyMap<string, ConstantScalar>,
  context: PluginContext,
): Plan {
  const { query } = context;
  const numbers = [{ name: 'SegmentId', type: 'long' } as const, ...measures];
  const taken = new Set(numbers.map(({ name }) => name));
  const texts = fields.map(({ name }) => {
    const free = freeName(name, taken);
    taken.add(free);
    return { name: free, type: 'string' } as const;
  });
  const columns = [...numbers, ...texts].map(({ name, type }) => ({ name, type, id: query.fresh(name) }));
  const rows = patterns.map((pattern, at): readonly Scalar[] => [
    constant('long', BigInt(at)),
    ...measures.map(({ type, of }) =>
      type === 'long' ? constant(type, BigInt(Math.round(of(pattern)))) : constant(type, of(pattern)),
    ),
    ...pattern.values.map((value) => constant('string', value ?? null)),
  ]);
  const schema = { fields: columns.map(({ name, type, id }) => ({ name, readings: [{ type, id }] })) };
  const table: Plan = { kind: 'rows', schema, columns, rows };
  const given: Record<string, Scalar> = {};
  const typed = fields.map((field, i) => {
    const column = quoteName(texts[i]!.name);
    const { type } = single(readingsOf(field));
    const reader = isDynamic(type) ? 'parse_json' : readerOf(type);
    const value = reader === undefined ? column : `${reader}(${column})`;
    const wildcard = wildcards.get(type) ?? (type === 'string' ? constant('string', '') : undefined);
    if (wildcard === undefined) return `${column} = ${value}`;
    given[`$w${i}`] = wildcard;
    return `${column} = coalesce(${value}, ['$w${i}'])`;
  });
  const all = [...numbers.map(({ name }) => quoteName(name)), ...typed];
  return bindOperators(table, `project ${all.join(', ')}`, context, {}, given);
}
