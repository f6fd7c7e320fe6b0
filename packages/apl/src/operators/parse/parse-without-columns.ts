import { asWritten } from '../../bind/names/names.js';
import type { BindOperator, OperatorOf } from '../define.js';
import { namedGroups } from './parse-captures.js';

/**
 * Warns of what looks as if it made a column and makes none: a group with a name in a text that is
 * no regular expression. Without columns `parse` does nothing at all, while `parse-where` still
 * drops rows.
 */
export function warnOfNoColumns(
  { mode, pattern, filter, span }: OperatorOf<'parse'>,
  columns: number,
  { query }: Parameters<BindOperator<'parse'>>[2],
): void {
  const named = pattern.flatMap((segment) =>
    segment.kind === 'text' && mode !== 'regex'
      ? namedGroups(segment.text).flatMap((name) => (name === undefined ? [] : [{ name, segment }]))
      : [],
  );
  for (const { name, segment } of named) {
    const message = `this text is no regular expression, so it has no group ${name}; write kind=regex, or put the name outside the texts: "…" ${asWritten(name)} "…"`;
    query.report.warning('note', segment.span, message);
  }
  if (named.length > 0 || filter || columns > 0) return;
  query.report.warning(
    'note',
    span,
    'parse without names makes no columns; write a name for each value outside the texts: "user=" user " " rest',
  );
}
