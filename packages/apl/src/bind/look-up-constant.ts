import { defineOverload, param } from '../functions/define.js';
import type { ScalarType } from '../model/types.js';
import { callOf, constant, readsRow } from '../plan/scalar.js';
import type { ConstantScalar, Scalar } from '../plan/scalar.js';
import { parseDatetime } from '../syntax/lexing/datetime.js';
import type { Span } from '../syntax/ast.js';
import type { QueryContext } from './context.js';
import { textOf } from './values/convert-text.js';

/**
 * Values that were already queried, so that each is queried only once. A scalar belongs to one
 * compilation.
 */
const answers = new WeakMap<Scalar, ConstantScalar>();

/**
 * The value of an expression that depends on the data but on no row, such as `toscalar(T | …)`, and
 * must be known at compile time; null if the data has none. Undefined while the lookup is pending,
 * and after reporting an expression that differs from row to row.
 */
export function lookUpConstant(scalar: Scalar, span: Span, query: QueryContext): ConstantScalar | undefined {
  if (readsRow(scalar)) {
    const message = 'this has to be known before the query runs, but differs from row to row here; give it a constant';
    query.report.error('not_constant', span, message);
    return undefined;
  }
  const known = answers.get(scalar);
  if (known !== undefined) return known;
  // Timespans are queried as numbers, whose text has all digits.
  const valueText = textOf([scalar.type === 'timespan' ? callOf('nanoseconds', nanoseconds, [scalar]) : scalar]);
  const id = query.fresh('looked_up');
  const answer = query.ask(() => ({
    kind: 'project',
    schema: { fields: [{ name: 'value', readings: [{ type: 'string', id }] }] },
    input: { kind: 'rows', schema: { fields: [] }, columns: [], rows: [[]] },
    computed: [{ id, expr: valueText }],
  }));
  if (answer === undefined) return undefined;
  const found = valueIn(answer[0]?.[0] ?? '', scalar.type);
  answers.set(scalar, found);
  return found;
}

const nanoseconds = defineOverload({
  params: [param('span', 'timespan')],
  returns: 'long',
  lower: ([span]) => span.sql,
});

/** Parses a text as a value of the type; null if it is not valid. */
function valueIn(text: string, type: ScalarType): ConstantScalar {
  switch (type) {
    case 'string':
      return constant(type, text);
    case 'datetime':
      return constant(type, parseDatetime(text) ?? null);
    case 'real':
      return constant(type, text === '' || !Number.isFinite(Number(text)) ? null : Number(text));
    case 'bool':
      return constant(type, text === 'true' ? true : text === 'false' ? false : null);
    case 'long':
    case 'timespan':
      return constant(type, /^-?\d+$/.test(text) ? BigInt(text) : null);
    case 'array':
    case 'bag':
    case 'dynamic':
      return constant(type, text === '' ? null : /^[[{]/.test(text) ? text : JSON.stringify(text));
  }
}
