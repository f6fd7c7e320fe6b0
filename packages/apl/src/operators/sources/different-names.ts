import type { Name } from '../../syntax/ast.js';
import type { OperatorContext } from '../define.js';

/** Columns that a source declares: one that has the name of an earlier one is an error. */
export function checkDifferent(names: readonly Name[], { query: { report } }: OperatorContext): void {
  const seen = new Set<string>();
  for (const { text, span } of names) {
    if (seen.has(text)) report.error('name', span, `there are two columns ${text}`);
    seen.add(text);
  }
}
