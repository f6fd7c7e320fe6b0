import type { QueryContext } from '../bind/context.js';
import type { Name } from '../syntax/ast.js';

/** A name and where to point at, should it be one too many. */
export type GivenName = Pick<Name, 'text' | 'span'>;

/** What helps where a name need not be given: it may follow from the expression. */
export const otherName = '; name one of them: other = …';

/**
 * Columns that somebody names: one that has the name of an earlier one, or of one that is there `before`, is an error. `advice` says what to
 * do where it is not to take another name.
 */
export function checkDifferent(
  names: readonly GivenName[],
  { query: { report } }: { readonly query: Pick<QueryContext, 'report'> },
  advice = '',
  before: readonly string[] = [],
): void {
  for (const { text, span } of repeated(names, before))
    report.error('name', span, `there are two columns ${text}${advice}`);
}

/** The names that are there already when they come. */
export function repeated(names: readonly GivenName[], before: readonly string[] = []): readonly GivenName[] {
  const seen = new Set(before);
  return names.filter(({ text }) => {
    const again = seen.has(text);
    seen.add(text);
    return again;
  });
}
