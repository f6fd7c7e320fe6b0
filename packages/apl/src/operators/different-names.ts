import type { QueryContext } from '../bind/context.js';
import type { Name } from '../syntax/ast.js';

/** A name, and the place to point at if it is a duplicate. */
export type GivenName = Pick<Name, 'text' | 'span'>;

/** Advice where names may be left out: the duplicate may follow from an expression. */
export const otherName = '; name one of them: other = …';

/**
 * Reports names of new columns that repeat an earlier one or one of `before`. `advice` suggests an
 * alternative to choosing another name.
 */
export function checkDifferent(
  names: readonly GivenName[],
  { query: { report } }: { readonly query: Pick<QueryContext, 'report'> },
  advice = '',
  before: readonly string[] = [],
): void {
  for (const { text, span } of repeatedNames(names, before))
    report.error('name', span, `there are two columns ${text}${advice}`);
}

/** The names that repeat an earlier one or one of `before`. */
export function repeatedNames(names: readonly GivenName[], before: readonly string[] = []): readonly GivenName[] {
  const seen = new Set(before);
  return names.filter(({ text }) => {
    const again = seen.has(text);
    seen.add(text);
    return again;
  });
}
