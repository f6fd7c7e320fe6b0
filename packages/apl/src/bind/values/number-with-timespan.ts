import type { Expr, Span } from '../../syntax/ast.js';
import { timespanUnits } from '../../syntax/lexing/timespan.js';
import type { Bound } from '../../plan/scalar.js';
import { impliedName } from '../../operators/columns.js';
import type { QueryContext } from '../context.js';
import { isNumeric } from '../../model/types.js';

/**
 * A number combined with a timespan is nanoseconds, like durations in traces. Warns if the name of
 * the number indicates another unit (`took_ms`); otherwise an editor gets a hint, because the unit
 * is unknown.
 */
export function noteNanoseconds(
  expr: Expr,
  number: Bound,
  timespan: { readonly value: Bound; readonly span: Span },
  query: QueryContext,
): void {
  const [literal, ...more] = timespan.value;
  if (literal?.kind !== 'constant' || literal.type !== 'timespan' || more.length > 0) return;
  if (typeof literal.value !== 'bigint') return;
  const isNumber = number.some(({ kind, type }) => isNumeric(type) && kind !== 'constant');
  if (!isNumber || number.some(({ type }) => type === 'timespan')) return;
  const name = impliedName(expr);
  const unit = name === undefined ? undefined : unitInName(name);
  const meaning = `a timespan is a whole number of nanoseconds, here ${literal.value}`;
  if (unit === undefined) {
    query.report.hint('note', timespan.span, `${meaning}; if the number counts something else, compare with a number`);
    return;
  }
  if (unit === 1n) return;
  const exact =
    literal.value % unit === 0n ? String(literal.value / unit) : String(Number(literal.value) / Number(unit));
  const fix = { title: `Change to ${exact}`, replacement: exact };
  query.report.warning('note', timespan.span, `${meaning}; ${name} seems to count another unit: write ${exact}`, fix);
}

/**
 * The unit, in nanoseconds, that the last word of a name says: `took_ms`, `latencyMs`,
 * `time.seconds`.
 */
function unitInName(name: string): bigint | undefined {
  const words = name.match(/[A-Z]*[a-z]+|[A-Z]+/g) ?? [];
  // A name of one word, or one that ends in a single letter, says no unit: `m`, `min`, `phase_d`.
  const last = words.length > 1 ? words.at(-1)!.toLowerCase() : '';
  return last.length > 1 && last !== 'min' && !last.startsWith('tick') ? timespanUnits.get(last) : undefined;
}
