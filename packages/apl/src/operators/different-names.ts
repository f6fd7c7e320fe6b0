import type { Name } from '../syntax/ast.js';
import type { OperatorContext } from './define.js';

/** Columns that somebody names: one that has the name of an earlier one is an error. `advice` says what to do where it is not to take another name. */
export function checkDifferent(
  names: readonly Pick<Name, 'text' | 'span'>[],
  { query: { report } }: OperatorContext,
  advice = '',
): void {
  const seen = new Set<string>();
  for (const { text, span } of names) {
    if (seen.has(text)) report.error('name', span, `there are two columns ${text}${advice}`);
    seen.add(text);
  }
}
