import type { QueryOutcome } from '../run/execute.js';

/**
 * The columns that rows are grouped by. Where those are all fields, the rare ones are known only
 * from the answer.
 */
export function groupsIn({ compiled, table }: Pick<QueryOutcome, 'compiled' | 'table'>): readonly string[] {
  const { output, presentation, rest } = compiled;
  if (rest?.isGroup !== true) return presentation.groups;
  const known = new Set(output.map(({ name }) => name));
  return [...presentation.groups, ...table.output.flatMap(({ name }) => (known.has(name) ? [] : [name]))];
}
