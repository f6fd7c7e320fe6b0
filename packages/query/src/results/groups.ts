import type { QueryOutcome } from '../run/outcome.js';

/**
 * The columns that rows are grouped by. If all fields are, the rare ones are known only from the
 * result.
 */
export function groupsIn({ compiled, table }: Pick<QueryOutcome, 'compiled' | 'table'>): readonly string[] {
  const { output, presentation, rest } = compiled;
  if (rest?.isGroup !== true) return presentation.groups;
  const known = new Set(output.map(({ name }) => name));
  return [...presentation.groups, ...table.output.flatMap(({ name }) => (known.has(name) ? [] : [name]))];
}
