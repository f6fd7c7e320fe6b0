import { asWritten } from '../bind/names.js';
import { readRegex } from '../functions/re2.js';
import type { ParseSegment } from '../syntax/ast.js';
import type { BindOperator, OperatorOf } from './define.js';

/**
 * Warns of what looks as if it made a column and makes none. Elsewhere a group with a name is one; here only a name between the texts
 * is. Without such names `parse` does nothing at all, while `parse-where` still drops rows.
 */
export function warnOfNoColumns(operator: OperatorOf<'parse'>, { query }: Parameters<BindOperator<'parse'>>[2]): void {
  const named = operator.pattern.flatMap((segment) =>
    segment.kind === 'text' ? groupsIn(segment).map((name) => ({ name, segment })) : [],
  );
  for (const { name, segment } of named) {
    const column = asWritten(name);
    const message =
      operator.mode === 'regex'
        ? `the group ${name} makes no column; names outside the texts do: "…" ${column} "…", or extend ${column} = extract(…, 1, …)`
        : `this text is no regular expression, so it has no group ${name}; put the name outside the texts: "…" ${column} "…"`;
    query.report.warning('note', segment.span, message);
  }
  if (named.length > 0 || operator.filter || operator.pattern.some(({ kind }) => kind === 'capture')) return;
  query.report.warning(
    'note',
    operator.span,
    'parse without names makes no columns; write a name for each value outside the texts: "user=" user " " rest',
  );
}

/** The names of groups in a text of the pattern, whether it is read as a regular expression or not. */
function groupsIn({ text }: ParseSegment & { readonly kind: 'text' }): readonly string[] {
  const reading = readRegex(text);
  return reading.ok ? reading.shape.groups.flatMap(({ name }) => (name === undefined ? [] : [name])) : [];
}
