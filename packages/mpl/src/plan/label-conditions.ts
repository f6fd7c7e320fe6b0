import { and, call, type Expr, integer, literal, not, or } from '@millrace/sql';
import { columns } from '../model/columns.js';
import type { LabelFilter } from './plan.js';

/** Texts of values whose stored form is not the text itself; `shownTag` shows the same. */
const special = { b1: 'true', b0: 'false', finf: '+Inf', 'f-inf': '-Inf' } as const;

const storedLabel = (name: string): Expr => call('JSONExtractString', columns.tags, literal(name));

/** The text of a tag; empty if the series does not have it. */
function textOf(name: string): Expr {
  if (name === '__name__') return columns.metric;
  const value = storedLabel(name);
  const cases = Object.entries(special).flatMap(([from, to]) => [call('equals', value, literal(from)), literal(to)]);
  return call('multiIf', ...cases, call('substring', value, integer(2)));
}

/** Numbers have several texts: `le="1.0"` selects the bound 1. */
function isEqual({ tag, value }: LabelFilter): Expr {
  const text = call('equals', textOf(tag), literal(value));
  const number = value === '' ? Number.NaN : Number(value);
  if (tag === '__name__' || !Number.isFinite(number)) return text;
  const isFloat = call('startsWith', storedLabel(tag), literal('f'));
  const equal = call(
    'equals',
    call('toFloat64OrZero', call('substring', storedLabel(tag), integer(2))),
    literal(number),
  );
  return or(text, and(isFloat, equal));
}

const matches = ({ tag, value }: LabelFilter): Expr => call('match', textOf(tag), literal(`^(?s:${value})$`));

export function labelCondition(filter: LabelFilter): Expr {
  switch (filter.op) {
    case '=':
      return isEqual(filter);
    case '!=':
      return not(isEqual(filter));
    case '=~':
      return matches(filter);
    case '!~':
      return not(matches(filter));
  }
}
