import { sourceText } from '../../bind/names/spelled-name.js';
import type { BindOperator, OperatorOf } from '../define.js';
import { namedGroups } from './parse-captures.js';

/**
 * Warns about a named group in a text that is not a regular expression: it does not make a column.
 * Without columns `parse` has no effect, while `parse-where` still drops rows.
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
    const message = `this text is no regular expression, so it has no group ${name}; write kind=regex, or put the name outside the texts: "…" ${sourceText(name)} "…"`;
    query.report.warning('note', segment.span, message);
  }
  if (named.length > 0 || filter || columns > 0) return;
  query.report.warning(
    'note',
    span,
    'parse without names makes no columns; write a name for each value outside the texts: "user=" user " " rest',
  );
}
