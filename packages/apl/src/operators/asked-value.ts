import type { QueryContext } from '../bind/context.js';
import { textOf } from '../bind/values/convert-text.js';
import { toType } from '../bind/values/to-type.js';
import { constant } from '../plan/scalar.js';
import type { ConstantScalar, Scalar } from '../plan/scalar.js';
import { parseDatetime } from '../syntax/lexing/datetime.js';
import type { Span } from '../syntax/ast.js';

/**
 * A value that depends on the data but on no row, such as `toscalar(T | …)`, where the query has to
 * know it before it is compiled. Undefined as long as it has to be asked for; the value is null if
 * the data has none.
 */
export function askedValue(
  scalar: Scalar,
  type: 'datetime' | 'long' | 'real' | 'timespan',
  span: Span,
  query: QueryContext,
): ConstantScalar | undefined {
  const value = toType(scalar, type, span, query);
  // Timespans are asked for as numbers, whose texts have all their digits.
  const asked = textOf([type === 'timespan' ? toType(value, 'long', span, query) : value]);
  const id = query.fresh('asked');
  const answer = query.ask(() => ({
    kind: 'project',
    schema: { fields: [{ name: 'value', readings: [{ type: 'string', id }] }] },
    input: { kind: 'rows', schema: { fields: [] }, columns: [], rows: [[]] },
    computed: [{ id, expr: asked }],
  }));
  if (answer === undefined) return undefined;
  const text = answer[0]?.[0] ?? '';
  if (type === 'datetime') return constant(type, parseDatetime(text) ?? null);
  if (type === 'real') return constant(type, text === '' || !Number.isFinite(Number(text)) ? null : Number(text));
  return constant(type, /^-?\d+$/.test(text) ? BigInt(text) : null);
}
